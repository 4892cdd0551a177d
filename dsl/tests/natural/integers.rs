//! Bits and whole numbers.

use crate::common::{Numbers, at_sizes, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2};

/// Hashes of rows of bytes and words.
#[program]
mod hashes {
    pub struct Hashes;

    impl Hashes {
        /// Fowler, Noll and Vo's with 32 bits, of each row.
        pub fn fnv1a<const N: usize, const L: usize>(
            &self,
            bytes: Tensor<u8, N, L>,
        ) -> Tensor<u32, N> {
            let mut h = full::<u32, N>(2166136261);
            for i in range(0, L as i32) {
                h = (h ^ bytes[s![.., i]] as u32) * 16777619;
            }
            h
        }

        /// The same with 64 bits, of one text.
        pub fn fnv1a_64<const L: usize>(&self, bytes: Tensor<u8, L>) -> Tensor<u64> {
            let (h, _) = scan(full::<u64>(14695981039346656037), bytes, |h, byte| {
                ((h ^ byte as u64) * 1099511628211, byte)
            });
            h
        }

        /// MurmurHash3 of rows of words, with 32 bits.
        pub fn murmur3<const N: usize, const L: usize>(
            &self,
            words: Tensor<u32, N, L>,
            seed: Tensor<u32>,
        ) -> Tensor<u32, N> {
            let mut h = full::<u32, N>(seed);
            for i in range(0, L as i32) {
                let k = rotate(words[s![.., i]] * 0xcc9e2d51, 15) * 0x1b873593;
                h = rotate(h ^ k, 13) * 5 + 0xe6546b64;
            }
            h = h ^ (4 * L as u32);
            h = (h ^ (h >> 16)) * 0x85ebca6b;
            h = (h ^ (h >> 13)) * 0xc2b2ae35;
            h ^ (h >> 16)
        }

        /// xxHash of one word with 32 bits, of each.
        pub fn xxhash<const N: usize>(
            &self,
            words: Tensor<u32, N>,
            seed: Tensor<u32>,
        ) -> Tensor<u32, N> {
            let h = words * 3266489917 + (seed + 374761393 + 4);
            let h = rotate(h, 17) * 668265263;
            let h = (h ^ (h >> 15)) * 2246822519;
            let h = (h ^ (h >> 13)) * 3266489917;
            h ^ (h >> 16)
        }

        /// The finaliser of SplitMix64, and a bucket for each.
        pub fn split_mix<const N: usize>(
            &self,
            x: Tensor<u64, N>,
        ) -> (Tensor<u64, N>, Tensor<i32, 16>) {
            let z = x + 0x9e3779b97f4a7c15;
            let z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            let z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            let z = z ^ (z >> 31);
            let bucket = (z % 16) as i32;
            (
                z,
                zeros::<i32, 16>().scatter_add(bucket, ones_like(bucket), 0),
            )
        }
    }

    #[kernel]
    fn rotate<const N: usize>(x: Tensor<u32, N>, by: usize) -> Tensor<u32, N> {
        (x << by as u32) | (x >> (32 - by) as u32)
    }
}

#[test]
fn hashes_mix_bits() {
    on_devices(|device| {
        let program = hashes::Hashes::load(device).unwrap();
        at_sizes(device, &[(1, 1), (3, 2), (8, 16), (65, 5)], |(n, l)| {
            let mut numbers = Numbers::new((n * 20 + l) as u64);
            let bytes = Array2::from_shape_simple_fn((n, l), || numbers.bits() as u8);
            let words = Array2::from_shape_simple_fn((n, l), || numbers.bits());
            let right: Vec<u32> = bytes
                .rows()
                .into_iter()
                .map(|row| {
                    let mix = |h: u32, byte: &u8| (h ^ u32::from(*byte)).wrapping_mul(16777619);
                    row.iter().fold(2166136261, mix)
                })
                .collect();
            same(("fnv", n, l), &program.fnv1a(&bytes).unwrap(), &right);
            let mix = |h: u64, byte: &u8| (h ^ u64::from(*byte)).wrapping_mul(1099511628211);
            let right = bytes.row(0).iter().fold(14695981039346656037, mix);
            same(
                ("fnv 64", n, l),
                &program.fnv1a_64(bytes.row(0)).unwrap(),
                &[right],
            );

            let murmur = |row: ndarray::ArrayView1<'_, u32>| {
                let mut h = 77_u32;
                for word in row {
                    let k = word
                        .wrapping_mul(0xcc9e2d51)
                        .rotate_left(15)
                        .wrapping_mul(0x1b873593);
                    h = (h ^ k)
                        .rotate_left(13)
                        .wrapping_mul(5)
                        .wrapping_add(0xe6546b64);
                }
                h ^= 4 * l as u32;
                h = (h ^ (h >> 16)).wrapping_mul(0x85ebca6b);
                h = (h ^ (h >> 13)).wrapping_mul(0xc2b2ae35);
                h ^ (h >> 16)
            };
            let right: Vec<_> = words.rows().into_iter().map(murmur).collect();
            same(
                ("murmur", n, l),
                &program.murmur3(&words, 77).unwrap(),
                &right,
            );

            let column = words.column(0);
            let right: Vec<_> = column
                .iter()
                .map(|word| {
                    let h = 5_u32.wrapping_add(374761393).wrapping_add(4);
                    let h = h.wrapping_add(word.wrapping_mul(3266489917));
                    let h = h.rotate_left(17).wrapping_mul(668265263);
                    let h = (h ^ (h >> 15)).wrapping_mul(2246822519);
                    let h = (h ^ (h >> 13)).wrapping_mul(3266489917);
                    h ^ (h >> 16)
                })
                .collect();
            same(("xxhash", n), &program.xxhash(column, 5).unwrap(), &right);

            let x = column.mapv(|word| u64::from(word) << 20);
            let right: Vec<_> = x
                .iter()
                .map(|x| {
                    let z = x.wrapping_add(0x9e3779b97f4a7c15);
                    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
                    let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
                    z ^ (z >> 31)
                })
                .collect();
            let found = program.split_mix(&x).unwrap();
            same(("split", n), &found.0, &right);
            let mut buckets = [0; 16];
            right.iter().for_each(|z| buckets[(z % 16) as usize] += 1);
            same(("buckets", n), &found.1, &buckets);
        });
    });
}

/// Days, by the calendar of Gregory.
#[program]
mod dates {
    pub struct Dates;

    impl Dates {
        /// Days since the first of January 1970.
        pub fn days<const N: usize>(
            &self,
            year: Tensor<i32, N>,
            month: Tensor<i32, N>,
            day: Tensor<i32, N>,
        ) -> Tensor<i32, N> {
            let y = select(month <= 2, year - 1, year);
            let era = select(y >= 0, y, y - 399) / 400;
            let yoe = y - era * 400;
            let doy = (153 * select(month > 2, month - 3, month + 9) + 2) / 5 + day - 1;
            let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
            era * 146097 + doe - 719468
        }

        /// Year, month, day and the day of the week from Sunday on.
        pub fn date<const N: usize>(&self, days: Tensor<i32, N>) -> Tensor<i32, N, 4> {
            let z = days + 719468;
            let era = select(z >= 0, z, z - 146096) / 146097;
            let doe = z - era * 146097;
            let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
            let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
            let mp = (5 * doy + 2) / 153;
            let d = doy - (153 * mp + 2) / 5 + 1;
            let m = select(mp < 10, mp + 3, mp - 9);
            let y = yoe + era * 400 + (m <= 2) as i32;
            stack([y, m, d, (days + 4).rem_euclid(7)], 1)
        }

        pub fn leap<const N: usize>(&self, year: Tensor<i32, N>) -> Tensor<bool, N> {
            (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
        }
    }
}

#[test]
fn days_are_counted() {
    on_devices(|device| {
        let program = dates::Dates::load(device).unwrap();
        // Day by day from 1890 on.
        let leap = |year: i32| year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
        let length = |year: i32, month: i32| match month {
            2 => 28 + i32::from(leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let first: i32 = (1890..1970).map(|year| 365 + i32::from(leap(year))).sum();
        let (mut date, mut all) = ([1890, 1, 1], vec![]);
        for days in -first..73_000 {
            all.push((days, date));
            date[2] += 1;
            if date[2] > length(date[0], date[1]) {
                date = [date[0], date[1] + 1, 1];
            }
            if date[1] > 12 {
                date = [date[0] + 1, 1, 1];
            }
        }
        // The first of January 1970 was a Thursday.
        at_sizes(device, &[1, 2, 37, 365, all.len()], |n| {
            let step = all.len() / n;
            let part: Vec<_> = all.iter().step_by(step).take(n).collect();
            let field = |k: usize| -> Array1<i32> { part.iter().map(|day| day.1[k]).collect() };
            let days: Array1<i32> = part.iter().map(|day| day.0).collect();
            let found = program.days(&field(0), &field(1), &field(2)).unwrap();
            same(("days", n), &found, &days.to_vec());
            let right: Vec<_> = part
                .iter()
                .flat_map(|(days, [y, m, d])| [*y, *m, *d, (days + first + 3) % 7])
                .collect();
            same(("date", n), &program.date(&days).unwrap(), &right);
            let right: Vec<_> = part.iter().map(|day| leap(day.1[0])).collect();
            same(("leap", n), &program.leap(&field(0)).unwrap(), &right);
        });
    });
}

/// Bits by shifts and masks.
#[program]
mod bits {
    pub struct Bits;

    impl Bits {
        pub fn reversed<const N: usize>(&self, x: Tensor<u32, N>) -> Tensor<u32, N> {
            let x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
            let x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2);
            let x = ((x >> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
            let x = ((x >> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
            (x >> 16) | (x << 16)
        }

        /// Morton's order of two coordinates.
        pub fn interleaved<const N: usize>(
            &self,
            x: Tensor<u16, N>,
            y: Tensor<u16, N>,
        ) -> Tensor<u32, N> {
            spread(x as u32) | (spread(y as u32) << 1)
        }

        pub fn gray<const N: usize>(&self, x: Tensor<i64, N>) -> (Tensor<i64, N>, Tensor<i64, N>) {
            let gray = x ^ (x >> 1);
            let mut back = gray;
            for by in [32, 16, 8, 4, 2, 1] {
                back = back ^ (back >> by);
            }
            (gray, back)
        }

        /// The bits of each, the next power of two, the integer root, and the parity.
        pub fn tricks<const N: usize>(
            &self,
            x: Tensor<u32, N>,
        ) -> (
            Tensor<u32, N>,
            Tensor<u32, N>,
            Tensor<u32, N>,
            Tensor<bool, N>,
        ) {
            let next = select(x <= 1, 1, 1 << (32 - (x - 1).leading_zeros()));
            let mut root = zeros_like(x);
            for bit in range(0, 16) {
                let with = root | (1u32 << (15 - bit as u32));
                root = select(with * with <= x, with, root);
            }
            (x.count_ones(), next, root, x.count_ones() & 1 == 1)
        }
    }

    #[kernel]
    fn spread<const N: usize>(x: Tensor<u32, N>) -> Tensor<u32, N> {
        let x = (x | (x << 8)) & 0x00ff00ff;
        let x = (x | (x << 4)) & 0x0f0f0f0f;
        let x = (x | (x << 2)) & 0x33333333;
        (x | (x << 1)) & 0x55555555
    }
}

#[test]
fn bits_are_moved() {
    on_devices(|device| {
        let program = bits::Bits::load(device).unwrap();
        at_sizes(device, &[1, 2, 31, 100], |n| {
            let mut numbers = Numbers::new(n as u64);
            let x = Array1::from_shape_simple_fn(n, || numbers.bits() >> numbers.below(31));
            let right: Vec<_> = x.iter().map(|x| x.reverse_bits()).collect();
            same(("reversed", n), &program.reversed(&x).unwrap(), &right);

            let (a, b) = (x.mapv(|x| x as u16), x.mapv(|x| (x >> 3) as u16 ^ 0x5aa5));
            let bit = |x: u16, k: u32| u32::from(x) >> k & 1;
            let right: Vec<_> = (0..n)
                .map(|i| {
                    (0..16)
                        .map(|k| bit(a[i], k) << (2 * k) | bit(b[i], k) << (2 * k + 1))
                        .sum()
                })
                .collect();
            same(
                ("interleaved", n),
                &program.interleaved(&a, &b).unwrap(),
                &right,
            );

            let wide = x.mapv(|x| i64::from(x) << 17 ^ i64::from(x));
            let found = program.gray(&wide).unwrap();
            let right: Vec<_> = wide.iter().map(|x| x ^ (x >> 1)).collect();
            same(("gray", n), &found.0, &right);
            same(("back", n), &found.1, &wide.to_vec());

            let found = program.tricks(&x).unwrap();
            let of = |f: &dyn Fn(u32) -> u32| x.iter().map(|x| f(*x)).collect::<Vec<_>>();
            same(("ones", n), &found.0, &of(&|x| x.count_ones()));
            let power = |x: u32| x.checked_next_power_of_two().unwrap_or(0);
            let certain = x.iter().all(|x| *x <= 1 << 31);
            assert!(
                !certain || found.1.to_array().unwrap().to_vec() == of(&power),
                "powers, {n}"
            );
            same(("root", n), &found.2, &of(&|x| x.isqrt()));
            let odd: Vec<_> = x.iter().map(|x| x.count_ones() % 2 == 1).collect();
            same(("odd", n), &found.3, &odd);
        });
    });
}

/// The cyclic redundancy check of Ethernet, by a table.
#[program]
mod crc {
    pub struct Crc {
        #[global]
        table: Tensor<u32, 256>,
        #[global(init = 0xffffffff)]
        state: Tensor<u32>,
    }

    impl Crc {
        pub fn prepare(&mut self) -> Tensor<u32, 256> {
            let mut c = iota::<u32, 256>(0);
            for _ in 0..8 {
                c = select(c & 1 == 1, (c >> 1) ^ 0xedb88320, c >> 1);
            }
            self.table = c;
            self.table
        }

        /// Goes on with more bytes; the check of all so far.
        pub fn update<const N: usize>(&mut self, bytes: Tensor<u8, N>) -> Tensor<u32> {
            let table = self.table;
            let mut c = self.state;
            for i in range(0, N as i32) {
                c = table[(c ^ bytes[i] as u32) & 0xff] ^ (c >> 8);
            }
            self.state = c;
            !c
        }

        pub fn reset(&mut self) {
            self.state = 0xffffffff;
        }
    }
}

#[test]
fn checks_find_changes() {
    on_devices(|device| {
        let mut program = crc::Crc::load(device).unwrap();
        let table: Vec<u32> = (0..256)
            .map(|byte| {
                (0..8).fold(byte, |c, _| {
                    if c & 1 == 1 {
                        c >> 1 ^ 0xedb88320
                    } else {
                        c >> 1
                    }
                })
            })
            .collect();
        same("table", &program.prepare().unwrap(), &table);
        let check = |bytes: &[u8]| {
            let mut c = u32::MAX;
            for bit in bytes
                .iter()
                .flat_map(|byte| (0..8).map(move |k| u32::from(byte >> k) & 1))
            {
                c = if (c ^ bit) & 1 == 1 {
                    c >> 1 ^ 0xedb88320
                } else {
                    c >> 1
                };
            }
            !c
        };
        assert_eq!(check(b"123456789"), 0xcbf43926);
        at_sizes(device, &[1, 2, 9, 33, 200], |n| {
            let mut numbers = Numbers::new(n as u64);
            let bytes = Array1::from_shape_simple_fn(n, || numbers.bits() as u8);
            program.reset().unwrap();
            let (first, second) = bytes.as_slice().unwrap().split_at(n / 2);
            if n > 1 {
                let found = program.update(&Array1::from(first.to_vec())).unwrap();
                same(("first", n), &found, &[check(first)]);
            }
            let found = program.update(&Array1::from(second.to_vec())).unwrap();
            same(("all", n), &found, &[check(bytes.as_slice().unwrap())]);
        });
    });
}
