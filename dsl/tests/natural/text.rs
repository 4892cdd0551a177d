//! Texts as integers.

use crate::common::{Numbers, at_sizes, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::Array1;

/// How many letters differ, at best.
#[program]
mod distance {
    pub struct Distance;

    impl Distance {
        /// Row by row; what a row needs of itself is a running minimum.
        pub fn edit<const A: usize, const B: usize>(
            &self,
            a: Tensor<i32, A>,
            b: Tensor<i32, B>,
        ) -> Tensor<i32> {
            let places = arange::<i32, { B + 1 }>();
            let (last, _) = scan(places, a, |row, letter| {
                let replaced = row[s![..-1]] + (b != letter) as i32;
                let removed = row[s![1..]] + 1;
                let rest = removed.minimum(replaced);
                let next = concatenate([row[s![..1]] + 1, rest], 0);
                let next = (next - places).cummin(0) + places;
                (next, letter)
            });
            last[-1]
        }

        /// The length of the longest common subsequence, in a table.
        pub fn common<const A: usize, const B: usize>(
            &self,
            a: Tensor<i32, A>,
            b: Tensor<i32, B>,
        ) -> Tensor<i32> {
            let mut table = zeros::<i32, { A + 1 }, { B + 1 }>();
            for i in range(0, A as i32) {
                for j in range(0, B as i32) {
                    table[(i + 1, j + 1)] = if a[i] == b[j] {
                        table[(i, j)] + 1
                    } else {
                        table[(i, j + 1)].maximum(table[(i + 1, j)])
                    };
                }
            }
            table[(-1, -1)]
        }

        /// Where a word begins for the first time, -1 if it does not.
        pub fn find<const N: usize>(
            &self,
            text: Tensor<i32, N>,
            word: Tensor<i32, 3>,
        ) -> Tensor<i32> {
            let begins = (text[s![..-2]] == word[0])
                & (text[s![1..-1]] == word[1])
                & (text[s![2..]] == word[2]);
            if begins.any() {
                (begins as i32).argmax_axis(0)
            } else {
                -1
            }
        }
    }
}

#[test]
fn texts_differ_in_letters() {
    on_devices(|device| {
        let program = distance::Distance::load(device).unwrap();
        at_sizes(
            device,
            &[(1, 1), (3, 1), (1, 5), (7, 9), (30, 21)],
            |(n, m)| {
                let mut numbers = Numbers::new((n * 40 + m) as u64);
                let (a, b) = (numbers.integers(n, 3), numbers.integers(m, 3));
                let mut edit = vec![vec![0; m + 1]; n + 1];
                let mut common = vec![vec![0; m + 1]; n + 1];
                for i in 0..=n {
                    for j in 0..=m {
                        if i == 0 || j == 0 {
                            edit[i][j] = (i + j) as i32;
                        } else {
                            let equal = a[i - 1] == b[j - 1];
                            edit[i][j] = (edit[i - 1][j - 1] + i32::from(!equal))
                                .min(edit[i - 1][j] + 1)
                                .min(edit[i][j - 1] + 1);
                            common[i][j] = match equal {
                                true => common[i - 1][j - 1] + 1,
                                false => common[i - 1][j].max(common[i][j - 1]),
                            };
                        }
                    }
                }
                same(
                    ("edit", n, m),
                    &program.edit(&a, &b).unwrap(),
                    &[edit[n][m]],
                );
                same(
                    ("common", n, m),
                    &program.common(&a, &b).unwrap(),
                    &[common[n][m]],
                );
                if n > 2 {
                    let word = [0, 1, 1];
                    let text = a.to_vec();
                    let right = text.windows(3).position(|part| part == word);
                    let right = right.map_or(-1, |at| at as i32);
                    same(("find", n), &program.find(&a, word).unwrap(), &[right]);
                }
            },
        );
    });
}

/// Letters as numbers: counts, codes, runs.
#[program]
mod codes {
    pub struct Codes;

    impl Codes {
        /// Each letter moved on by a key, which repeats.
        pub fn encrypt<const N: usize, const K: usize>(
            &self,
            text: Tensor<u8, N>,
            key: Tensor<u8, K>,
        ) -> Tensor<u8, N> {
            let shift = key.take(arange::<i32, N>() % K as i32, 0) - 97;
            let letter = (text >= 97) & (text <= 122);
            select(letter, (text - 97 + shift) % 26 + 97, text)
        }

        /// How often each letter occurs, and the letters that occur most.
        pub fn frequencies<const N: usize>(
            &self,
            text: Tensor<u8, N>,
        ) -> (Tensor<i32, 26>, Tensor<u8, 3>) {
            let counts = (text.insert_axis(1) - 97)
                .one_hot::<i32, 26>()
                .sum_axis([0, 1]);
            let (_, best) = counts.top_k(3);
            (counts, best as u8 + 97)
        }

        /// Letters that differ from the one before them, how often they repeat, and how many runs there are.
        pub fn runs<const N: usize>(
            &self,
            text: Tensor<u8, N>,
        ) -> (Tensor<u8, N>, Tensor<i32, N>, Tensor<i32>) {
            let first = concatenate([ones::<bool, 1>(), text[s![1..]] != text[s![..-1]]], 0);
            let run = (first as i32).cumsum(0) - 1;
            let lengths = zeros::<i32, N>().scatter_add(run, ones::<i32, N>(), 0);
            let letters = zeros::<u8, N>().scatter(run, text, 0);
            (letters, lengths, run[-1] + 1)
        }

        /// Whether brackets match.
        pub fn balanced<const N: usize>(&self, text: Tensor<u8, N>) -> Tensor<bool> {
            let depth = ((text == 40) as i32 - (text == 41) as i32).cumsum(0);
            (depth >= 0).all() & (depth[-1] == 0)
        }
    }
}

#[test]
fn letters_are_numbers() {
    on_devices(|device| {
        let program = codes::Codes::load(device).unwrap();
        at_sizes(device, &[1, 2, 10, 77], |n| {
            let mut numbers = Numbers::new(n as u64);
            let text = Array1::from_shape_simple_fn(n, || b"aab bcz.a"[numbers.below(9)]);
            let key = b"lemon";
            let right: Vec<_> = text
                .iter()
                .enumerate()
                .map(|(i, letter)| match letter.is_ascii_lowercase() {
                    true => b'a' + (letter - b'a' + key[i % 5] - b'a') % 26,
                    false => *letter,
                })
                .collect();
            same(
                ("encrypt", n),
                &program.encrypt(&text, *key).unwrap(),
                &right,
            );

            let mut counts = [0; 26];
            text.iter()
                .filter(|l| l.is_ascii_lowercase())
                .for_each(|l| counts[usize::from(l - b'a')] += 1);
            let mut order: Vec<u8> = (0..26).collect();
            order.sort_by_key(|k| -counts[usize::from(*k)]);
            let best: Vec<_> = order[..3].iter().map(|k| k + b'a').collect();
            let found = program.frequencies(&text).unwrap();
            same(("counts", n), &found.0, &counts);
            same(("best", n), &found.1, &best);

            let mut runs: Vec<(u8, i32)> = vec![];
            for letter in &text {
                match runs.last_mut() {
                    Some(run) if run.0 == *letter => run.1 += 1,
                    _ => runs.push((*letter, 1)),
                }
            }
            let found = program.runs(&text).unwrap();
            same(("runs", n), &found.2, &[runs.len() as i32]);
            runs.resize(n, (0, 0));
            same(
                ("letters", n),
                &found.0,
                &runs.iter().map(|run| run.0).collect::<Vec<_>>(),
            );
            same(
                ("lengths", n),
                &found.1,
                &runs.iter().map(|run| run.1).collect::<Vec<_>>(),
            );

            for text in ["(", ")(", "()", "(()x)", "())(()", "((a)(b))()"] {
                let (mut depth, mut right) = (0, true);
                for letter in text.bytes() {
                    depth += i32::from(letter == b'(') - i32::from(letter == b')');
                    right &= depth >= 0;
                }
                let letters: Array1<u8> = text.bytes().collect();
                same(
                    text,
                    &program.balanced(&letters).unwrap(),
                    &[right && depth == 0],
                );
            }
        });
    });
}
