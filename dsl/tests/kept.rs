//! What was in a tensor before a part of it is replaced, where something still needs it: the old value of a
//! global, a window of the same tensor, and globals that a procedure only reads.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, s};

#[program]
mod kept {
    type Taken = (
        [Tensor<i32, 4>; 2],
        Tensor<i32>,
        [Tensor<i32, 4>; 3],
        Tensor<i32>,
    );

    pub struct Kept {
        #[global(init = iota())]
        a: Tensor<i32, 4>,
        #[global(init = full(10))]
        b: Tensor<i32, 4>,
        #[global(init = iota() * 7)]
        c: Tensor<i32, 4>,
        #[global]
        log: Tensor<f32, 64, 4>,
        #[global]
        count: Tensor<i32>,
    }

    impl Kept {
        pub fn all(&self) -> [Tensor<i32, 4>; 3] {
            [self.a, self.b, self.c]
        }

        pub fn old(&mut self) -> Tensor<i32, 4> {
            let old = self.a;
            self.a[2] = 9;
            self.count += 1;
            old
        }

        pub fn both(&mut self) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let old = (self.a, self.b);
            self.a[0] = 7;
            self.b[0] = 7;
            old
        }

        pub fn twice(&mut self) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let old = self.a;
            self.a[2] = 9;
            self.a[1] = 5;
            (old, self.a)
        }

        /// Parts of old values, used when the new ones are there.
        pub fn parts(&mut self, k: Tensor<i32>) -> (Tensor<i32, 4>, Tensor<i32>, Tensor<i32>) {
            let first = self.a[s![..2]];
            let element = self.a[k];
            let sum = (self.a * 2).sum();
            self.a[0] = 7;
            self.a[k] = 8;
            (concatenate([first, first], 0), element + 1, sum)
        }

        /// A part of an argument goes into a global before it changes.
        pub fn argument(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> Taken {
            let (y, count) = self.taken(x, k);
            ([y, y], count, [self.a, self.b, self.c], self.count)
        }

        /// The same with what is computed.
        pub fn computed(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> Taken {
            let (y, count) = self.taken(x + k, k);
            ([y, y], count, [self.a, self.b, self.c], self.count)
        }

        fn taken(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> (Tensor<i32, 4>, Tensor<i32>) {
            let mut y = x;
            self.count += y.sum();
            self.c[s![0..2]] = x[s![2..4]];
            y[s![2..4]] = self.a[s![0..2]];
            (y, self.count + k)
        }

        /// A round reads what it then changes, and hands on what it read.
        pub fn rounds(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> [Tensor<i32, 4>; 2] {
            let mut y = x;
            self.c = x;
            for i in range(0, 2) {
                let before = self.c.reverse(0);
                self.c[i] = i;
                self.b[k + i] = i;
                y = before;
            }
            [self.c, y]
        }

        /// A part of one global goes into another before it changes, and then the globals change places.
        pub fn exchanged(&mut self, k: Tensor<i32>) -> Tensor<i32, 4> {
            let first = self.a;
            self.a = self.c;
            self.c = first;
            self.c[1] = k + k;
            let second = self.c;
            self.c = self.a;
            self.a = second;
            self.b[s![0..2]] = self.c[s![2..4]];
            let before = self.a.reverse(0);
            self.a[k] += k;
            self.c[2] = 3;
            for _ in range(0, 3) {
                if k == self.b.sum() {
                    break;
                }
            }
            for _ in range(0, 3) {
                let first = self.b;
                self.b = self.c;
                self.c = first;
            }
            before
        }

        /// What was read goes into another tensor before it changes.
        pub fn elsewhere(&mut self, x: Tensor<i32, 4>) -> Tensor<i32, 4> {
            let mut y = x;
            y[0] = self.a[2];
            self.b = self.c;
            self.a[2] = self.c[1];
            y
        }

        /// A ring of which each round takes out what it replaces.
        pub fn ring(&mut self, n: Tensor<i32>) -> Tensor<i32> {
            let mut sum = 0;
            for i in range(0, n) {
                let old = self.a[i % 4];
                self.a[i % 4] = i * 10;
                sum += old;
            }
            sum
        }

        pub fn changed(&self) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let mut a = self.a;
            a[2] = 9;
            a[1] = 5;
            let mut c = self.c;
            for i in 0..3 {
                c[i] += 1;
            }
            (a, c)
        }

        pub fn shift(
            &self,
            x: Tensor<f32, 5>,
            rows: Tensor<f32, 3, 3>,
        ) -> (Tensor<f32, 5>, Tensor<f32, 3, 3>) {
            let mut y = x;
            y[s![1..3]] = y[s![2..4]];
            let mut columns = rows;
            columns[s![.., 1..]] = columns[s![.., ..2]];
            (y, columns)
        }

        /// Parts that move onto themselves by operations that change nothing.
        pub fn moved<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (Tensor<f32, { 2 * N }>, Tensor<f32, N>) {
            let mut twice = concatenate([x, x], 0);
            twice[s![..-1]] *= 1.0;
            let mut shifted = x * 2.0;
            shifted[s![1..]] = shifted[s![..-1]] / 1.0;
            (twice, shifted)
        }

        pub fn push(&mut self, row: Tensor<f32, 4>) -> Tensor<f32, 64, 4> {
            self.log[s![1..]] = self.log[s![..-1]];
            self.log[0] = row;
            self.log
        }

        pub fn slide(&self, x: Tensor<f32, 8>, i: Tensor<i32>, j: Tensor<i32>) -> Tensor<f32, 8> {
            let mut y = x * 2.0;
            y = y.dynamic_update_slice(y.dynamic_slice([i], [4]), [j]);
            y
        }
    }
}

fn program(device: &str) -> kept::Kept {
    kept::Kept::load(&Device::open(device).unwrap()).unwrap()
}

fn all(program: &kept::Kept) -> [Vec<i32>; 3] {
    let all = program.all().unwrap();
    all.map(|global| global.to_array().unwrap().to_vec())
}

#[test]
fn an_old_value_stays_what_it_was() {
    for device in ["local-sync", "local-task"] {
        let mut old = program(device);
        assert_eq!(
            old.old().unwrap().to_array().unwrap().to_vec(),
            [0, 1, 2, 3]
        );
        assert_eq!(all(&old)[0], [0, 1, 9, 3]);

        let mut both = program(device);
        let found = both.both().unwrap();
        assert_eq!(found.0.to_array().unwrap().to_vec(), [0, 1, 2, 3]);
        assert_eq!(found.1.to_array().unwrap().to_vec(), [10; 4]);
        assert_eq!(all(&both)[..2], [vec![7, 1, 2, 3], vec![7, 10, 10, 10]]);

        let mut twice = program(device);
        let found = twice.twice().unwrap();
        assert_eq!(found.0.to_array().unwrap().to_vec(), [0, 1, 2, 3]);
        assert_eq!(found.1.to_array().unwrap().to_vec(), [0, 5, 9, 3]);
    }
}

#[test]
fn parts_are_read_before_they_are_replaced() {
    for device in ["local-sync", "local-task"] {
        let mut program = program(device);
        let found = program.parts(2).unwrap();
        assert_eq!(found.0.to_array().unwrap().to_vec(), [0, 1, 0, 1]);
        assert_eq!(found.1.to_scalar().unwrap(), 3);
        assert_eq!(found.2.to_scalar().unwrap(), 12);
        assert_eq!(all(&program)[0], [7, 1, 8, 3]);

        let found = program
            .elsewhere(&Array1::from(vec![-1, -2, -3, -4]))
            .unwrap();
        assert_eq!(found.to_array().unwrap().to_vec(), [8, -2, -3, -4]);
        assert_eq!(
            all(&program),
            [vec![7, 1, 7, 3], vec![0, 7, 14, 21], vec![0, 7, 14, 21]]
        );

        let mut ring = [7, 1, 7, 3];
        let mut sum = 0;
        for i in 0..6 {
            sum += std::mem::replace(&mut ring[i % 4], 10 * i as i32);
        }
        assert_eq!(program.ring(6).unwrap().to_scalar().unwrap(), sum);
        assert_eq!(all(&program)[0], ring);
    }
}

#[test]
fn parts_go_into_other_globals_before_they_change() {
    for device in ["local-sync", "local-task"] {
        for k in 0..4 {
            let mut program = program(device);
            let before = program.exchanged(k).unwrap();
            let mut a = [0, 2 * k, 2, 3];
            let mut reversed = a;
            reversed.reverse();
            assert_eq!(
                before.to_array().unwrap().to_vec(),
                reversed,
                "{device} {k}"
            );
            a[k as usize] += k;
            let expected = [a, [0, 7, 3, 21], [14, 21, 10, 10]];
            assert_eq!(all(&program), expected.map(Vec::from), "{device} {k}");
        }
    }
}

#[test]
fn a_copy_of_a_global_that_is_only_read_changes_without_it() {
    let program = program("local-sync");
    for _ in 0..2 {
        let (a, c) = program.changed().unwrap();
        assert_eq!(a.to_array().unwrap().to_vec(), [0, 5, 9, 3]);
        assert_eq!(c.to_array().unwrap().to_vec(), [1, 8, 15, 21]);
        assert_eq!(
            all(&program),
            [vec![0, 1, 2, 3], vec![10; 4], vec![0, 7, 14, 21]]
        );
    }
}

#[test]
fn parts_may_move_onto_themselves() {
    for device in ["local-sync", "local-task"] {
        let program = program(device);
        for n in [1, 2, 5, 17, 1000] {
            let x: Vec<f32> = (0..n).map(|i| i as f32 + 0.5).collect();
            let (twice, shifted) = program.moved(&Array1::from(x.clone())).unwrap();
            assert_eq!(
                twice.to_array().unwrap().to_vec(),
                [x.clone(), x.clone()].concat()
            );
            let doubled: Vec<f32> = x.iter().map(|a| a * 2.0).collect();
            let expected = [&doubled[..1], &doubled[..doubled.len() - 1]].concat();
            assert_eq!(shifted.to_array().unwrap().to_vec(), expected);
        }
    }
}

#[test]
fn windows_of_one_tensor_may_overlap() {
    let mut program = program("local-sync");
    let x = Array1::from_iter((0..5).map(|i| i as f32));
    let rows = Array2::from_shape_fn((3, 3), |(i, j)| (10 * i + j) as f32);
    let (y, columns) = program.shift(&x, &rows).unwrap();
    assert_eq!(y.to_array().unwrap().to_vec(), [0.0, 2.0, 3.0, 3.0, 4.0]);
    let mut expected = rows.clone();
    expected
        .slice_mut(s![.., 1..])
        .assign(&rows.slice(s![.., ..2]));
    assert_eq!(columns.to_array().unwrap(), expected);

    let mut log = Array2::<f32>::zeros((64, 4));
    for round in 0..5 {
        let before = log.clone();
        log.slice_mut(s![1.., ..])
            .assign(&before.slice(s![..-1, ..]));
        log.row_mut(0).fill(round as f32);
        let found = program.push(&Array1::from_elem(4, round as f32)).unwrap();
        assert_eq!(found.to_array().unwrap(), log);
    }

    let x = Array1::from_iter((0..8).map(|i| i as f32));
    for (i, j) in [(0, 0), (0, 2), (3, 1), (4, 0), (1, 4_i32)] {
        let doubled = &x * 2.0;
        let mut expected = doubled.clone();
        expected
            .slice_mut(s![j..j + 4])
            .assign(&doubled.slice(s![i..i + 4]));
        let found = program.slide(&x, i, j).unwrap();
        assert_eq!(found.to_array().unwrap(), expected, "{i} {j}");
    }
}

#[test]
fn what_is_read_of_an_argument_is_what_was_there() {
    let x = ndarray::array![11, 12, 13, 14];
    for device in ["local-sync", "local-task"] {
        for k in [0, 5] {
            let outcomes = [
                (program(device).argument(&x, k).unwrap(), 0),
                (program(device).computed(&x, k).unwrap(), k),
            ];
            for ((pair, count, globals, _), more) in outcomes {
                for y in pair {
                    let expected = ndarray::array![11 + more, 12 + more, 0, 1];
                    assert_eq!(y.to_array().unwrap(), expected);
                }
                assert_eq!(count.to_scalar().unwrap(), 50 + 4 * more + k);
                let [a, b, c] = globals.map(|global| global.to_array().unwrap());
                assert_eq!((a.to_vec(), b.to_vec()), (vec![0, 1, 2, 3], vec![10; 4]));
                assert_eq!(c.to_vec(), [13 + more, 14 + more, 14, 21]);
            }
        }
    }
}

#[test]
fn a_round_hands_on_what_it_read_before_a_change() {
    for device in ["local-sync", "local-task"] {
        let x = ndarray::array![11, 12, 13, 14];
        let [c, y] = program(device).rounds(&x, 1).unwrap();
        assert_eq!(c.to_array().unwrap().to_vec(), [0, 1, 13, 14]);
        assert_eq!(y.to_array().unwrap().to_vec(), [14, 13, 12, 0]);
    }
}
