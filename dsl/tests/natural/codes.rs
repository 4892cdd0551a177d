//! Bytes that are hashed and mended.

use crate::common::{cases, same};
use iree_dsl::prelude::*;
use ndarray::Array1;

/// The secure hash with 256 bits.
#[program]
mod sha256 {
    pub struct Sha;

    impl Sha {
        /// Of blocks of 16 words, which are padded already.
        pub fn digest<const N: usize>(
            &self,
            blocks: Tensor<u32, N, 16>,
            rounds: Tensor<u32, 64>,
        ) -> Tensor<u32, 8> {
            let start: Tensor<u32, 8> = tensor([
                0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                0x5be0cd19,
            ]);
            let (state, _) = scan(start, blocks, |state: Tensor<u32, 8>, block| {
                let mut w = pad!(block, high = [48]);
                for i in range(16, 64) {
                    let (a, b) = (w[i - 15], w[i - 2]);
                    let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3);
                    let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10);
                    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
                }
                let next = fori(64, state, |i, v| {
                    let (a, e) = (v[0], v[4]);
                    let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
                    let choice = (e & v[5]) ^ (!e & v[6]);
                    let t1 = v[7] + s1 + choice + rounds[i] + w[i];
                    let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
                    let majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
                    let mut moved = v.roll(1, 0);
                    moved[0] = t1 + s0 + majority;
                    moved[4] = v[3] + t1;
                    moved
                });
                (state + next, next[0])
            });
            state
        }

        /// The padded words of a text, big-endian.
        pub fn blocks<const L: usize>(
            &self,
            text: Tensor<u8, L>,
        ) -> Tensor<u32, { (L + 72) / 64 }, 16> {
            let mut bytes = zeros::<u8, { (L + 72) / 64 * 64 }>();
            bytes[s![..L]] = text;
            bytes[s![L]] = 128;
            let words = bytes.reshape([-1, 4]) as u32;
            let shifts: Tensor<u32, 4> = tensor([24, 16, 8, 0]);
            let mut words = (words << shifts).sum_axis(1);
            words[-1] = 8 * L as u32;
            words.reshape([(L + 72) / 64, 16])
        }
    }

    #[kernel]
    fn rotate(x: Tensor<u32>, by: u32) -> Tensor<u32> {
        x >> by | x << (32 - by)
    }
}

#[test]
fn sha_256() {
    let primes: Vec<u64> = (2u64..312)
        .filter(|n| (2..*n).all(|d| n % d != 0))
        .collect();
    // The first bits of the fractions of cubic roots, by integers.
    let k: Vec<u32> = primes
        .iter()
        .take(64)
        .map(|p| {
            let goal = (*p as u128) << 96;
            let mut x = 0u128;
            for b in (0..36).rev() {
                let t = x | 1 << b;
                if t * t * t <= goal {
                    x = t;
                }
            }
            x as u32
        })
        .collect();
    assert_eq!(k[0], 0x428a2f98);
    let right = |text: &[u8]| {
        let mut m = text.to_vec();
        m.push(128);
        while m.len() % 64 != 56 {
            m.push(0);
        }
        m.extend((text.len() as u64 * 8).to_be_bytes());
        let mut h = [
            0x6a09e667u32,
            0xbb67ae85,
            0x3c6ef372,
            0xa54ff53a,
            0x510e527f,
            0x9b05688c,
            0x1f83d9ab,
            0x5be0cd19,
        ];
        for c in m.chunks(64) {
            let mut w: Vec<u32> = c
                .chunks(4)
                .map(|b| u32::from_be_bytes(b.try_into().unwrap()))
                .collect();
            for i in 16..64 {
                let (a, b) = (w[i - 15], w[i - 2]);
                w.push(
                    w[i - 16]
                        .wrapping_add(a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3)
                        .wrapping_add(w[i - 7])
                        .wrapping_add(b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10),
                );
            }
            let mut v = h;
            for i in 0..64 {
                let (a, e) = (v[0], v[4]);
                let t1 = v[7]
                    .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                    .wrapping_add((e & v[5]) ^ (!e & v[6]))
                    .wrapping_add(k[i])
                    .wrapping_add(w[i]);
                let t2 = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22))
                    .wrapping_add((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
                v = [
                    t1.wrapping_add(t2),
                    v[0],
                    v[1],
                    v[2],
                    v[3].wrapping_add(t1),
                    v[4],
                    v[5],
                    v[6],
                ];
            }
            for i in 0..8 {
                h[i] = h[i].wrapping_add(v[i]);
            }
        }
        h
    };
    assert_eq!(right(b"abc")[0], 0xba7816bf);
    cases(&[0usize, 1, 3, 55, 56, 64, 130], |device, n, r| {
        let p = sha256::Sha::load(device).unwrap();
        let text = Array1::from_shape_fn(n, |_| r.below(256) as u8);
        let blocks = p.blocks(&text).unwrap();
        let found = p.digest(&blocks, &Array1::from(k.clone())).unwrap();
        same(("sha", n), &found, &right(text.as_slice().unwrap()));
    });
}

/// Reed's and Solomon's code over bytes, with eight checks.
#[program]
mod reed_solomon {
    const CHECKS: usize = 8;
    pub struct ReedSolomon {
        #[global]
        exp: Tensor<u8, 512>,
        #[global]
        log: Tensor<i32, 256>,
    }

    impl ReedSolomon {
        pub fn prepare(&mut self) {
            self.exp = exponents();
            self.log = zeros::<i32, 256>().scatter(self.exp[s![..255]], arange::<i32, 255>(), 0);
        }

        fn product<const N: usize>(&self, a: Tensor<u8, N>, b: Tensor<u8>) -> Tensor<u8, N> {
            let place = self.log.take(a, 0) + self.log[b];
            select((a == 0) | (b == 0), 0, self.exp.take(place, 0))
        }

        /// The message with eight check bytes.
        pub fn encode<const N: usize>(&self, message: Tensor<u8, N>) -> Tensor<u8, { N + CHECKS }> {
            let mut generator = pad!(ones::<u8, 1>(), high = [CHECKS]);
            for k in 0..CHECKS {
                generator ^= pad!(self.product(generator, self.exp[k]), low = [1], high = [-1]);
            }
            let mut rest = zeros::<u8, CHECKS>();
            for i in 0..N {
                let lead = message[i] ^ rest[0];
                rest = pad!(rest, low = [-1], high = [1]) ^ self.product(generator[s![1..]], lead);
            }
            concatenate([message, rest], 0)
        }

        /// Zero for words that are right.
        pub fn syndromes<const N: usize>(&self, word: Tensor<u8, N>) -> Tensor<u8, CHECKS> {
            let mut sums = zeros::<u8, CHECKS>();
            let roots = self.exp[s![..CHECKS]];
            for i in 0..N {
                let place = self.log.take(sums, 0) + self.log.take(roots, 0);
                sums = select(sums == 0, 0, self.exp.take(place, 0)) ^ word[i];
            }
            sums
        }

        /// Mends one byte that is wrong; where it was, -1 if nowhere.
        pub fn mend<const N: usize>(&self, word: Tensor<u8, N>) -> (Tensor<u8, N>, Tensor<i32>) {
            let s = self.syndromes(word);
            if (s == 0).all() {
                return (word, -1);
            }
            let shift = (self.log[s[1]] - self.log[s[0]]).rem_euclid(255);
            let place = N as i32 - 1 - shift;
            let mut mended = word;
            mended[place] = mended[place] ^ s[0];
            (mended, place)
        }
    }

    #[kernel]
    fn exponents() -> Tensor<u8, 512> {
        let mut table = zeros::<u8, 512>();
        let mut x = 1;
        for i in range(0, 512) {
            table[i] = x as u8;
            x = x << 1;
            if x & 256 != 0 {
                x = x ^ 285;
            }
        }
        table
    }
}

#[test]
fn codes_that_mend() {
    let mut exp = vec![0usize; 512];
    let mut log = [0usize; 256];
    let mut x = 1;
    for (i, power) in exp.iter_mut().enumerate() {
        *power = x;
        if i < 255 {
            log[x] = i;
        }
        x <<= 1;
        if x & 256 != 0 {
            x ^= 285;
        }
    }
    let mul = |a: u8, b: u8| {
        if a == 0 || b == 0 {
            0
        } else {
            exp[log[a as usize] + log[b as usize]] as u8
        }
    };
    cases(&[0usize, 1, 5, 60], |device, n, r| {
        let mut p = reed_solomon::ReedSolomon::load(device).unwrap();
        p.prepare().unwrap();
        let m = Array1::from_shape_fn(n, |_| r.below(256) as u8);
        let mut g = vec![1u8];
        for root in &exp[..8] {
            let mut h = g.clone();
            h.push(0);
            for i in 0..g.len() {
                h[i + 1] ^= mul(g[i], *root as u8);
            }
            g = h;
        }
        let mut w = m.to_vec();
        w.extend([0; 8]);
        for i in 0..n {
            let l = w[i];
            for j in 1..9 {
                w[i + j] ^= mul(g[j], l);
            }
        }
        w[..n].copy_from_slice(m.as_slice().unwrap());
        let word = p.encode(&m).unwrap();
        same(("encode", n), &word, &w);
        same(("zero", n), &p.syndromes(&word).unwrap(), &[0; 8]);
        let (back, at) = p.mend(&word).unwrap();
        same(("as it was", n), &back, &w);
        assert_eq!(at.to_scalar().unwrap(), -1);
        let mut bad = w.clone();
        let k = r.below(n + 8);
        bad[k] ^= 1 + r.below(255) as u8;
        let (back, at) = p.mend(&Array1::from(bad)).unwrap();
        same(("mended", n), &back, &w);
        assert_eq!(at.to_scalar().unwrap(), k as i32);
    });
}
