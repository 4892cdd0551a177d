//! Windows, compared with loops over their elements.

use crate::{building::evaluated, close};
use iree_abi::{DType, Dim};
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::{ValueId, op::InferError};
use iree_dsl_library::{
    Error, Term,
    window::{
        Layout, Padding, Window, avg_pool, convolution, fold, max_pool, transposed_convolution,
    },
};
use ndarray::{Array2, Array3, Ix3, arr0, array};

/// Windows of three elements, two apart.
fn window(padding: Padding) -> Window {
    Window {
        axis: 1,
        size: 3,
        stride: 2,
        dilation: 1,
        input_dilation: 1,
        padding,
    }
}

fn numbers() -> Array2<f64> {
    array![
        [5.0, -1.0, 7.0, 2.0, 8.0, -3.0],
        [0.5, 4.0, 0.25, 1.0, -6.0, 9.0]
    ]
}

/// The elements of each window, so much before the axis and behind it, as far as there are any.
fn windows(low: i64, count: usize) -> Vec<Vec<f64>> {
    let x = numbers();
    let element = |row: usize, place: i64| x.get((row, usize::try_from(place).ok()?)).copied();
    let starts = || (0..count as i64).map(|number| 2 * number - low);
    let rows = (0..2).flat_map(|row| starts().map(move |start| (row, start)));
    rows.map(|(row, start)| {
        (start..start + 3)
            .filter_map(|place| element(row, place))
            .collect()
    })
    .collect()
}

fn expected(low: i64, count: usize, one: fn(&[f64]) -> f64) -> Array2<f64> {
    let all = windows(low, count);
    let all = all.iter().map(|elements| one(elements));
    Array2::from_shape_vec((2, count), all.collect()).expect("a window for each element")
}

fn largest(elements: &[f64]) -> f64 {
    elements.iter().copied().fold(f64::MIN, f64::max)
}

fn mean(elements: &[f64]) -> f64 {
    elements.iter().sum::<f64>() / elements.len() as f64
}

/// What is missing so that there are three windows is an element behind.
#[test]
fn the_largest_of_each_window() {
    for (padding, low, count) in [
        (Padding::Valid, 0, 2),
        (Padding::Same, 0, 3),
        (Padding::Explicit(1, 0), 1, 3),
    ] {
        let found = evaluated([numbers().into()], |[x]| max_pool(&x, &[window(padding)]));
        close(
            &found.expect("windows that fit"),
            &expected(low, count, largest),
        );
    }
}

#[test]
fn the_mean_of_each_window_counts_padding_or_not() {
    let pool = |counts_padding| {
        let found = evaluated([numbers().into()], |[x]| {
            avg_pool(&x, &[window(Padding::Explicit(1, 0))], counts_padding)
        });
        found.expect("windows that fit")
    };
    close(&pool(false), &expected(1, 3, mean));
    close(
        &pool(true),
        &expected(1, 3, |elements| elements.iter().sum::<f64>() / 3.0),
    );
}

#[test]
fn means_of_integers_are_refused() {
    let integers = Tensor::from(array![[1_i32, 2, 3]]);
    let refused = evaluated([integers], |[x]| {
        avg_pool(&x, &[window(Padding::Valid)], true)
    });
    let expected = InferError::DType {
        operation: "",
        dtype: DType::I32,
    };
    assert_eq!(refused.err(), Some(Error::Refused(expected)));
}

#[test]
fn a_function_combines_the_elements_of_windows_in_their_order() {
    let whole = Window {
        axis: 0,
        size: 1,
        stride: 1,
        ..window(Padding::Valid)
    };
    let first = Tensor::from(arr0(100.0));
    let found = evaluated([numbers().into(), first], |[x, first]| {
        fold(&x, &first, &[whole, window(Padding::Valid)], |a, b| a - b)
    });
    let minus = |elements: &[f64]| 100.0 - (elements[0] - elements[1] - elements[2]);
    close(&found.expect("windows that fit"), &expected(0, 2, minus));
}

#[test]
fn a_window_that_does_not_fit_is_refused() {
    let whole = Window {
        axis: 0,
        ..window(Padding::Valid)
    };
    let misfit = Error::Refused(InferError::Window {
        axis: 0,
        size: Dim::Static(2),
        window: Dim::Static(3),
    });
    let refused = evaluated([numbers().into()], |[x]| max_pool(&x, &[whole]));
    assert_eq!(refused.err(), Some(misfit));
    let endless = Window {
        dilation: usize::MAX,
        ..window(Padding::Same)
    };
    let refused = evaluated([numbers().into()], |[x]| max_pool(&x, &[endless]));
    assert!(matches!(
        refused.err(),
        Some(Error::Refused(InferError::Window { axis: 1, .. }))
    ));
}

/// The batch, then the places, then the features; of the kernel the places, the features of the input, those of the result.
fn layout() -> Layout {
    Layout {
        input: vec![0, 2, 1],
        kernel: vec![2, 1, 0],
        output: vec![0, 2, 1],
    }
}

fn kernel() -> Array3<f64> {
    Array3::from_shape_vec((3, 1, 1), vec![2.0, 3.0, -5.0]).expect("three elements")
}

/// What a convolution makes of numbers with one feature.
fn convolved(
    run: impl for<'x> FnOnce(&Term<'x, ValueId>, &Term<'x, ValueId>) -> Term<'x, ValueId>,
) -> Array2<f64> {
    let input = numbers().insert_axis(ndarray::Axis(2));
    let operands = [input.into(), kernel().into()];
    let found = evaluated(operands, |[input, kernel]| run(&input, &kernel));
    let found = found.expect("windows that fit");
    let found = found.array::<f64>().expect("numbers").to_owned();
    let shape = (2, found.shape()[1]);
    found.into_shape_with_order(shape).expect("one feature")
}

#[test]
fn a_convolution_is_the_sum_of_products_in_each_window() {
    let found = convolved(|input, kernel| {
        convolution(input, kernel, &[window(Padding::Valid)], layout(), 1)
    });
    let products = |elements: &[f64]| 2.0 * elements[0] + 3.0 * elements[1] - 5.0 * elements[2];
    assert_eq!(found, expected(0, 2, products));
}

/// Each element of the input adds the kernel to the result, which is twice as large; what is beyond its end is cut off.
#[test]
fn a_transposed_convolution_spreads_each_element() {
    let found = convolved(|input, kernel| {
        transposed_convolution(input, kernel, &[window(Padding::Same)], layout())
    });
    let mut expected = Array2::<f64>::zeros((2, 13));
    for ((row, column), element) in numbers().indexed_iter() {
        // As in JAX, the kernel is not turned around.
        for (place, weight) in [-5.0, 3.0, 2.0].iter().enumerate() {
            expected[(row, 2 * column + place)] += element * weight;
        }
    }
    assert_eq!(found, expected.slice(ndarray::s![.., 0..12]));
}

/// Windows of one element, whichever axes the features are along.
#[test]
fn a_convolution_of_single_elements_is_a_product() {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [2, 0, 1],
        [1, 2, 0],
        [1, 0, 2],
        [2, 1, 0],
    ];
    for input in ORDERS {
        for kernel in ORDERS {
            for output in ORDERS {
                check_single_elements(input, kernel, output);
            }
        }
    }
}

fn check_single_elements(input: [usize; 3], kernel: [usize; 3], output: [usize; 3]) {
    let (x, w) = (ordered(input, [2, 3, 4]), ordered(kernel, [5, 3, 1]));
    let single = Window {
        axis: input[2],
        size: 1,
        stride: 1,
        ..window(Padding::Same)
    };
    let layout = Layout {
        input: input.to_vec(),
        kernel: kernel.to_vec(),
        output: output.to_vec(),
    };
    let operands = [x.clone().into(), w.clone().into()];
    let found = evaluated(operands, |[x, w]| convolution(&x, &w, &[single], layout, 1));
    let found = found.expect("windows that fit");
    let found = found.array::<f64>().expect("numbers").to_owned();
    let found = found.into_dimensionality::<Ix3>().expect("three axes");
    let (x, w) = (x.permuted_axes(input), w.permuted_axes(kernel));
    for ((batch, features, place), found) in found.permuted_axes(output).indexed_iter() {
        let products = (0..3).map(|of| x[(batch, of, place)] * w[(features, of, 0)]);
        let layout = (input, kernel, output);
        assert_eq!(products.sum::<f64>(), *found, "{layout:?}");
    }
}

/// Numbers of which the sizes along axes with roles are these.
fn ordered(roles: [usize; 3], sizes: [usize; 3]) -> Array3<f64> {
    let mut shape = [0; 3];
    for (axis, size) in roles.into_iter().zip(sizes) {
        shape[axis] = size;
    }
    let numbers = (0..shape.iter().product()).map(|number: usize| (number * 7 % 11) as f64 - 4.0);
    Array3::from_shape_vec(shape, numbers.collect()).expect("a number for each place")
}
