//! Each global has its own storage: an update of a part of one changes no other, however they came to be
//! equal.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

#[program]
mod storage {
    type Table = Tensor<f32, 4, 3>;

    pub struct Storage {
        #[global]
        a: Table,
        #[global]
        b: Table,
        #[global]
        flat: Tensor<f32, 12>,
    }

    impl Storage {
        pub fn put_a(&mut self, row: Tensor<i32>, value: Tensor<f32>) {
            self.a[row] = value;
        }

        pub fn put_b(&mut self, row: Tensor<i32>, value: Tensor<f32>) {
            self.b[row] = value;
        }

        pub fn all(&self) -> (Table, Table, Tensor<f32, 12>) {
            (self.a, self.b, self.flat)
        }

        pub fn copy(&mut self) {
            self.b = self.a;
        }

        pub fn copy_flat(&mut self) {
            self.flat = self.a.reshape([12]);
        }

        pub fn swap(&mut self) {
            let a = self.a;
            self.a = self.b;
            self.b = a;
        }

        pub fn store_twice(&mut self, x: Table) {
            let y = x * 2.0;
            self.a = y;
            self.b = y;
        }

        pub fn compute_twice(&mut self, x: Table) {
            self.a = x * 2.0;
            self.b = x * 2.0;
        }

        pub fn reset(&mut self) {
            self.a = full(5.0);
            self.b = full(5.0);
        }

        pub fn store_changed_copy(&mut self, row: Tensor<i32>) {
            let mut copy = self.a;
            copy[row] = 9.0;
            self.b = copy;
        }

        pub fn store_before_change(&mut self, row: Tensor<i32>) {
            let before = self.a;
            self.a[row] = 9.0;
            self.b = before;
        }

        pub fn copy_in_loop(&mut self, n: Tensor<i32>) {
            for k in range(0, n) {
                self.b = self.a;
                self.a[k] = k as f32;
            }
        }

        pub fn copy_in_branch(&mut self, really: Tensor<bool>) {
            if really {
                self.b = self.a;
            }
        }
    }
}

use storage::Storage;

/// The same in plain Rust.
struct Model {
    a: Array2<f32>,
    b: Array2<f32>,
    flat: Array1<f32>,
}

/// A program in which all rows of `a` differ, and that everything else is compared with.
fn start() -> (Storage, Model) {
    let mut program = Storage::load(&Device::open("local-sync").unwrap()).unwrap();
    let zeros = Array2::zeros((4, 3));
    let mut model = Model {
        a: zeros.clone(),
        b: zeros,
        flat: Array1::zeros(12),
    };
    for row in 0..4 {
        program.put_a(row as i32, row as f32 + 1.0).unwrap();
        model.a.row_mut(row).fill(row as f32 + 1.0);
    }
    (program, model)
}

fn compare(program: &mut Storage, model: &Model) {
    let (a, b, flat) = program.all().unwrap();
    assert_eq!(a.to_array().unwrap(), model.a);
    assert_eq!(b.to_array().unwrap(), model.b);
    assert_eq!(flat.to_array().unwrap(), model.flat);
}

/// Compares, and again after a row of each table was changed.
fn compare_before_and_after(mut program: Storage, mut model: Model) {
    compare(&mut program, &model);
    program.put_a(1, 70.0).unwrap();
    model.a.row_mut(1).fill(70.0);
    compare(&mut program, &model);
    program.put_b(2, 80.0).unwrap();
    model.b.row_mut(2).fill(80.0);
    compare(&mut program, &model);
}

#[test]
fn globals_that_start_alike() {
    let (program, model) = start();
    compare_before_and_after(program, model);
}

#[test]
fn a_global_that_is_stored_in_another() {
    let (mut program, mut model) = start();
    program.copy().unwrap();
    model.b = model.a.clone();
    compare_before_and_after(program, model);
}

#[test]
fn a_global_that_is_stored_in_another_with_other_axes() {
    let (mut program, mut model) = start();
    program.copy_flat().unwrap();
    model.flat = model.a.flatten().to_owned();
    compare_before_and_after(program, model);
}

#[test]
fn globals_that_are_swapped() {
    let (mut program, mut model) = start();
    program.swap().unwrap();
    std::mem::swap(&mut model.a, &mut model.b);
    compare_before_and_after(program, model);
}

#[test]
fn one_value_in_two_globals() {
    let x = Array2::from_elem((4, 3), 3.0);
    for computed in [false, true] {
        let (mut program, mut model) = start();
        match computed {
            false => program.store_twice(&x).unwrap(),
            true => program.compute_twice(&x).unwrap(),
        }
        model.a.fill(6.0);
        model.b.fill(6.0);
        compare_before_and_after(program, model);
    }
    let (mut program, mut model) = start();
    program.reset().unwrap();
    model.a.fill(5.0);
    model.b.fill(5.0);
    compare_before_and_after(program, model);
}

#[test]
fn a_changed_copy_that_is_stored_in_another() {
    let (mut program, mut model) = start();
    program.store_changed_copy(3).unwrap();
    model.b = model.a.clone();
    model.b.row_mut(3).fill(9.0);
    compare_before_and_after(program, model);
}

#[test]
fn what_a_global_was_before_a_change() {
    let (mut program, mut model) = start();
    program.store_before_change(3).unwrap();
    model.b = model.a.clone();
    model.a.row_mut(3).fill(9.0);
    compare_before_and_after(program, model);
}

#[test]
fn copies_in_loops_and_branches() {
    for rounds in [0, 1, 3] {
        let (mut program, mut model) = start();
        program.copy_in_loop(rounds as i32).unwrap();
        for k in 0..rounds {
            model.b = model.a.clone();
            model.a.row_mut(k).fill(k as f32);
        }
        compare_before_and_after(program, model);
    }
    let (mut program, mut model) = start();
    program.copy_in_branch(false).unwrap();
    compare(&mut program, &model);
    program.copy_in_branch(true).unwrap();
    model.b = model.a.clone();
    compare_before_and_after(program, model);
}

#[test]
fn results_stay_what_they_were() {
    let (mut program, model) = start();
    let (a, b, _) = program.all().unwrap();
    program.put_a(0, 70.0).unwrap();
    program.put_b(0, 80.0).unwrap();
    assert_eq!(a.to_array().unwrap(), model.a);
    assert_eq!(b.to_array().unwrap(), model.b);
}
