//! Sizes and places that lead out of tensors: a call is refused, or does what is left to do. Nothing is read or
//! written outside.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3, Axis, arr1, s};

#[program]
mod bounds {
    pub struct Bounds;

    impl Bounds {
        pub fn grid<const N: usize>(&self, _like: Tensor<f32, N>) -> Tensor<i32, { N - 2 }, 4> {
            arange::<i32, { N - 2 }>().insert_axis(1) + arange::<i32, 4>()
        }

        pub fn taken<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32> {
            x.take(arange::<i32, { N - 2 }>(), 0).sum()
        }

        pub fn in_kernel<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32> {
            shortened(x) + 1
        }

        pub fn in_branch<const N: usize>(&self, x: Tensor<i32, N>, b: Tensor<bool>) -> Tensor<i32> {
            if b {
                (arange::<i32, { N - 3 }>() * x.sum()).sum()
            } else {
                x.sum()
            }
        }

        pub fn in_loop<const N: usize>(&self, x: Tensor<i32, N>, k: Tensor<i32>) -> Tensor<i32> {
            let mut total = x.sum();
            for i in 0..k {
                total += (x[s![3..]] * i).sum();
            }
            total
        }

        pub fn halves<const N: usize>(
            &self,
            _like: Tensor<f32, N>,
        ) -> Tensor<i32, { (N - 3) / 2 }> {
            iota()
        }

        pub fn difference<const N: usize, const M: usize>(
            &self,
            _a: Tensor<f32, N>,
            _b: Tensor<f32, M>,
        ) -> Tensor<u8, { 2 * N - M }> {
            full(7)
        }

        pub fn cut<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32, { N - 2 }> {
            pad!(x, low = [-3], high = [1])
        }

        pub fn largest<const N: usize>(
            &self,
            x: Tensor<i32, 1, N, 1>,
        ) -> Tensor<i32, 1, { N - 2 }, 1> {
            max_pool!(x, window = [3], strides = [1])
        }

        pub fn far_apart<const N: usize>(&self, x: Tensor<i32, 1, N, 1>) -> Tensor<i32> {
            max_pool!(x, window = [1], strides = [9], padding = [(-3, 0)]).sum()
        }

        pub fn repeated<const N: usize>(
            &self,
            x: Tensor<i32, N>,
        ) -> (Tensor<i32, _>, Tensor<i32, _>) {
            (x.repeat(N - 1, 0), x.tile([N - 1]))
        }

        pub fn thirds<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32, _> {
            let parts = x.split(3, 0);
            parts[0] + parts[1] + parts[2]
        }

        pub fn rows<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32, _, 4> {
            x.reshape([-1, 4]) + 0
        }

        pub fn columns<const N: usize>(&self, x: Tensor<i32, N, 6>) -> Tensor<i32, 4> {
            x.reshape([4, -1]).sum_axis(1)
        }

        pub fn back<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32, N> {
            x.reshape([-1, 2]).swap_axes(0, 1).reshape([N]) + x
        }

        pub fn window<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N>,
            _like: Tensor<i32, M>,
            at: Tensor<i64>,
        ) -> Tensor<i32, M> {
            x.dynamic_slice([at], [M])
        }

        pub fn of_three<const N: usize>(
            &self,
            x: Tensor<i32, N>,
            at: Tensor<u64>,
        ) -> Tensor<i32, 3> {
            x.dynamic_slice([at], [3])
        }

        pub fn replaced<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N>,
            y: Tensor<i32, M>,
            at: Tensor<u64>,
        ) -> Tensor<i32, N> {
            x.dynamic_update_slice(y, [at])
        }

        pub fn replaced_by_loop<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N>,
            y: Tensor<i32, M>,
            k: Tensor<i32>,
        ) -> Tensor<i32, N> {
            let mut z = x;
            for i in 0..k {
                z = z.dynamic_update_slice(y + i, [i]);
            }
            z
        }

        pub fn read_by_loop<const N: usize>(
            &self,
            x: Tensor<i32, N>,
            k: Tensor<i32>,
        ) -> Tensor<i32> {
            let mut total = 0;
            for i in 0..k {
                total += x[i];
            }
            total
        }

        pub fn written_by_loop<const N: usize>(
            &self,
            x: Tensor<i32, N>,
            k: Tensor<i64>,
        ) -> Tensor<i32, N> {
            let mut z = x;
            for i in 0..k {
                z[i - 1] = i as i32;
            }
            z
        }

        pub fn counted<const N: usize>(&self, x: Tensor<i32, N>) -> Tensor<i32, N> {
            let mut z = x;
            for i in 0..N {
                z[i] = x[N as i32 - 1 - i];
            }
            z
        }

        pub fn looked_up<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N>,
            at: Tensor<i64, M>,
        ) -> (Tensor<i32, M>, Tensor<i32, N>, Tensor<i32, N>) {
            (x.take(at, 0), x.scatter(at, 9, 0), x.scatter_add(at, 1, 0))
        }

        pub fn all_types<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N>,
            a: Tensor<i8, M>,
            b: Tensor<u8, M>,
            c: Tensor<i16, M>,
            d: Tensor<u32, M>,
            e: Tensor<u64, M>,
        ) -> (Tensor<i32, 5, M>, Tensor<i32, N>) {
            let taken = stack(
                [
                    x.take(a, 0),
                    x.take(b, 0),
                    x.take(c, 0),
                    x.take(d, 0),
                    x.take(e, 0),
                ],
                0,
            );
            let counts = zeros::<i32, N>().scatter_add(a, 1, 0).scatter_add(b, 1, 0);
            let counts = counts.scatter_add(c, 1, 0).scatter_add(d, 1, 0);
            (taken, counts.scatter_add(e, 1, 0))
        }

        pub fn product<const N: usize, const M: usize>(
            &self,
            a: Tensor<f32, N, 0>,
            b: Tensor<f32, 0, M>,
        ) -> Tensor<f32, N, M> {
            a.dot(b)
        }

        pub fn fourfold<const N: usize>(&self, x: Tensor<i8, N, 0>) -> Tensor<i8> {
            let x = x.sum_axis(1);
            let y = x.reshape([N, 1]) + x;
            let z = y.reshape([N, N, 1]) + x;
            (z.reshape([N, N, N, 1]) + x).sum()
        }

        pub fn same<const N: usize>(&self, x: Tensor<i8, N, 0>) -> Tensor<i8, { N + 1 }, 0> {
            concatenate([x, zeros::<i8, 1, 0>()], 0)
        }

        pub fn huge<const N: usize>(
            &self,
            x: Tensor<i32, N>,
        ) -> Tensor<i32, { N / 9223372036854775809 }> {
            x[s![0..N / 9223372036854775809]]
        }

        pub fn enormous<const N: usize>(
            &self,
            _x: Tensor<i32, N>,
        ) -> Tensor<i32, { N * 9223372036854775809 }> {
            full(1)
        }

        pub fn spectrum<const N: usize>(&self, x: Tensor<Complex<f32>, N>) -> Tensor<f32, _> {
            x.irfft(2 * N - 4)
        }

        pub fn noise<const N: usize>(
            &self,
            seed: Tensor<i32>,
            _like: Tensor<f32, N>,
        ) -> Tensor<bool> {
            let x: Tensor<f32, { N - 1 }> = random::uniform(random::key(seed));
            ((x < 1.0) & (x >= 0.0)).all()
        }
    }

    #[kernel]
    fn shortened<T: Number, const N: usize>(x: Tensor<T, N>) -> Tensor<T> {
        x.sum() + ones::<T, { N - 3 }>().sum()
    }
}

fn programs() -> [bounds::Bounds; 2] {
    ["local-sync", "local-task"].map(|name| {
        let device = Device::open(name).expect("a device");
        bounds::Bounds::load(&device).expect("the program loads")
    })
}

fn numbers(count: usize) -> Array1<i32> {
    Array1::from_iter((0..count).map(|index| (index * 7 % 23) as i32 - 5))
}

/// What a call says that fails while it runs.
fn reason<T: std::fmt::Debug>(result: iree_dsl::Result<T>) -> String {
    let error = result.expect_err("the call fails");
    let source = std::error::Error::source(&error).expect("a reason");
    source.to_string()
}

fn refusal<T: std::fmt::Debug>(result: iree_dsl::Result<T>) -> String {
    result.expect_err("the call is refused").to_string()
}

#[test]
fn sizes_are_not_negative() {
    for program in programs() {
        for n in (0..7).chain((0..7).rev()) {
            let (x, floats) = (numbers(n), Array1::<f32>::zeros(n));
            let least = |least: usize, name: &str, result: Option<String>| {
                let refused = format!("`{name}` needs `N >= {least}`, but N is {n}");
                assert_eq!(result, (n < least).then_some(refused));
            };
            let told = |result: iree_dsl::Result<()>| result.err().map(|error| error.to_string());

            let grid = program.grid(&floats).map(|grid| {
                let expected = Array2::from_shape_fn((n - 2, 4), |(i, j)| (i + j) as i32);
                assert_eq!(grid.to_array().unwrap(), expected);
            });
            least(2, "grid", told(grid));
            let taken = program.taken(&x).map(|sum| {
                assert_eq!(sum.to_scalar().unwrap(), x.slice(s![..n - 2]).sum());
            });
            least(2, "taken", told(taken));
            let kernel = program.in_kernel(&x).map(|sum| {
                assert_eq!(sum.to_scalar().unwrap(), x.sum() + n as i32 - 2);
            });
            least(3, "in_kernel", told(kernel));
            for b in [false, true] {
                let branch = program.in_branch(&x, b).map(|sum| {
                    let sum_of_places = |count: i32| count * (count - 1) / 2;
                    let factor = if b { sum_of_places(n as i32 - 3) } else { 1 };
                    assert_eq!(sum.to_scalar().unwrap(), factor * x.sum());
                });
                least(3, "in_branch", told(branch));
            }
            for k in [0, 3] {
                let rounds = program.in_loop(&x, k).map(|sum| {
                    let added = k * (k - 1) / 2 * x.slice(s![3..]).sum();
                    assert_eq!(sum.to_scalar().unwrap(), x.sum() + added);
                });
                least(3, "in_loop", told(rounds));
            }
            let halves = program.halves(&floats).map(|halves| {
                let expected = Array1::from_iter(0..(n as i32 - 3) / 2);
                assert_eq!(halves.to_array().unwrap(), expected);
            });
            least(3, "halves", told(halves));
            let cut = program.cut(&x).map(|cut| {
                let shifted = (0..n - 2).map(|index| x.get(index + 3).copied().unwrap_or(0));
                assert_eq!(cut.to_array().unwrap(), Array1::from_iter(shifted));
            });
            least(2, "cut", told(cut));
            let repeated = program.repeated(&x).map(|(repeated, tiled)| {
                let times = (0..n).flat_map(|at| std::iter::repeat_n(x[at], n - 1));
                assert_eq!(repeated.to_array().unwrap(), Array1::from_iter(times));
                let times = (0..n - 1).flat_map(|_| x.to_vec());
                assert_eq!(tiled.to_array().unwrap(), Array1::from_iter(times));
            });
            least(1, "repeated", told(repeated));
            let noise = program
                .noise(3, &floats)
                .map(|inside| assert!(inside.to_scalar().unwrap()));
            least(1, "noise", told(noise));
        }
    }
}

#[test]
fn differences_of_sizes_are_not_negative() {
    for program in programs() {
        for (n, m) in (0..5).flat_map(|n| (0..9).map(move |m| (n, m))) {
            let found = program.difference(&Array1::zeros(n), &Array1::zeros(m));
            match (2 * n).checked_sub(m) {
                Some(size) => assert_eq!(
                    found.unwrap().to_array().unwrap(),
                    Array1::from_elem(size, 7)
                ),
                None => assert_eq!(
                    refusal(found),
                    format!("`difference` needs `2*N >= M`, but N is {n}, M is {m}")
                ),
            }
        }
    }
}

#[test]
fn windows_have_room() {
    for program in programs() {
        for n in 0..12 {
            let x = numbers(n);
            let image = x.clone().into_shape_with_order((1, n, 1)).unwrap();
            let largest = program.largest(&image);
            match n {
                0 | 1 => assert_eq!(
                    refusal(largest),
                    format!("`largest` needs `N >= 2`, but N is {n}")
                ),
                _ => {
                    let windows = x.windows(3).into_iter();
                    let windows = windows.map(|window| *window.iter().max().unwrap());
                    let expected: Vec<_> = if n < 3 { Vec::new() } else { windows.collect() };
                    let expected = Array3::from_shape_vec((1, n - 2, 1), expected).unwrap();
                    assert_eq!(largest.unwrap().to_array().unwrap(), expected);
                }
            }
            let far_apart = program.far_apart(&image);
            match n {
                0..3 => assert_eq!(
                    refusal(far_apart),
                    format!("`far_apart` needs `N >= 3`, but N is {n}")
                ),
                _ => {
                    let expected: i32 = x.iter().skip(3).step_by(9).sum();
                    assert_eq!(far_apart.unwrap().to_scalar().unwrap(), expected);
                }
            }
        }
    }
}

#[test]
fn divisors_divide() {
    for program in programs() {
        for n in 0..13 {
            let x = numbers(n);
            let told = |name: &str, divisor: usize| {
                format!("`{name}` needs `N % {divisor} == 0`, but N is {n}")
            };
            let thirds = program.thirds(&x);
            match n % 3 {
                0 => {
                    let rows = x.to_shape((3, n / 3)).unwrap();
                    assert_eq!(thirds.unwrap().to_array().unwrap(), rows.sum_axis(Axis(0)));
                }
                _ => assert_eq!(refusal(thirds), told("thirds", 3)),
            }
            let rows = program.rows(&x);
            match n % 4 {
                0 => assert_eq!(
                    rows.unwrap().to_array().unwrap(),
                    x.to_shape((n / 4, 4)).unwrap()
                ),
                _ => assert_eq!(refusal(rows), told("rows", 4)),
            }
            let back = program.back(&x);
            match n % 2 {
                0 => {
                    let pairs = x.to_shape((n / 2, 2)).unwrap();
                    let turned = Array1::from_iter(pairs.t().iter().copied());
                    assert_eq!(back.unwrap().to_array().unwrap(), turned + &x);
                }
                _ => assert_eq!(refusal(back), told("back", 2)),
            }
            let table = numbers(6 * n).into_shape_with_order((n, 6)).unwrap();
            let columns = program.columns(&table);
            match n % 2 {
                0 => {
                    let rows = table.to_shape((4, 6 * n / 4)).unwrap();
                    assert_eq!(columns.unwrap().to_array().unwrap(), rows.sum_axis(Axis(1)));
                }
                _ => assert_eq!(refusal(columns), told("columns", 2)),
            }
        }
    }
}

#[test]
fn parts_lie_inside() {
    let places = [i64::MIN, -1, 0, 1, 2, 1 << 32, i64::MAX];
    for program in programs() {
        for (n, m) in (0..5).flat_map(|n| (0..5).map(move |m| (n, m))) {
            let (x, y) = (numbers(n), numbers(m));
            for at in places {
                let found = program.window(&x, &y, at);
                if m > n {
                    let told = format!("`window` needs `N >= M`, but N is {n}, M is {m}");
                    assert_eq!(refusal(found), told);
                    continue;
                }
                let start = at.clamp(0, (n - m) as i64) as usize;
                assert_eq!(
                    found.unwrap().to_array().unwrap(),
                    x.slice(s![start..start + m])
                );
            }
            for at in [0, 1, 3, 1 << 31, u64::MAX] {
                let found = program.replaced(&x, &y, at);
                if m > n {
                    let told = format!("`replaced` needs `N >= M`, but N is {n}, M is {m}");
                    assert_eq!(refusal(found), told);
                    continue;
                }
                let start = at.min((n - m) as u64) as usize;
                let mut expected = x.clone();
                expected.slice_mut(s![start..start + m]).assign(&y);
                assert_eq!(found.unwrap().to_array().unwrap(), expected);
            }
        }
        for n in 0..6 {
            for at in [0, 1, 2, 1 << 31, 1 << 63, u64::MAX] {
                let (x, found) = (numbers(n), program.of_three(&numbers(n), at));
                if n < 3 {
                    let told = format!("`of_three` needs `N >= 3`, but N is {n}");
                    assert_eq!(refusal(found), told);
                    continue;
                }
                let start = at.min(n as u64 - 3) as usize;
                assert_eq!(
                    found.unwrap().to_array().unwrap(),
                    x.slice(s![start..start + 3])
                );
            }
        }
    }
}

#[test]
fn loops_that_do_not_get_there_need_nothing() {
    let lacks = |error: String, part: &str, size: &str| {
        let told = format!("there is no part of size {part} along an axis of size {size}");
        assert!(error.contains(&told), "{error}");
    };
    for program in programs() {
        for n in 0..4_usize {
            let x = numbers(n);
            let reversed = x.slice(s![..;-1]).to_owned();
            assert_eq!(program.counted(&x).unwrap().to_array().unwrap(), reversed);
            for k in 0..6 {
                let (read, written) = (
                    program.read_by_loop(&x, k),
                    program.written_by_loop(&x, k as i64),
                );
                if n == 0 && k > 0 {
                    lacks(reason(read), "1", "N");
                    lacks(reason(written), "1", "N");
                    continue;
                }
                let inside = |at: i32| at.clamp(0, n as i32 - 1) as usize;
                let sum: i32 = (0..k).map(|at| x[inside(at)]).sum();
                assert_eq!(read.unwrap().to_scalar().unwrap(), sum);
                let mut expected = x.clone();
                for at in 0..k {
                    expected[inside(at - 1)] = at;
                }
                assert_eq!(written.unwrap().to_array().unwrap(), expected);
            }
            for (m, k) in (0..5_usize).flat_map(|m| (0..3).map(move |k| (m, k))) {
                let y = numbers(m);
                let found = program.replaced_by_loop(&x, &y, k);
                if m > n && k > 0 {
                    lacks(reason(found), "M", "N");
                    continue;
                }
                let mut expected = x.clone();
                for at in 0..k {
                    let start = (at as usize).min(n - m);
                    expected.slice_mut(s![start..start + m]).assign(&(&y + at));
                }
                assert_eq!(found.unwrap().to_array().unwrap(), expected);
            }
        }
    }
}

#[test]
fn places_of_every_type_lie_inside() {
    for program in programs() {
        for n in 0..4_usize {
            let x = numbers(n);
            let last = n as i64 - 1;
            for places in [
                vec![],
                vec![0],
                vec![i64::MIN, -1, 0, 1, 2, 3, 1 << 32, i64::MAX],
            ] {
                let found = program.looked_up(&x, &Array1::from(places.clone()));
                if n == 0 && !places.is_empty() {
                    let m = places.len();
                    let told =
                        format!("`looked_up` needs `N >= 1 || M == 0`, but N is 0, M is {m}");
                    assert_eq!(refusal(found), told.replace("N*M", "M*N"));
                    continue;
                }
                let (taken, put, added) = found.unwrap();
                let expected = places.iter().map(|at| x[(*at).clamp(0, last) as usize]);
                assert_eq!(taken.to_array().unwrap(), Array1::from_iter(expected));
                let (mut set, mut sum) = (x.clone(), x.clone());
                for at in places.iter().filter(|at| (0..=last).contains(at)) {
                    set[*at as usize] = 9;
                    sum[*at as usize] += 1;
                }
                assert_eq!(put.to_array().unwrap(), set);
                assert_eq!(added.to_array().unwrap(), sum);
            }
        }
        for n in 1..4_usize {
            let x = numbers(n);
            let found = program.all_types(
                &x,
                &arr1(&[i8::MIN, -1, 0, 1, i8::MAX]),
                &arr1(&[0, 1, 2, 128, u8::MAX]),
                &arr1(&[i16::MIN, -1, 0, 2, i16::MAX]),
                &arr1(&[0, 1, 1 << 31, (1 << 31) + 1, u32::MAX]),
                &arr1(&[0, 1, 1 << 32, 1 << 63, u64::MAX]),
            );
            let last = n as i128 - 1;
            let places: [[i128; 5]; 5] = [
                [-128, -1, 0, 1, 127],
                [0, 1, 2, 128, 255],
                [-32768, -1, 0, 2, 32767],
                [0, 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1],
                [0, 1, 1 << 32, 1 << 63, (1 << 64) - 1],
            ];
            let (taken, counts) = found.unwrap();
            let expected = |(i, j): (usize, usize)| {
                let place = places[i][j];
                x[place.clamp(0, last) as usize]
            };
            assert_eq!(
                taken.to_array().unwrap(),
                Array2::from_shape_fn((5, 5), expected)
            );
            let count = |at: usize| {
                let all = places.iter().flatten();
                all.filter(|place| **place == at as i128).count() as i32
            };
            assert_eq!(counts.to_array().unwrap(), Array1::from_shape_fn(n, count));
        }
    }
}

#[test]
fn no_memory_holds_more_than_there_is() {
    let too_large = |error: String, name: &str| {
        let told = format!("`{name}` would compute more than fits in any memory: N is ");
        assert!(error.starts_with(&told), "{error}");
    };
    for program in programs() {
        for size in [0, 1, 3] {
            let found = program.product(&Array2::zeros((size, 0)), &Array2::zeros((0, 2)));
            assert_eq!(
                found.unwrap().to_array().unwrap(),
                Array2::<f32>::zeros((size, 2))
            );
            assert_eq!(
                program
                    .fourfold(&Array2::zeros((size, 0)))
                    .unwrap()
                    .to_scalar()
                    .unwrap(),
                0
            );
            let same = program.same(&Array2::zeros((size, 0))).unwrap();
            assert_eq!(same.shape(), [size + 1, 0]);
        }
        for size in [1 << 24, 1 << 32, 1 << 40, 1 << 62] {
            let found = program.product(&Array2::zeros((size, 0)), &Array2::zeros((0, size)));
            if size > 1 << 24 {
                too_large(refusal(found), "product");
            } else {
                refusal(found);
            }
        }
        for size in [1 << 16, 1 << 32, isize::MAX as usize] {
            too_large(
                refusal(program.fourfold(&Array2::zeros((size, 0)))),
                "fourfold",
            );
        }
        for size in [1 << 60, isize::MAX as usize] {
            too_large(refusal(program.same(&Array2::zeros((size, 0)))), "same");
        }
        for n in 0..4 {
            assert_eq!(program.huge(&numbers(n)).unwrap().shape(), [0]);
        }
        assert_eq!(program.enormous(&numbers(0)).unwrap().shape(), [0]);
        too_large(refusal(program.enormous(&numbers(1))), "enormous");
    }
}

#[test]
fn spectra_are_as_long_as_it_takes() {
    for program in programs() {
        for n in 0..6 {
            let found = program.spectrum(&Array1::zeros(n));
            match n {
                0..3 => {
                    let told = refusal(found);
                    assert!(told.starts_with("`spectrum` needs `N >= "), "{told}");
                    assert!(told.ends_with(&format!("N is {n}")), "{told}");
                }
                _ => assert_eq!(
                    found.unwrap().to_array().unwrap(),
                    Array1::<f32>::zeros(2 * n - 4)
                ),
            }
        }
    }
}
