//! Branches and loops that elements take apart.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Array1, Axis, Ix1, Ix2, array};

#[program]
mod control {
    pub struct Control;

    #[kernel]
    fn root(x: Tensor<f64>) -> Tensor<f64> {
        if x > 0.0 { x.sqrt() } else { 0.0 }
    }

    #[kernel]
    fn newton(x: Tensor<f64>) -> Tensor<f64> {
        let mut y = x;
        while (y * y - x).abs() > 1e-9 {
            y = (y + x / y) / 2.0;
        }
        y
    }

    #[kernel]
    fn until(x: Tensor<f64>, most: Tensor<f64>) -> Tensor<f64> {
        let mut z = x;
        for _ in range(0, 9) {
            z = z * z * 0.5 + x;
            if !(z < most) {
                break;
            }
        }
        z
    }

    #[kernel]
    fn walk<const N: usize>(w: Tensor<f64, 3, 3>, xs: Tensor<f64, N, 3>) -> Tensor<f64> {
        let (last, squares) = scan(zeros::<f64, 3>(), xs, |h, x| {
            let h = (w.dot(h) + x).tanh();
            (h, h * h)
        });
        last.sum() + squares.sum()
    }

    impl Control {
        pub fn root<const B: usize>(
            &self,
            x: Tensor<f64, B>,
        ) -> (Tensor<f64, B>, Tensor<f64, B>, Tensor<f64, B>) {
            let slope = grad(|x| vmap(root)(x).sum())(x);
            (vmap(root)(x), slope, vmap(grad(root))(x))
        }

        /// Slopes of infinity are those of elements that are taken there only.
        pub fn edges(&self, x: Tensor<f64, 3>) -> (Tensor<f64, 3>, Tensor<f64, 3>) {
            let f = |x: Tensor<f64>| if x >= 0.0 { x.sqrt() } else { x };
            (grad(|x| vmap(f)(x).sum())(x), vmap(grad(f))(x))
        }

        pub fn newton(&self, x: Tensor<f64, 4, 3>) -> Tensor<f64, 4, 3> {
            vmap(vmap(newton))(x)
        }

        pub fn newton_change<const B: usize>(
            &self,
            x: Tensor<f64, B>,
            dx: Tensor<f64, B>,
        ) -> (Tensor<f64, B>, Tensor<f64, B>) {
            let each = |x, dx| jvp(newton, x, dx).1;
            (jvp(|x| vmap(newton)(x), x, dx).1, vmap(each)(x, dx))
        }

        pub fn until<const B: usize>(
            &self,
            x: Tensor<f64, B>,
            most: Tensor<f64, B>,
        ) -> (Tensor<f64, B>, Tensor<f64, B>, Tensor<f64, B>) {
            let slope = grad(|x| vmap(until)(x, most).sum())(x);
            (vmap(until)(x, most), slope, vmap(grad(until))(x, most))
        }

        pub fn walk<const B: usize, const N: usize>(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, B, N, 3>,
        ) -> (
            Tensor<f64, B>,
            Tensor<f64, 3, 3>,
            Tensor<f64, B, 3, 3>,
            Tensor<f64, B, N, 3>,
        ) {
            let slope = grad(|w| vmap(|xs| walk(w, xs))(xs).prod())(w);
            let (each, each_xs) = vmap(|xs| grad::<0, 1>(walk)(w, xs))(xs);
            (vmap(|xs| walk(w, xs))(xs), slope, each, each_xs)
        }

        pub fn powers<const B: usize>(
            &self,
            x: Tensor<f64, B>,
            n: Tensor<i32, B>,
        ) -> Tensor<f64, B> {
            vmap(|x, n| fori(n, 1.0f64, |_, y| y * x))(x, n)
        }

        pub fn slopes_of_powers(
            &self,
            x: Tensor<f64, 4>,
            n: Tensor<i32, 4>,
        ) -> (Tensor<f64, 4>, Tensor<f64, 4>) {
            let power = |x: Tensor<f64>, n: Tensor<i32>| fori(n, 1.0f64, |_, y| y * x);
            let all = grad(|x| vmap(power)(x, n).sum())(x);
            (all, vmap(grad(power))(x, n))
        }

        /// Batches in a loop that learns, which is differentiated itself.
        pub fn learned<const B: usize>(
            &self,
            w: Tensor<f64, 3>,
            xs: Tensor<f64, B, 4, 3>,
        ) -> (Tensor<f64>, Tensor<f64, 3>) {
            value_and_grad(|w: Tensor<f64, 3>| {
                let loss = |w: Tensor<f64, 3>, rows: Tensor<f64, 4, 3>| {
                    vmap(|row| w.dot(row).tanh())(rows).sum()
                };
                let (last, losses) = scan(w, xs, |w, rows| {
                    let (loss, slope) = value_and_grad(loss)(w, rows);
                    (w - slope * 0.1, loss)
                });
                last.sum() + losses.sum()
            })(w)
        }

        pub fn leaving<const B: usize>(
            &self,
            x: Tensor<i32, B>,
        ) -> (Tensor<i32, B>, Tensor<i32, B>) {
            let f = |x: Tensor<i32>| {
                let mut sum = zeros::<i32>();
                for i in range(0, x) {
                    if i % 3 == 2 {
                        continue;
                    }
                    if sum > 20 {
                        sum = sum - 100;
                        break;
                    }
                    let mut j = i;
                    loop {
                        j = j - 2;
                        sum += 1;
                        if j < 0 {
                            break;
                        }
                    }
                    sum += i;
                }
                sum
            };
            (vmap(f)(x), map(x, f))
        }

        pub fn scanned(&self, start: Tensor<f64, 4>, xs: Tensor<f64, 4, 3>) -> Tensor<f64, 4> {
            scan(start, xs, |c, x| {
                let total = c.sum();
                (vmap(|a| (a + x.sum()).sin())(c), total)
            })
            .0
        }

        /// A loop in a branch in a loop, against the same of one element after the other.
        pub fn both<const B: usize>(&self, x: Tensor<i32, B>) -> (Tensor<i32, B>, Tensor<i32, B>) {
            let steps = |x: Tensor<i32>| {
                let mut n = x;
                let mut count = zeros::<i32>();
                while n > 1 {
                    if n % 2 == 0 {
                        let mut half = n;
                        while half % 2 == 0 {
                            half = half / 2;
                            count += 1;
                        }
                        n = half;
                    } else {
                        n = 3 * n + 1;
                        count += 1;
                    }
                }
                count
            };
            (vmap(steps)(x), map(x, steps))
        }

        /// In a branch, a loop that would never end for those that are not in it.
        pub fn guarded<const B: usize>(&self, x: Tensor<i32, B>) -> Tensor<i32, B> {
            vmap(|x: Tensor<i32>| {
                let mut n = x;
                if x > 0 {
                    while n != 1 {
                        n = n - 1;
                    }
                }
                n
            })(x)
        }
    }
}

#[test]
fn branches_and_loops() {
    let program = control::Control::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("batches", "f64");
    let (x, s) = (
        check.input::<f64, Ix2>("x"),
        check.input::<f64, Ix2>("square"),
    );
    let (long, signs) = (
        check.input::<f64, Ix1>("long"),
        check.input::<f64, Ix1>("signs"),
    );
    let (value, slope, each) = program.root(&signs).unwrap();
    check.result("root", Ok(value));
    check.result("root.grad", Ok(slope));
    check.result("root.grad", Ok(each));
    let positive = x.mapv(f64::abs);
    check.conditioned("newton", 1e7, program.newton(&positive));
    let column = positive.column(0).to_owned();
    let (all, each) = program.newton_change(&column, &long).unwrap();
    check.conditioned("newton.jvp", 1e7, Ok(all));
    check.conditioned("newton.jvp", 1e7, Ok(each));
    let (value, slope, each) = program.until(&long, &signs.mapv(f64::abs)).unwrap();
    check.conditioned("until", 10.0, Ok(value));
    check.conditioned("until.grad", 20.0, Ok(slope));
    check.conditioned("until.grad", 20.0, Ok(each));
    let sequences = [x.clone(), &x * 0.5, -&x].map(|x| x.insert_axis(Axis(0)));
    let views: Vec<_> = sequences.iter().map(|x| x.view()).collect();
    let sequences = ndarray::concatenate(Axis(0), &views).unwrap();
    let (value, slope, each, xs) = program.walk(&s, &sequences).unwrap();
    check.conditioned("walk", 4.0, Ok(value));
    check.conditioned("walk.grad", 16.0, Ok(slope));
    check.conditioned("walk.each", 8.0, Ok(each));
    check.conditioned("walk.each.xs", 8.0, Ok(xs));
    let places = check.input::<i32, Ix1>("places");
    check.conditioned("powers", 4.0, program.powers(&long, &places));
    let (all, each) = program.slopes_of_powers(&long, &places).unwrap();
    check.conditioned("powers.grad", 8.0, Ok(all));
    check.conditioned("powers.grad", 8.0, Ok(each));
    let (value, slope) = program.learned(&x.row(0).to_owned(), &sequences).unwrap();
    check.conditioned("learned", 8.0, Ok(value));
    check.conditioned("learned.grad", 16.0, Ok(slope));
    check.conditioned("scanned", 4.0, program.scanned(&long, &x));
    check.finish();
}

#[test]
fn elements_do_not_see_each_other() {
    let program = control::Control::load(&Device::open("local-sync").unwrap()).unwrap();
    let numbers: Array1<i32> = (0..30).collect();
    let (batch, each) = program.both(&numbers).unwrap();
    assert_eq!(batch.to_array().unwrap(), each.to_array().unwrap());
    let (batch, each) = program.leaving(&numbers).unwrap();
    assert_eq!(batch.to_array().unwrap(), each.to_array().unwrap());
    let guarded = program.guarded(&array![3, -5, 1, 0]).unwrap();
    assert_eq!(guarded.to_array().unwrap(), array![1, -5, 1, 0]);
    let guarded = program.guarded(&array![-3, -5]).unwrap();
    assert_eq!(guarded.to_array().unwrap(), array![-3, -5]);
    let nothing = program.guarded(&Array1::zeros(0)).unwrap();
    assert_eq!(nothing.to_array().unwrap().len(), 0);
    let infinite = f64::INFINITY;
    for x in [array![0.0, -1.0, 4.0], array![-1.0, 0.0, 4.0]] {
        let (all, each) = program.edges(&x).unwrap();
        let expected = x.mapv(|x| match x {
            0.0 => infinite,
            4.0 => 0.25,
            _ => 1.0,
        });
        assert_eq!(all.to_array().unwrap(), expected);
        assert_eq!(each.to_array().unwrap(), expected);
    }
}
