//! Globals: what they start with, and that reads and stores happen in program order.

use iree_dsl::prelude::*;
use ndarray::{Array1, Ix1, array};

#[program]
mod state {
    const N: usize = 3;

    type Row = Tensor<f32, N>;

    pub struct State {
        #[global(init = iota())]
        a: Row,
        #[global(init = full(7.0))]
        b: Row,
        #[global]
        zero: Row,
        #[global(uninit)]
        later: Row,
        #[global(immutable, init = tensor([1.0, 2.0, 3.0]))]
        fixed: Row,
        #[global]
        calls: Tensor<i32>,
    }

    impl State {
        pub fn exchange(&mut self, x: Row) -> Row {
            let old = self.a;
            self.a = x;
            old
        }

        pub fn swap(&mut self) {
            let a = self.a;
            self.a = self.b;
            self.b = a;
        }

        pub fn all(&self) -> (Row, Row, Row, Row) {
            (self.a, self.b, self.zero, self.fixed)
        }

        pub fn store(&mut self, x: Row) {
            self.later = x + self.fixed;
        }

        pub fn later(&self) -> Row {
            self.later
        }

        pub fn twice(&mut self) -> (Tensor<i32>, Tensor<i32>) {
            let first = self.count();
            let second = self.count();
            (first, second)
        }

        fn count(&mut self) -> Tensor<i32> {
            self.calls += 1;
            self.calls
        }
    }
}

fn load() -> state::State {
    state::State::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn values(array: &DeviceArray<f32, Ix1>) -> Array1<f32> {
    array.to_array().unwrap()
}

#[test]
fn globals_have_their_first_values() {
    let (a, b, zero, fixed) = load().all().unwrap();
    assert_eq!(values(&a), array![0.0, 1.0, 2.0]);
    assert_eq!(values(&b), array![7.0, 7.0, 7.0]);
    assert_eq!(values(&zero), Array1::<f32>::zeros(3));
    assert_eq!(values(&fixed), array![1.0, 2.0, 3.0]);
}

#[test]
fn a_value_read_before_a_store_is_the_old_one() {
    let mut program = load();
    let old = program.exchange([5.0; 3]).unwrap();
    assert_eq!(values(&old), array![0.0, 1.0, 2.0]);
    let old = program.exchange([6.0; 3]).unwrap();
    assert_eq!(values(&old), array![5.0, 5.0, 5.0]);
}

#[test]
fn globals_can_be_swapped() {
    let mut program = load();
    program.swap().unwrap();
    let (a, b, ..) = program.all().unwrap();
    assert_eq!(values(&a), array![7.0, 7.0, 7.0]);
    assert_eq!(values(&b), array![0.0, 1.0, 2.0]);
}

#[test]
fn what_was_returned_stays_as_it_is() {
    let mut program = load();
    let (before, ..) = program.all().unwrap();
    program.exchange([9.0; 3]).unwrap();
    assert_eq!(values(&before), array![0.0, 1.0, 2.0]);
}

#[test]
fn a_global_may_get_its_first_value_later() {
    let mut program = load();
    program.store([10.0; 3]).unwrap();
    assert_eq!(values(&program.later().unwrap()), array![11.0, 12.0, 13.0]);
}

#[test]
fn procedures_call_each_other() {
    let mut program = load();
    let (first, second) = program.twice().unwrap();
    assert_eq!(
        (first.to_scalar().unwrap(), second.to_scalar().unwrap()),
        (1, 2)
    );
    let (third, _) = program.twice().unwrap();
    assert_eq!(third.to_scalar().unwrap(), 3);
}

#[test]
fn two_programs_have_globals_of_their_own() {
    let (mut one, other) = (load(), load());
    one.swap().unwrap();
    assert_eq!(values(&other.all().unwrap().0), array![0.0, 1.0, 2.0]);
}

#[program]
mod constants {
    pub struct Counter<T: Num> {
        pub at: Tensor<T>,
        pub next: Tensor<T>,
    }

    pub struct Constants {
        #[global]
        small: Tensor<u8>,
        #[global]
        at: Tensor<i32>,
        #[global(init = 3)]
        large: Tensor<i64>,
        #[global]
        real: Tensor<f32>,
        #[global]
        truth: Tensor<bool>,
    }

    impl Constants {
        pub fn small(&mut self) -> Tensor<u8> {
            self.small = 254;
            self.small += 3;
            self.small
        }

        pub fn pair(&mut self) -> Counter<i32> {
            self.at = 7;
            self.at += 1;
            Counter {
                at: self.at,
                next: self.at + 1,
            }
        }

        pub fn large(&mut self) -> (Tensor<i64>, Tensor<i64>) {
            let before = self.large;
            self.large = i64::MAX;
            self.large -= 1;
            (before, self.large)
        }

        pub fn real(&mut self) -> Tensor<f32> {
            self.real = 0.5;
            self.real += 1.0;
            self.real
        }

        pub fn chosen(&mut self) -> (Tensor<i32>, Tensor<bool>) {
            self.at = 1;
            if self.at > 0 {
                self.at = 5;
            }
            self.truth = self.at == 5;
            (self.at, self.truth)
        }

        pub fn stored(
            &self,
        ) -> (
            Tensor<u8>,
            Tensor<i32>,
            Tensor<i64>,
            Tensor<f32>,
            Tensor<bool>,
        ) {
            (self.small, self.at, self.large, self.real, self.truth)
        }
    }
}

#[test]
fn what_is_computed_from_constants_is_stored_and_returned() {
    let device = Device::open("local-sync").unwrap();
    let mut program = constants::Constants::load(&device).unwrap();
    for before in [3, i64::MAX - 1] {
        assert_eq!(program.small().unwrap().to_scalar().unwrap(), 1);
        let pair = program.pair().unwrap();
        assert_eq!(pair.at.to_scalar().unwrap(), 8);
        assert_eq!(pair.next.to_scalar().unwrap(), 9);
        assert_eq!(program.stored().unwrap().1.to_scalar().unwrap(), 8);
        let (old, new) = program.large().unwrap();
        assert_eq!(old.to_scalar().unwrap(), before);
        assert_eq!(new.to_scalar().unwrap(), i64::MAX - 1);
        assert_eq!(program.real().unwrap().to_scalar().unwrap(), 1.5);
        let (at, truth) = program.chosen().unwrap();
        assert_eq!(at.to_scalar().unwrap(), 5);
        assert!(truth.to_scalar().unwrap());
        let (small, at, large, real, truth) = program.stored().unwrap();
        assert_eq!(small.to_scalar().unwrap(), 1);
        assert_eq!(at.to_scalar().unwrap(), 5);
        assert_eq!(large.to_scalar().unwrap(), i64::MAX - 1);
        assert_eq!(real.to_scalar().unwrap(), 1.5);
        assert!(truth.to_scalar().unwrap());
    }
}
