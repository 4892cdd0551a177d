//! Variables that begin with a literal and become tensors: their element type is that of what they meet, before,
//! in or after the loop or branch that makes them tensors.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};
use num_complex::Complex;

#[program]
mod literals {
    pub struct Literals {
        #[global(init = 3)]
        limit: Tensor<u8>,
    }

    #[kernel]
    fn scaled<T: Element, const N: usize>(factor: Tensor<T>, x: Tensor<T, N>) -> Tensor<T, N> {
        x * factor
    }

    #[kernel]
    fn parabola(x: Tensor<f64>, minimum: Tensor<f64>) -> Tensor<f64> {
        (x - minimum) * (x - minimum)
    }

    #[kernel]
    fn weighted<const N: usize>(weights: Tensor<f64, N>, x: Tensor<f64, N>) -> Tensor<f64> {
        (weights * x * x).sum()
    }

    impl Literals {
        /// Newton's method from a literal on, through derivatives.
        pub fn minimum(&self, minimum: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
            let mut x = 0.2;
            for _ in 0..2 {
                let (_, slope) = value_and_grad(|x| parabola(x, minimum))(x);
                x -= slope / 2.0;
            }
            (x, grad(|x| x * minimum)(1.0))
        }

        /// The other argument tells how long the first is.
        pub fn slopes(&self, x: Tensor<f64, 3>) -> Tensor<f64, 3> {
            grad(weighted)(ones(), x)
        }

        /// Neither the places nor their type decide what the literals are.
        pub fn scattered(&self, places: Tensor<i32, 2>, x: Tensor<f64, 2>) -> Tensor<f64, 3> {
            tensor([1.0, 2.0, 0.1]).scatter_add(places, x, 0)
        }

        pub fn counted(&self, places: Tensor<i32, 2>, n: Tensor<i64, 2>) -> Tensor<i64, 3> {
            tensor([1, 2, 3]).scatter_add(places, n, 0)
        }

        /// Halves a step until the sum of what it leads to is below a limit.
        pub fn halve(
            &self,
            x: Tensor<f64, 3>,
            limit: Tensor<f64>,
        ) -> (Tensor<f64, 3>, Tensor<f64>) {
            let mut step = 1.0;
            let mut next = x;
            loop {
                next = x * step;
                if next.sum() < limit {
                    break;
                }
                step /= 2.0;
            }
            (next, step)
        }

        /// FISTA's momentum, by its recursion.
        pub fn momentum(&self, x: Tensor<f64, 3>) -> Tensor<f64, 3> {
            let mut t = 1.0;
            let mut y = x;
            for _ in range(0, 10) {
                let next = (1.0 + (1.0 + 4.0 * t * t).sqrt()) / 2.0;
                y = y + x * ((t - 1.0) / next);
                t = next;
            }
            y
        }

        /// A counter takes its type from the result.
        pub fn rounds(&self, x: Tensor<f32>) -> (Tensor<f32>, Tensor<u32>) {
            let mut x = x;
            let mut rounds = 0;
            while x > 1.0 {
                x = x / 2.0;
                rounds += 1;
            }
            (x, rounds)
        }

        /// A counter takes its type from the condition.
        pub fn up_to(&self, rounds: Tensor<u8>, x: Tensor<i64>) -> Tensor<i64> {
            let mut done = 0;
            let mut x = x;
            while done < rounds {
                x *= 3;
                done += 1;
            }
            x
        }

        /// And from a global that it is stored in.
        pub fn count(&mut self, x: Tensor<i32>) -> Tensor<u8> {
            let mut count = 0;
            for i in range(0, x) {
                if i % 2 == 0 {
                    count += 1;
                }
            }
            self.limit = count;
            self.limit
        }

        /// Branches that end with literals.
        pub fn sign(&self, x: Tensor<f64, 2>, up: Tensor<bool>) -> Tensor<f64, 2> {
            let sign = if up { 1.0 } else { -1.0 };
            let mut shift = 0.0;
            if up {
                shift = 0.5;
            }
            x * sign + shift
        }

        /// One variable follows from the other, and a kernel takes its type from the other argument.
        pub fn chained(&self, x: Tensor<f64, 3>, n: Tensor<i32>) -> (Tensor<f64, 3>, Tensor<f64>) {
            let mut a = 1.0;
            let mut b = 0.0;
            for _ in range(0, n) {
                b = a + b;
                a = b * 0.5;
            }
            (scaled(b, x), a)
        }

        /// Alone, they are `f32` and `i32`.
        pub fn alone(&self, n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>) {
            let mut a = 1.0;
            let mut k = 0;
            for _ in range(0, n) {
                a = a * 1.5;
                k += 2;
            }
            (a, k)
        }

        /// So is what operations make of literals alone.
        pub fn masked(&self, mask: Tensor<bool, 3>, x: Tensor<f64, 3>) -> Tensor<f64, 3> {
            let third = select(mask, 1.0, 0.0) / 3.0;
            x + third
        }

        /// Tensors of literals, behind a variable and as arguments.
        pub fn shifted(&self, words: Tensor<u32, 2>) -> (Tensor<u32, 2, 4>, Tensor<u32, 3>) {
            let shifts = tensor([24, 16, 8, 0]);
            let bytes = (words.insert_axis(1) >> shifts) & 255;
            let start = tensor([0xbb67ae85, 0x3c6ef372, 0xa54ff53a]);
            let (state, _) = scan(start, words, |state, word| (state ^ word, word));
            (bytes, state)
        }

        pub fn solved(&self, a: Tensor<f64, 2, 2>) -> Tensor<f64, 2> {
            a.solve(tensor([1.0, 2.0]))
        }

        /// Iterates z² + c from zero.
        pub fn mandelbrot(
            &self,
            c: Tensor<Complex<f64>, 2>,
            n: Tensor<i32>,
        ) -> Tensor<Complex<f64>, 2> {
            let inside = c.abs() < 4.0;
            let mut z = select(inside, c, complex(0.0, 0.0));
            let mut sum = complex(0.0, 0.0);
            for _ in range(0, n) {
                z = z * z + c;
                sum = sum + z[0];
            }
            z + sum
        }

        /// Kernels and closures have variables of their own.
        pub fn roots(&self, x: Tensor<f64>, y: Tensor<f32>) -> (Tensor<f64>, Tensor<f32>) {
            (root(x), root(y))
        }
    }

    /// Newton's method for the square root.
    #[kernel]
    fn root<T: Element>(x: Tensor<T>) -> Tensor<T> {
        let mut guess = 1.0;
        for _ in range(0, 30) {
            guess = (guess + x / guess) / 2.0;
        }
        guess
    }
}

fn load() -> literals::Literals {
    literals::Literals::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn a_step_is_of_the_type_of_what_it_scales() {
    let (next, step) = load().halve(&array![8.0, 4.0, 4.0], 3.0).unwrap();
    assert_eq!(step.to_scalar().unwrap(), 0.125);
    assert_eq!(next.to_array().unwrap(), array![1.0, 0.5, 0.5]);
}

#[test]
fn a_recursion_is_computed_in_the_precision_of_what_it_scales() {
    let x = array![1.0, -2.0, 1.0 / 3.0];
    let found = load().momentum(&x).unwrap().to_array().unwrap();
    let (mut t, mut y) = (1.0_f64, x.clone());
    for _ in 0..10 {
        let next = (1.0 + (1.0 + 4.0 * t * t).sqrt()) / 2.0;
        y = y + &x * ((t - 1.0) / next);
        t = next;
    }
    for (found, expected) in found.iter().zip(&y) {
        assert!(
            (found - expected).abs() <= 1e-14 * expected.abs(),
            "{found} {expected}"
        );
    }
}

#[test]
fn a_counter_is_of_the_type_that_asks_for_it() {
    let mut program = load();
    let (x, rounds) = program.rounds(100.0).unwrap();
    assert_eq!(
        (x.to_scalar().unwrap(), rounds.to_scalar().unwrap()),
        (0.78125, 7)
    );
    assert_eq!(program.up_to(4, 2).unwrap().to_scalar().unwrap(), 162);
    assert_eq!(program.count(9).unwrap().to_scalar().unwrap(), 5);
    let (a, k) = program.alone(3).unwrap();
    assert_eq!((a.to_scalar().unwrap(), k.to_scalar().unwrap()), (3.375, 6));
}

#[test]
fn branches_may_end_with_literals() {
    let program = load();
    let x = array![1.0, -0.1];
    assert_eq!(
        program.sign(&x, true).unwrap().to_array().unwrap(),
        &x + 0.5
    );
    assert_eq!(program.sign(&x, false).unwrap().to_array().unwrap(), -&x);
}

#[test]
fn what_follows_from_a_variable_is_of_its_type() {
    let x = Array1::from(vec![1.0, 0.1, 1.0 / 3.0]);
    let (scaled, a) = load().chained(&x, 4).unwrap();
    let (mut p, mut q) = (1.0, 0.0);
    for _ in 0..4 {
        q += p;
        p = q * 0.5;
    }
    assert_eq!(scaled.to_array().unwrap(), &x * q);
    assert_eq!(a.to_scalar().unwrap(), p);
}

#[test]
fn kernels_decide_for_each_type() {
    let (x, y) = load().roots(2.0, 2.0).unwrap();
    assert!((x.to_scalar().unwrap() - 2.0_f64.sqrt()).abs() < 1e-15);
    assert!((y.to_scalar().unwrap() - 2.0_f32.sqrt()).abs() < 1e-6);
}

#[test]
fn operations_on_literals_alone_take_the_type_of_what_they_meet() {
    let program = load();
    let x = array![1.0, 2.0, 3.0];
    let found = program.masked([true, false, true], &x).unwrap();
    let third = 1.0 / 3.0;
    assert_eq!(
        found.to_array().unwrap(),
        array![1.0 + third, 2.0, 3.0 + third]
    );
    let words = [0x0123_4567_u32, 0x89ab_cdef];
    let (bytes, state) = program.shifted(words).unwrap();
    let expected = array![[0x01, 0x23, 0x45, 0x67], [0x89, 0xab, 0xcd, 0xef]];
    assert_eq!(bytes.to_array().unwrap(), expected);
    let start = [0xbb67_ae85_u32, 0x3c6e_f372, 0xa54f_f53a];
    let expected: Array1<u32> = start.iter().map(|s| s ^ words[0] ^ words[1]).collect();
    assert_eq!(state.to_array().unwrap(), expected);
    let solution = program.solved([[2.0, 0.0], [0.0, 3.0]]).unwrap();
    assert_eq!(solution.to_array().unwrap(), array![0.5, 2.0 / 3.0]);
}

#[test]
fn complex_literals_take_the_precision_of_what_they_meet() {
    let c = array![Complex::new(0.1_f64, 0.2), Complex::new(-0.3, 0.05)];
    let found = load().mandelbrot(&c, 3).unwrap().to_array().unwrap();
    let (mut z, mut sum) = (c.clone(), Complex::new(0.0, 0.0));
    for _ in 0..3 {
        z = &z * &z + &c;
        sum += z[0];
    }
    for (found, expected) in found.iter().zip(z + sum) {
        assert!((found - expected).norm() < 1e-15, "{found} {expected}");
    }
}

#[test]
fn literals_that_are_differentiated_take_the_type_that_they_meet() {
    let program = load();
    let (minimum, slope) = program.minimum(0.7).unwrap();
    assert!((minimum.to_scalar().unwrap() - 0.7).abs() < 1e-15);
    assert_eq!(slope.to_scalar().unwrap(), 0.7);
    let slopes = program.slopes([1.0, 2.0, 3.0]).unwrap();
    assert_eq!(slopes.to_array().unwrap(), array![1.0, 4.0, 9.0]);
}

#[test]
fn literals_take_the_type_of_updates_not_of_places() {
    let program = load();
    let found = program.scattered([0, 2], [0.2, 0.2]).unwrap();
    assert_eq!(found.to_array().unwrap(), array![1.2, 2.0, 0.1 + 0.2]);
    let found = program.counted([0, 2], [1 << 40, 1]).unwrap();
    assert_eq!(found.to_array().unwrap(), array![(1 << 40) + 1, 2, 4]);
}
