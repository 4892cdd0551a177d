//! Parts of tensors, read and written, against `ndarray`.

use iree_dsl::prelude::*;
use ndarray::{Array2, Axis, array, s};

#[program]
mod parts {
    pub struct Layer {
        pub w: Tensor<i32, 2, 2>,
    }

    pub struct Parts {
        #[global]
        cache: Tensor<f32, 8, 4>,
        #[global]
        layers: [Layer; 3],
    }

    impl Parts {
        pub fn put(&mut self, at: Tensor<i64>, row: Tensor<f32, 4>) -> Tensor<f32, 8, 4> {
            self.cache[s![at, ..]] = row;
            self.cache[(0, 0)] += 10.0;
            self.cache
        }

        pub fn read(
            &self,
            x: Tensor<f32, 3, 4>,
            i: Tensor<i32>,
        ) -> (
            Tensor<f32, 4>,
            Tensor<f32, 3, 2>,
            Tensor<f32>,
            Tensor<f32, 2, 4>,
        ) {
            (
                x[i],
                x[s![.., 1..;2]],
                x[(-1, i)],
                x.dynamic_slice([i, 0], [2, 4]),
            )
        }

        pub fn write(&self, x: Tensor<f32, 3, 4>, i: Tensor<u8>) -> Tensor<f32, 3, 4> {
            let mut y = x;
            y[0] = 1.0;
            y[s![1.., 2]] = tensor([5.0, 6.0]);
            y[i][3] *= 2.0;
            y
        }

        pub fn set_layer(&mut self, w: Tensor<i32, 2, 2>) -> [Layer; 3] {
            self.layers[2].w = w;
            self.layers[1].w[s![0, ..]] = 7;
            self.layers
        }

        /// Values whose type is that of the part.
        pub fn fill(
            &self,
            x: Tensor<f64, 3, 4>,
            i: Tensor<i32>,
            b: Tensor<bool, 4>,
        ) -> (Tensor<f64, 3, 4>, Tensor<bool, 4>) {
            let mut y = x;
            y[s![..2, 1..3]] = ones();
            y[i] = tensor([0.1, 0.2, 0.3, 0.4]);
            y[s![2, 2..]] = full(0.5) + iota();
            let mut b = b;
            b[i] = full(true);
            (y, b)
        }

        pub fn join(
            &self,
            a: Tensor<i8, 2>,
            b: Tensor<i8, 3>,
        ) -> (Tensor<i8, 5>, Tensor<i8, 2, 2>) {
            (concatenate([a, b], 0), stack([a, b[s![..2]]], 1))
        }

        /// A part that is computed with the whole, here, in a kernel, and where a kernel replaces it.
        pub fn centre(&self, x: Tensor<f32, 3, 4>) -> [Tensor<f32, 3, 4>; 3] {
            let sums = x.sum_axis(0);
            let mut here = x - sums;
            here[1] = sums;
            let (mut of_kernel, sums_of_kernel) = centred(x);
            of_kernel[1] = sums_of_kernel;
            [here, of_kernel, with_row(x - sums, sums)]
        }
    }

    #[kernel]
    fn centred(x: Tensor<f32, 3, 4>) -> (Tensor<f32, 3, 4>, Tensor<f32, 4>) {
        let sums = x.sum_axis(0);
        (x - sums, sums)
    }

    #[kernel]
    fn with_row(x: Tensor<f32, 3, 4>, row: Tensor<f32, 4>) -> Tensor<f32, 3, 4> {
        let mut y = x;
        y[1] = row;
        y
    }
}

fn program() -> parts::Parts {
    parts::Parts::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn table() -> Array2<f32> {
    Array2::from_shape_fn((3, 4), |(row, column)| (4 * row + column) as f32)
}

#[test]
fn rows_of_a_global_are_stored_where_the_index_fits() {
    let mut program = program();
    let row = array![1.0_f32, 2.0, 3.0, 4.0];
    let mut expected = Array2::<f32>::zeros((8, 4));
    for (at, place) in [(3, 3), (100, 7), (-5, 0), (i64::MAX, 7)] {
        expected.row_mut(place).assign(&row);
        expected[(0, 0)] += 10.0;
        let cache = program.put(at, &row).unwrap();
        assert_eq!(cache.to_array().unwrap(), expected);
    }
}

#[test]
fn parts_are_those_of_ndarray() {
    let (program, x) = (program(), table());
    for i in 0..3_usize {
        let (row, strided, element, window) = program.read(&x, i as i32).unwrap();
        assert_eq!(row.to_array().unwrap(), x.row(i));
        assert_eq!(strided.to_array().unwrap(), x.slice(s![.., 1..;2]));
        assert_eq!(element.to_scalar().unwrap(), x[(2, i)]);
        let start = i.min(1);
        assert_eq!(
            window.to_array().unwrap(),
            x.slice(s![start..start + 2, ..])
        );
    }
}

#[test]
fn a_part_may_be_computed_with_the_whole() {
    let (program, x) = (program(), table());
    let sums = x.sum_axis(Axis(0));
    let mut expected = &x - &sums;
    expected.row_mut(1).assign(&sums);
    for found in program.centre(&x).unwrap() {
        assert_eq!(found.to_array().unwrap(), expected);
    }
}

#[test]
fn parts_of_variables_are_written() {
    let (program, x) = (program(), table());
    for i in 0..3_u8 {
        let mut expected = x.clone();
        expected.row_mut(0).fill(1.0);
        expected.slice_mut(s![1.., 2]).assign(&array![5.0, 6.0]);
        expected[(usize::from(i), 3)] *= 2.0;
        assert_eq!(program.write(&x, i).unwrap().to_array().unwrap(), expected);
    }
}

#[test]
fn values_have_the_type_of_the_part() {
    let (program, x) = (program(), table().mapv(f64::from));
    for i in 0..3_usize {
        let mut expected = x.clone();
        expected.slice_mut(s![..2, 1..3]).fill(1.0);
        expected.row_mut(i).assign(&array![0.1, 0.2, 0.3, 0.4]);
        expected.slice_mut(s![2, 2..]).assign(&array![0.5, 1.5]);
        let bits = array![false, false, false, false];
        let (y, b) = program.fill(&x, i as i32, &bits).unwrap();
        assert_eq!(y.to_array().unwrap(), expected);
        let mut set = bits;
        set[i] = true;
        assert_eq!(b.to_array().unwrap(), set);
    }
}

#[test]
fn one_element_of_an_array_of_trees_is_stored() {
    let mut program = program();
    let w = array![[1, 2], [3, 4]];
    let [first, second, third] = program.set_layer(&w).unwrap();
    assert_eq!(first.w.to_array().unwrap(), Array2::<i32>::zeros((2, 2)));
    assert_eq!(second.w.to_array().unwrap(), array![[7, 7], [0, 0]]);
    assert_eq!(third.w.to_array().unwrap(), w);
}

#[test]
fn tensors_are_joined() {
    let (all, pairs) = program()
        .join(&array![1_i8, 2], &array![3_i8, 4, 5])
        .unwrap();
    assert_eq!(all.to_array().unwrap(), array![1, 2, 3, 4, 5]);
    assert_eq!(pairs.to_array().unwrap(), array![[1, 3], [2, 4]]);
}
