//! Elements at places, compared with indexing.

use crate::building::evaluated;
use iree_abi::{DType, Dim, Extent};
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::op::InferError;
use iree_dsl_library::{
    Error,
    lines::{from_table, table},
    lookup::{indices, one_hot, take, take_along},
};
use ndarray::{Array2, Array3, Axis, arr1, array};

fn numbers() -> Array3<f64> {
    Array3::from_shape_fn((2, 3, 4), |(a, b, c)| (100 * a + 10 * b + c) as f64)
}

#[test]
fn a_table_has_a_line_for_each_place_of_the_other_axes() {
    for axis in 0..3 {
        let x = numbers();
        let lines: Vec<f64> = x.lanes(Axis(axis)).into_iter().flatten().copied().collect();
        let shape = (lines.len() / x.len_of(Axis(axis)), x.len_of(Axis(axis)));
        let expected = Array2::from_shape_vec(shape, lines).expect("all elements");
        let found = evaluated([x.into()], |[x]| table(&x, axis));
        assert_eq!(found, Ok(expected.into()), "{axis}");
        let found = evaluated([numbers().into()], |[x]| {
            from_table(&table(&x, axis), &x.shape(), axis)
        });
        assert_eq!(found, Ok(numbers().into()), "{axis}");
    }
}

#[test]
fn parts_are_those_at_the_places() {
    let places = Tensor::from(arr1(&[2, 0, 2, 1_i32]));
    let found = evaluated([numbers().into(), places], |[x, places]| {
        take(&x, &places, 1)
    });
    let expected = numbers().select(Axis(1), &[2, 0, 2, 1]);
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn elements_are_those_of_their_own_line() {
    let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    // What is outside of the axis is the nearest element in it.
    let places = array![[2, 2, 0, -1], [0, 9, 1, 1_i32]];
    let expected = array![[3.0, 3.0, 1.0, 1.0], [4.0, 6.0, 5.0, 5.0]];
    let operands = [Tensor::from(x.view()), Tensor::from(places.view())];
    let found = evaluated(operands, |[x, places]| take_along(&x, &places, 1));
    assert_eq!(found, Ok(expected.view().into()));
    let operands = [x.t().into(), places.t().into()];
    let found = evaluated(operands, |[x, places]| take_along(&x, &places, 0));
    assert_eq!(found, Ok(expected.t().into()));
}

#[test]
fn a_class_is_one_among_zeros() {
    let places = array![[1, 0], [2, 9_i32]];
    let expected = Array3::from_shape_fn((2, 2, 3), |(row, column, class)| {
        f64::from(places[(row, column)] == class as i32)
    });
    let found = evaluated([places.view().into()], |[places]| {
        one_hot(&places, Dim::Static(3), DType::F64)
    });
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn indices_outside_stay_outside() {
    let size = Extent::from(5);
    let found = |places| evaluated([places], |[places]| indices(&places, &size));
    let long = Tensor::from(arr1(&[i64::MIN, -1, 0, 4, 5, i64::MAX]));
    let expected = Tensor::from(arr1(&[-1, -1, 0, 4, 5, 5_i32]));
    assert_eq!(found(long), Ok(expected));
    let unsigned = Tensor::from(arr1(&[0, 4, 5, u64::MAX]));
    assert_eq!(found(unsigned), Ok(arr1(&[0, 4, 5, 5_i32]).into()));
    let narrow = Tensor::from(arr1(&[-128, 127_i8]));
    assert_eq!(found(narrow), Ok(arr1(&[-128, 127_i32]).into()));
}

#[test]
fn nothing_has_no_elements() {
    let nothing = Tensor::from(Array2::<f64>::zeros((2, 0)));
    let places = Tensor::from(array![[0], [0_i32]]);
    let refused = evaluated([nothing, places], |[x, places]| take_along(&x, &places, 1));
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    let text = Tensor::from(arr1(&[1.0]));
    let refused = evaluated([numbers().into(), text], |[x, places]| take(&x, &places, 0));
    let expected = InferError::DTypes(DType::I32, DType::F64);
    assert_eq!(refused, Err(Error::Refused(expected)));
}
