//! Laws that hold for all tensors.

use iree_dsl_interpreter::{Array, Element, Interpreter, Tensor};
use iree_dsl_ir::{op::ArgSort, text, verify};
use ndarray::{ArrayD, IxDyn};
use num_complex::Complex64;
use proptest::{collection::vec, prelude::*};

/// The results of a function with this body, of the arguments.
fn run(body: &str, arguments: &[Tensor]) -> Vec<Tensor> {
    let parameters = arguments.iter().enumerate();
    let parameters: Vec<_> = parameters
        .map(|(number, argument)| format!("%{number} p{number}: {}", argument.ty()))
        .collect();
    let (lines, results) = body.rsplit_once("return ").expect("the results");
    let types: Vec<_> = results
        .split(", ")
        .map(|value| ty(lines, arguments, value))
        .collect();
    let text = format!(
        "module @m {{ func public @f({}) -> {} {{\n{lines}return {results}\n}} }}",
        parameters.join(", "),
        types.join(", "),
    );
    let module = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let verified = verify(module).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut program = Interpreter::new(verified).expect("nothing is missing");
    program
        .call("f", arguments)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The type of a value, from the line that defines it.
fn ty(lines: &str, arguments: &[Tensor], value: &str) -> String {
    let value = value.trim();
    let defines = |line: &&str| line.trim().starts_with(&format!("{value} ="));
    let line = lines.lines().find(defines);
    let argument = || {
        arguments[value[1..].parse::<usize>().expect("a number")]
            .ty()
            .to_string()
    };
    line.map_or_else(argument, |line| {
        line.rsplit_once(" : ").expect("a type").1.trim().to_owned()
    })
}

fn array<T: Element>(tensor: &Tensor) -> &Array<T> {
    tensor.array().expect("the type of the law")
}

/// Tensors of integers with up to four axes, some of them empty.
fn tensors() -> impl Strategy<Value = ArrayD<i32>> {
    vec(0_usize..5, 0..4).prop_flat_map(|shape| {
        let count: usize = shape.iter().product();
        let elements = vec(any::<i32>(), count);
        elements.prop_map(move |elements| {
            ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as many elements")
        })
    })
}

/// Tensors with at least one axis, and one of their axes.
fn tensors_with_axis() -> impl Strategy<Value = (ArrayD<i32>, usize)> {
    let tensors = tensors().prop_filter("an axis", |x| x.ndim() > 0);
    tensors.prop_flat_map(|x| {
        let rank = x.ndim();
        (Just(x), 0..rank)
    })
}

proptest! {
    #[test]
    fn a_transpose_is_taken_back_by_its_inverse(
        (x, permutation) in tensors().prop_flat_map(|x| {
            let axes: Vec<_> = (0..x.ndim()).collect();
            (Just(x), Just(axes).prop_shuffle())
        }),
    ) {
        let mut inverse = vec![0; permutation.len()];
        permutation.iter().enumerate().for_each(|(to, from)| inverse[*from] = to);
        let turned = Tensor::from(x.clone().permuted_axes(permutation.clone()));
        let (ty, turned_ty) = (Tensor::from(x.clone()).ty(), turned.ty());
        let results = run(&format!(
            "%1 = transpose %0 permutation {permutation:?} : {turned_ty}
             %2 = transpose %1 permutation {inverse:?} : {ty}
             return %1, %2"
        ), &[x.clone().into()]);
        prop_assert_eq!(results, [turned, x.into()]);
    }

    #[test]
    fn what_is_reversed_twice_is_as_it_was((x, axis) in tensors_with_axis()) {
        let tensor = Tensor::from(x);
        let ty = tensor.ty();
        let results = run(&format!(
            "%1 = reverse %0 axes [{axis}] : {ty}
             %2 = reverse %1 axes [{axis}] : {ty}
             return %2"
        ), std::slice::from_ref(&tensor));
        prop_assert_eq!(results, [tensor]);
    }

    #[test]
    fn parts_put_together_are_the_whole((x, axis) in tensors_with_axis(), cut in 0..5_usize) {
        let sizes = x.shape().to_vec();
        let cut = cut.min(sizes[axis]);
        let tensor = Tensor::from(x);
        let part = |from: usize, to: usize| {
            let (mut start, mut limit) = (vec![0; sizes.len()], sizes.clone());
            (start[axis], limit[axis]) = (from, to);
            let mut part = sizes.clone();
            part[axis] = to - from;
            let part = iree_abi::TensorType::new(tensor.dtype(), part.as_slice());
            format!("slice %0 start {start:?} limit {limit:?} stride {:?} : {part}", vec![1; sizes.len()])
        };
        let (first, second) = (part(0, cut), part(cut, sizes[axis]));
        let results = run(&format!(
            "%1 = {first}
             %2 = {second}
             %3 = concatenate %1, %2 axis {axis} : {}
             return %3",
            tensor.ty()
        ), std::slice::from_ref(&tensor));
        prop_assert_eq!(results, [tensor]);
    }

    #[test]
    fn what_is_padded_is_cut_off_again((x, axis) in tensors_with_axis(), low in 0..4_i64, high in 0..4_i64) {
        let tensor = Tensor::from(x);
        let mut sizes = tensor.shape().to_vec();
        sizes[axis] += (low + high) as usize;
        let padded = iree_abi::TensorType::new(tensor.dtype(), sizes.as_slice());
        let list = |number: i64| {
            let mut numbers = vec![0; sizes.len()];
            numbers[axis] = number;
            numbers
        };
        let none = vec![0; sizes.len()];
        let results = run(&format!(
            "%2 = pad %0, %1 low {:?} high {:?} interior {none:?} : {padded}
             %3 = pad %2, %1 low {:?} high {:?} interior {none:?} : {}
             return %3",
            list(low), list(high), list(-low), list(-high), tensor.ty()
        ), &[tensor.clone(), 7_i32.into()]);
        prop_assert_eq!(results, [tensor]);
    }

    #[test]
    fn sorted_elements_are_in_order_and_the_same((x, axis) in tensors_with_axis(), descending in any::<bool>()) {
        let mut sorted = x.clone();
        for mut line in sorted.lanes_mut(ndarray::Axis(axis)) {
            let mut elements = line.to_vec();
            elements.sort();
            if descending {
                elements.reverse();
            }
            line.assign(&ndarray::Array1::from(elements));
        }
        let ty = Tensor::from(x.clone()).ty();
        let op = ArgSort { axis, descending };
        let results = run(&format!("%1 = {} %0 axis {axis} : {ty}\nreturn %1", op.name()), &[x.clone().into()]);
        let places = array::<i32>(&results[0]);
        let found = ArrayD::from_shape_fn(x.raw_dim(), |index| {
            let mut from = index.clone();
            from[axis] = places[index] as usize;
            x[from]
        });
        prop_assert_eq!(found, sorted);
    }

    #[test]
    fn reductions_of_two_axes_are_two_reductions(
        elements in vec(any::<i32>(), 24), kind in prop::sample::select(&["sum", "product", "maximum", "minimum"][..]),
    ) {
        let x = ArrayD::from_shape_vec(IxDyn(&[2, 3, 4]), elements).expect("24 elements");
        let results = run(&format!(
            "%1 = reduce_{kind} %0 axes [2, 0] : Tensor<i32, 3>
             %2 = reduce_{kind} %0 axes [0] : Tensor<i32, 3, 4>
             %3 = reduce_{kind} %2 axes [1] : Tensor<i32, 3>
             %4 = cumulate_{kind} %3 axis 0 : Tensor<i32, 3>
             %5 = slice %4 start [2] limit [3] stride [1] : Tensor<i32, 1>
             %6 = reduce_{kind} %5 axes [0] : Tensor<i32>
             %7 = reduce_{kind} %0 axes [0, 1, 2] : Tensor<i32>
             return %1, %3, %6, %7"
        ), &[x.into()]);
        prop_assert_eq!(&results[0], &results[1]);
        prop_assert_eq!(&results[2], &results[3]);
    }

    #[test]
    fn quotients_and_remainders_give_the_dividend(pairs in vec(any::<(i8, i8)>(), 64)) {
        let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let a = Tensor::from(ndarray::Array1::from(a));
        let results = run(
            "%2 = divide %0, %1 : Tensor<i8, 64>
             %3 = remainder %0, %1 : Tensor<i8, 64>
             %4 = multiply %2, %1 : Tensor<i8, 64>
             %5 = add %4, %3 : Tensor<i8, 64>
             return %5",
            &[a.clone(), ndarray::Array1::from(b).into()],
        );
        prop_assert_eq!(results, [a]);
    }

    #[test]
    fn a_wider_type_loses_nothing(x in vec(any::<u16>(), 16)) {
        let x = Tensor::from(ndarray::Array1::from(x));
        for wide in ["i32", "u64", "f32", "f64", "Complex<f64>"] {
            let back = match wide {
                "Complex<f64>" => "%2 = real %1 : Tensor<f64, 16>\n%3 = convert %2 : Tensor<u16, 16>",
                _ => "%2 = reshape %1 : WIDE\n%3 = convert %2 : Tensor<u16, 16>",
            };
            let ty = format!("Tensor<{wide}, 16>");
            let body = format!("%1 = convert %0 : {ty}\n{}\nreturn %3", back.replace("WIDE", &ty));
            prop_assert_eq!(run(&body, std::slice::from_ref(&x)), std::slice::from_ref(&x));
        }
    }

    #[test]
    fn bits_are_there_and_back(bits in vec(any::<u16>(), 16)) {
        let bits = Tensor::from(ndarray::Array1::from(bits));
        for float in ["f16", "bf16"] {
            let body = format!(
                "%1 = bitcast %0 : Tensor<{float}, 16>
                 %2 = bitcast %1 : Tensor<u16, 16>
                 return %2"
            );
            prop_assert_eq!(run(&body, std::slice::from_ref(&bits)), std::slice::from_ref(&bits));
        }
    }

    #[test]
    fn frequencies_are_taken_back(parts in vec((-9.0..9.0, -9.0..9.0), 1..50)) {
        let numbers: Vec<_> = parts.into_iter().map(|(re, im)| Complex64::new(re, im)).collect();
        let x = Tensor::from(ndarray::Array1::from(numbers));
        let ty = x.ty();
        let results = run(&format!(
            "%1 = fourier %0 : {ty}
             %2 = inverse_fourier %1 : {ty}
             return %2"
        ), std::slice::from_ref(&x));
        let distance = array::<Complex64>(&x) - array::<Complex64>(&results[0]);
        prop_assert!(distance.iter().all(|distance| distance.norm() < 1e-12));
    }

    #[test]
    fn what_is_looked_up_is_written_back((x, axis) in tensors_with_axis()) {
        let size = x.shape()[axis];
        prop_assume!(size > 0);
        let places: Vec<i32> = (0..size as i32).rev().collect();
        let (tensor, zeros) = (Tensor::from(x.clone()), Tensor::from(ArrayD::<i32>::zeros(x.raw_dim())));
        let ty = tensor.ty();
        let results = run(&format!(
            "%3 = gather %0, %2 axes [{axis}] : {ty}
             %4 = scatter %1, %3, %2 axes [{axis}] : {ty}
             %5 = scatter_add %1, %3, %2 axes [{axis}] : {ty}
             return %4, %5"
        ), &[tensor.clone(), zeros, ndarray::Array1::from(places).into()]);
        prop_assert_eq!(results, [tensor.clone(), tensor]);
    }

    #[test]
    fn a_product_with_ones_on_the_diagonal_changes_nothing(x in vec(any::<i64>(), 12)) {
        let x = Tensor::from(ArrayD::from_shape_vec(IxDyn(&[3, 4]), x).expect("12 elements"));
        let eye = Tensor::from(ndarray::Array2::<i64>::eye(4));
        let results = run(
            "%2 = dot_general %0, %1 batch [] x [] contract [1] x [0] : Tensor<i64, 3, 4>
             return %2",
            &[x.clone(), eye],
        );
        prop_assert_eq!(results, [x]);
    }

    #[test]
    fn a_convolution_with_a_window_of_one_is_a_product(x in vec(any::<i32>(), 30), w in vec(any::<i32>(), 6)) {
        let x = Tensor::from(ArrayD::from_shape_vec(IxDyn(&[2, 5, 3]), x).expect("30 elements"));
        let w = Tensor::from(ArrayD::from_shape_vec(IxDyn(&[1, 3, 2]), w).expect("6 elements"));
        let results = run(
            "%2 = convolution %0, %1 strides [1] padding [0] x [0] dilation [1] input_dilation [1] groups 1 input [0, 2, 1] kernel [2, 1, 0] output [0, 2, 1] : Tensor<i32, 2, 5, 2>
             %3 = dot_general %0, %1 batch [] x [] contract [2] x [1] : Tensor<i32, 2, 5, 1, 2>
             %4 = reshape %3 : Tensor<i32, 2, 5, 2>
             return %2, %4",
            &[x, w],
        );
        prop_assert_eq!(&results[0], &results[1]);
    }
}
