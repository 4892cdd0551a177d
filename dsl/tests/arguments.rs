//! Arguments stay what they were, whatever a program does with its own.

use iree_dsl::prelude::*;
use ndarray::{Array1, Ix1};

#[program]
mod changes {
    type Line = Tensor<f32, 6>;

    pub struct Changes {
        #[global]
        line: Line,
    }

    impl Changes {
        pub fn replace(&self, x: Line, start: Tensor<i32>) -> Line {
            x.dynamic_update_slice(full::<f32, 2>(9.0), [start])
        }

        pub fn replace_and_return(&self, x: Line, start: Tensor<i32>) -> (Line, Line) {
            (x.dynamic_update_slice(full::<f32, 2>(9.0), [start]), x)
        }

        pub fn assign(&self, x: Line, i: Tensor<i32>) -> Line {
            let mut y = x;
            y[i] = 9.0;
            y
        }

        pub fn scatter(&self, x: Line, places: Tensor<i32, 2>) -> Line {
            x.reshape([2, 3])
                .flatten()
                .scatter_add(places, ones::<f32, 2>(), 0)
        }

        pub fn branch(&self, x: Line, i: Tensor<i32>) -> Line {
            let mut y = x;
            if i > 0 {
                y[i] = 9.0;
            }
            y
        }

        pub fn kernel(&self, x: Line, i: Tensor<i32>) -> (Line, Line) {
            (put_twice(x, i), put_twice(x * 2.0, i))
        }

        pub fn rounds(&self, x: Line, n: Tensor<i32>) -> Line {
            let mut y = x;
            for i in range(0, n) {
                y[i] = 9.0;
            }
            y
        }

        pub fn twice(&self, x: Line) -> (Line, Line) {
            (x, x)
        }

        pub fn constant(&self) -> Line {
            tensor([7.0, 1.0, 2.0, 3.0, 4.0, 5.0])
        }

        pub fn store(&mut self, x: Line) {
            self.line = x;
        }

        pub fn put(&mut self, i: Tensor<i32>) {
            self.line[i] = 9.0;
        }

        pub fn line(&self) -> Line {
            self.line
        }
    }

    #[kernel]
    fn put_twice<const N: usize>(x: Tensor<f32, N>, i: Tensor<i32>) -> Tensor<f32, N> {
        put(put(x, i), i + 1)
    }

    #[kernel]
    fn put<const N: usize>(x: Tensor<f32, N>, i: Tensor<i32>) -> Tensor<f32, N> {
        let mut x = x;
        x[i] = 9.0;
        x
    }
}

type Line = DeviceArray<f32, Ix1>;

const START: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn open() -> (changes::Changes, Line) {
    let device = Device::open("local-sync").unwrap();
    let mut program = changes::Changes::load(&device).unwrap();
    program.store(&Array1::from(START.to_vec())).unwrap();
    // An array on the device, which calls take as it is.
    let x = program.line().unwrap();
    (program, x)
}

fn numbers(x: &Line) -> Vec<f32> {
    x.to_array().unwrap().to_vec()
}

#[test]
fn updates_change_their_result_only() {
    let (program, x) = open();
    let y = program.replace(&x, 1).unwrap();
    assert_eq!(numbers(&y), [1.0, 9.0, 9.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&x), START);
    let (y, same) = program.replace_and_return(&x, 3).unwrap();
    assert_eq!(numbers(&y), [1.0, 2.0, 3.0, 9.0, 9.0, 6.0]);
    assert_eq!(numbers(&same), START);
    let y = program.assign(&x, 5).unwrap();
    assert_eq!(numbers(&y), [1.0, 2.0, 3.0, 4.0, 5.0, 9.0]);
    let y = program.scatter(&x, [1, 1]).unwrap();
    assert_eq!(numbers(&y), [1.0, 4.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&x), START);
}

#[test]
fn so_do_those_in_branches_kernels_and_loops() {
    let (program, x) = open();
    assert_eq!(numbers(&program.branch(&x, 0).unwrap()), START);
    let y = program.branch(&x, 1).unwrap();
    assert_eq!(numbers(&y), [1.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    let (y, z) = program.kernel(&x, 2).unwrap();
    assert_eq!(numbers(&y), [1.0, 2.0, 9.0, 9.0, 5.0, 6.0]);
    assert_eq!(numbers(&z), [2.0, 4.0, 9.0, 9.0, 10.0, 12.0]);
    let y = program.rounds(&x, 3).unwrap();
    assert_eq!(numbers(&y), [9.0, 9.0, 9.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&x), START);
}

#[test]
fn a_stored_argument_is_not_changed_with_the_global() {
    let (mut program, x) = open();
    program.store(&x).unwrap();
    program.put(4).unwrap();
    assert_eq!(
        numbers(&program.line().unwrap()),
        [1.0, 2.0, 3.0, 4.0, 9.0, 6.0]
    );
    assert_eq!(numbers(&x), START);
}

#[test]
fn what_is_given_away_gives_the_same_results() {
    let (program, x) = open();
    let given = || x.device().upload(&Array1::from(START.to_vec())).unwrap();
    let y = program.replace(given(), 1).unwrap();
    assert_eq!(numbers(&y), [1.0, 9.0, 9.0, 4.0, 5.0, 6.0]);
    let (y, same) = program.replace_and_return(given(), 3).unwrap();
    assert_eq!(numbers(&y), [1.0, 2.0, 3.0, 9.0, 9.0, 6.0]);
    assert_eq!(numbers(&same), START);
    let y = program.assign(given(), 5).unwrap();
    assert_eq!(numbers(&y), [1.0, 2.0, 3.0, 4.0, 5.0, 9.0]);
    let y = program.scatter(given(), [1, 1]).unwrap();
    assert_eq!(numbers(&y), [1.0, 4.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&program.branch(given(), 0).unwrap()), START);
    let y = program.branch(given(), 1).unwrap();
    assert_eq!(numbers(&y), [1.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    let (y, z) = program.kernel(given(), 0).unwrap();
    assert_eq!(numbers(&y), [9.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(numbers(&z), [9.0, 9.0, 6.0, 8.0, 10.0, 12.0]);
    let y = program.rounds(given(), 4).unwrap();
    assert_eq!(numbers(&y), [9.0, 9.0, 9.0, 9.0, 5.0, 6.0]);
}

#[test]
fn what_somebody_else_has_stays_what_it_is() {
    let (program, x) = open();
    let other = x.clone();
    program.replace(x.clone(), 1).unwrap();
    assert_eq!(numbers(&other), START);

    // Two results of one call may be parts of one piece of memory, or the same memory.
    let (y, same) = program.replace_and_return(other.clone(), 3).unwrap();
    program.assign(y, 0).unwrap();
    assert_eq!(numbers(&same), START);
    let (one, again) = program.twice(&other).unwrap();
    program.assign(one, 0).unwrap();
    assert_eq!(numbers(&again), START);

    // A result may be what the program keeps.
    program.assign(program.line().unwrap(), 0).unwrap();
    assert_eq!(numbers(&program.line().unwrap()), START);
    program.assign(program.constant().unwrap(), 0).unwrap();
    assert_eq!(
        numbers(&program.constant().unwrap()),
        [7.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
    let (device, constant) = (x.device().clone(), program.constant().unwrap());
    drop(program);
    let program = changes::Changes::load(&device).unwrap();
    assert_eq!(
        numbers(&program.assign(constant, 0).unwrap()),
        [9.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
}
