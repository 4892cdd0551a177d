//! Parts with steps, read and written, against `ndarray`.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, array, s};

#[program]
mod steps {
    pub struct Pair {
        pub even: Tensor<i16, 7>,
        pub odd: Tensor<bool, 7>,
    }

    pub struct Steps {
        #[global]
        cache: Tensor<f64, 6, 5>,
        #[global]
        pairs: [Pair; 2],
    }

    impl Steps {
        pub fn read(
            &self,
            x: Tensor<f32, 5, 7>,
        ) -> (
            Tensor<f32, 5, 7>,
            Tensor<f32, 2, 3>,
            Tensor<f32, 3, 4>,
            Tensor<f32, 0, 7>,
        ) {
            (
                x[s![..;-1]],
                x[s![1..5;-2, 1..;2]][s![.., ..;-1]],
                x[s![..;2, ..;-2]],
                x[s![2..2;-3]],
            )
        }

        pub fn read_run_time<const N: usize>(
            &self,
            x: Tensor<i32, N>,
        ) -> (Tensor<i32, N>, Tensor<i32, _>, Tensor<i32, _>) {
            (x[s![..;-1]], x[s![..;-3]], x[s![1..-1;-2]])
        }

        pub fn of_flags<const N: usize>(
            &self,
            known: Tensor<bool, 4, 3, 2>,
            x: Tensor<bool, N, 3>,
        ) -> (Tensor<bool, 3>, Tensor<bool, 3>, Tensor<bool, N>) {
            (known[s![2, ..;-1, 1]], x[s![0, ..;-1]], x[s![..;-1, 1]])
        }

        pub fn write(&self, x: Tensor<f32, 5, 7>, v: Tensor<f32, 3, 4>) -> Tensor<f32, 5, 7> {
            let mut y = x;
            y[s![..;2, ..;2]] = v;
            y[s![1..;-2, 5..;-1]] += 100.0;
            y[s![..4;3, ..;-3]] *= v[s![..2, ..3]];
            y
        }

        pub fn look_up(
            &self,
            x: Tensor<f32, 5, 7>,
            i: Tensor<i32, 3>,
        ) -> (Tensor<f32, 5, 3>, Tensor<f32, 4, 5>, Tensor<f32, 3>) {
            let columns = x[s![.., ..;2]];
            (
                columns.take(i, 1),
                columns.t().reverse(0),
                places(every_third(x), i),
            )
        }

        pub fn look_up_constants(&self, i: Tensor<i32, 3>) -> (Tensor<i8, 2>, Tensor<i8, 3>) {
            let x = tensor([1, 2, 3, 4, 5]) as i8;
            (x[s![1..;2]][s![..;-1]], x[s![..;2]].take(i, 0))
        }

        pub fn reverse(&self, x: Tensor<u8, 4>) -> Tensor<u8, 4> {
            let mut y = x;
            y[s![..;-1]] = x;
            y[s![3..3;2]] = 9;
            y
        }

        pub fn write_at(&self, x: Tensor<i64, 3, 8>, i: Tensor<i32>) -> Tensor<i64, 3, 8> {
            let mut y = x;
            y[s![i, ..;2]] = tensor([1, 2, 3, 4]) as i64;
            y[i][s![1..;-2]] -= tensor([10, 20, 30, 40]) as i64;
            y
        }

        pub fn write_run_time<const N: usize>(
            &self,
            x: Tensor<i32, N>,
            v: Tensor<i32, N>,
        ) -> Tensor<i32, N> {
            let mut y = x;
            y[s![..;2]] = v[s![..;2]];
            y[s![..;-3]] += 1000;
            y
        }

        pub fn store(&mut self, row: Tensor<f64, 3>) -> Tensor<f64, 6, 5> {
            self.cache[s![1..;2, ..;-2]] = row;
            self.cache[s![..;-5, 0]] += 0.5;
            self.cache
        }

        pub fn store_pair(&mut self, even: Tensor<i16, 4>) -> [Pair; 2] {
            self.pairs[1].even[s![..;2]] = even;
            self.pairs[0].odd[s![1..;2]] = true;
            self.pairs
        }
    }

    #[kernel]
    fn every_third(x: Tensor<f32, 5, 7>) -> Tensor<f32, 12> {
        x.flatten()[s![..;3]]
    }

    #[kernel]
    fn places(x: Tensor<f32, 12>, i: Tensor<i32, 3>) -> Tensor<f32, 3> {
        x.take(i, 0)
    }
}

fn program() -> steps::Steps {
    steps::Steps::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn table() -> Array2<f32> {
    Array2::from_shape_fn((5, 7), |(row, column)| (10 * row + column) as f32)
}

#[test]
fn negative_steps_take_the_places_from_the_end() {
    let x = table();
    let (rows, part, both, nothing) = program().read(&x).unwrap();
    assert_eq!(rows.to_array().unwrap(), x.slice(s![..;-1, ..]));
    let expected = x.slice(s![1..5;-2, 1..;2]);
    assert_eq!(part.to_array().unwrap(), expected.slice(s![.., ..;-1]));
    assert_eq!(both.to_array().unwrap(), x.slice(s![..;2, ..;-2]));
    assert_eq!(nothing.to_array().unwrap(), x.slice(s![2..2;-3, ..]));
}

#[test]
fn steps_are_taken_of_sizes_known_at_the_call() {
    let program = program();
    for size in 2..9 {
        let x = Array1::from_iter(0..size);
        let (all, thirds, inner) = program.read_run_time(&x).unwrap();
        assert_eq!(all.to_array().unwrap(), x.slice(s![..;-1]));
        assert_eq!(thirds.to_array().unwrap(), x.slice(s![..;-3]));
        assert_eq!(inner.to_array().unwrap(), x.slice(s![1..size - 1;-2]));
    }
}

#[test]
fn negative_steps_are_taken_of_flags() {
    let known = Array3::from_shape_fn((4, 3, 2), |(i, j, k)| (i * 5 + j * 3 + k) % 4 < 2);
    for size in [1, 2, 9] {
        let x = Array2::from_shape_fn((size, 3), |(i, j)| (i * 3 + j * 2) % 5 < 2);
        let (part, row, column) = program().of_flags(&known, &x).unwrap();
        assert_eq!(part.to_array().unwrap(), known.slice(s![2, ..;-1, 1]));
        assert_eq!(row.to_array().unwrap(), x.slice(s![0, ..;-1]));
        assert_eq!(column.to_array().unwrap(), x.slice(s![..;-1, 1]));
    }
}

#[test]
fn parts_with_steps_are_written() {
    let x = table();
    let v = Array2::from_shape_fn((3, 4), |(row, column)| (row as f32) - (column as f32) / 2.0);
    let mut expected = x.clone();
    expected.slice_mut(s![..;2, ..;2]).assign(&v);
    expected
        .slice_mut(s![1..;-2, 5..;-1])
        .map_inplace(|x| *x += 100.0);
    let mut part = expected.slice_mut(s![..4;3, ..;-3]);
    part *= &v.slice(s![..2, ..3]);
    assert_eq!(
        program().write(&x, &v).unwrap().to_array().unwrap(),
        expected
    );
}

#[test]
fn a_tensor_is_turned_around() {
    let y = program().reverse([1, 2, 3, 4]).unwrap();
    assert_eq!(y.to_array().unwrap(), array![4, 3, 2, 1]);
}

#[test]
fn steps_go_with_places_that_the_program_computes() {
    let program = program();
    let x = Array2::from_shape_fn((3, 8), |(row, column)| (row * 8 + column) as i64);
    for i in 0..3_usize {
        let mut expected = x.clone();
        expected.slice_mut(s![i, ..;2]).assign(&array![1, 2, 3, 4]);
        let mut odd = expected.slice_mut(s![i, 1..;-2]);
        odd -= &array![10, 20, 30, 40];
        let y = program.write_at(&x, i as i32).unwrap();
        assert_eq!(y.to_array().unwrap(), expected);
    }
}

#[test]
fn parts_with_steps_of_sizes_known_at_the_call_are_written() {
    let program = program();
    for size in 1..9 {
        let (x, v) = (
            Array1::from_iter(0..size),
            Array1::from_iter(100..100 + size),
        );
        let mut expected = x.clone();
        expected.slice_mut(s![..;2]).assign(&v.slice(s![..;2]));
        expected.slice_mut(s![..;-3]).map_inplace(|x| *x += 1000);
        let y = program.write_run_time(&x, &v).unwrap();
        assert_eq!(y.to_array().unwrap(), expected);
    }
}

#[test]
fn globals_and_parts_of_trees_take_steps() {
    let mut program = program();
    let row = array![1.0, 2.0, 3.0];
    let mut expected = Array2::<f64>::zeros((6, 5));
    for _ in 0..2 {
        expected.slice_mut(s![1..;2, ..;-2]).assign(&row);
        expected.slice_mut(s![..;-5, 0]).map_inplace(|x| *x += 0.5);
        assert_eq!(program.store(&row).unwrap().to_array().unwrap(), expected);
    }
    let [first, second] = program.store_pair(&array![1, 2, 3, 4]).unwrap();
    let even = array![1, 0, 2, 0, 3, 0, 4];
    assert_eq!(second.even.to_array().unwrap(), even);
    let odd = Array1::from_shape_fn(7, |place| place % 2 == 1);
    assert_eq!(first.odd.to_array().unwrap(), odd);
}

#[test]
fn elements_of_parts_with_steps_are_looked_up() {
    let (program, x, i) = (program(), table(), [3, 0, 2]);
    let (columns, turned, thirds) = program.look_up(&x, i).unwrap();
    let every_second = x.slice(s![.., ..;2]);
    let expected = every_second.select(ndarray::Axis(1), &[3, 0, 2]);
    assert_eq!(columns.to_array().unwrap(), expected);
    assert_eq!(
        turned.to_array().unwrap(),
        every_second.t().slice(s![..;-1, ..])
    );
    let flat: Array1<f32> = x.iter().step_by(3).copied().collect();
    assert_eq!(
        thirds.to_array().unwrap(),
        array![flat[3], flat[0], flat[2]]
    );
    let (turned, taken) = program.look_up_constants([2, 1, 0]).unwrap();
    assert_eq!(turned.to_array().unwrap(), array![4, 2]);
    assert_eq!(taken.to_array().unwrap(), array![5, 3, 1]);
}
