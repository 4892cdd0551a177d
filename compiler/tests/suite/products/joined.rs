//! Products whose axes a transpose takes apart, as heads and tokens change places before and after attention.

use super::{call, single};
use crate::{
    device::{Call, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::Failed;
use ndarray::{Array2, Array3, Array4, ArrayView2, s};

pub(super) fn joined() -> Result<(), Failed> {
    let calls: Vec<_> = ALL.iter().flat_map(Sizes::calls).collect();
    let procedures: String = ALL.iter().map(Sizes::procedures).collect();
    let source = format!("mod joined {{ pub struct P; impl P {{ {procedures} }} }}");
    check_calls(trace_right(&source)?, &calls, CpuLevel::of_this_machine())
}

/// How many texts, tokens of a text and heads there are, and numbers of a head.
struct Sizes {
    n: usize,
    s: usize,
    h: usize,
    d: usize,
}

/// The last are too small for a dispatch more.
const ALL: [Sizes; 3] = [
    Sizes {
        n: 3,
        s: 65,
        h: 4,
        d: 8,
    },
    Sizes {
        n: 2,
        s: 64,
        h: 2,
        d: 32,
    },
    Sizes {
        n: 2,
        s: 5,
        h: 3,
        d: 4,
    },
];

impl Sizes {
    fn procedures(&self) -> String {
        let Self { n, s, h, d } = self;
        let w = h * d;
        let types = format!(
            "p: Tensor<f32, {n}, {h}, {s}, {s}>, x: Tensor<f32, {n}, {s}, {w}>, w: Tensor<f32, {w}, {w}>"
        );
        format!(
            "pub fn matmul_{s}(&self, {types}) -> Tensor<f32, {n}, {s}, {w}> {{
                let v = x.reshape([{n}, {s}, {h}, {d}]).swap_axes(1, 2);
                p.matmul(v).swap_axes(1, 2).reshape([{n}, {s}, {w}]).matmul(w)
            }}
            pub fn einsum_{s}(&self, {types}) -> Tensor<f32, {n}, {s}, {w}> {{
                let v = x.reshape([{n}, {s}, {h}, {d}]);
                let y = einsum!(\"nhqk,nkhd->nqhd\", p, v) * 2;
                y.reshape([{n}, {s}, {w}]).matmul(w)
            }}
            pub fn split_{s}(&self, {types}) -> Tensor<f32, {n}, {h}, {s}, {s}> {{
                let q = x.matmul(w).reshape([{n}, {s}, {h}, {d}]).swap_axes(1, 2);
                p - q.matmul(q.swap_axes(2, 3))
            }}"
        )
    }

    fn calls(&self) -> [Call; 3] {
        let Self { n, s, h, d } = *self;
        let w = h * d;
        let data = Data::of(self);
        let inputs = || {
            vec![
                single(data.p.iter().copied(), &[n, h, s, s]),
                single(data.x.iter().copied(), &[n, s, w]),
                single(data.w.iter().copied(), &[w, w]),
            ]
        };
        let joined = data.joined();
        let once = single(joined.iter().copied(), &[n, s, w]);
        let twice = single(joined.iter().map(|x| x * 2.0), &[n, s, w]);
        let split = single(data.split(d).iter().copied(), &[n, h, s, s]);
        [
            call(&format!("matmul_{s}"), inputs(), once, 0.0),
            call(&format!("einsum_{s}"), inputs(), twice, 0.0),
            call(&format!("split_{s}"), inputs(), split, 0.0),
        ]
    }
}

/// Small integers, so that all sums are exact.
struct Data {
    p: Array4<f64>,
    x: Array3<f64>,
    w: Array2<f64>,
}

impl Data {
    fn of(&Sizes { n, s, h, d }: &Sizes) -> Self {
        let number = |at: usize| ((at * 29 + at / 7) % 5) as f64 - 2.0;
        let w = h * d;
        Self {
            p: Array4::from_shape_fn((n, h, s, s), |(i, j, k, l)| {
                number(((i * h + j) * s + k) * s + l)
            }),
            x: Array3::from_shape_fn((n, s, w), |(i, j, k)| number((i * s + j) * w + k)),
            w: Array2::from_shape_fn((w, w), |(i, j)| number(i * w + j + 3)),
        }
    }

    /// The numbers of all heads side by side, multiplied by `w`.
    fn joined(&self) -> Array3<f64> {
        let mut all = self.x.clone();
        let size = self.w.nrows() / self.p.dim().1;
        for ((text, head), p) in self.heads() {
            let columns = s![text, .., head * size..(head + 1) * size];
            all.slice_mut(columns)
                .assign(&p.dot(&self.x.slice(columns)));
        }
        for mut text in all.outer_iter_mut() {
            let joined = text.dot(&self.w);
            text.assign(&joined);
        }
        all
    }

    /// What is left of `p` without the products of all rows of `x w`, head by head.
    fn split(&self, size: usize) -> Array4<f64> {
        let mut all = self.p.clone();
        for ((text, head), p) in self.heads() {
            let q = self.x.slice(s![text, .., ..]).dot(&self.w);
            let q = q.slice(s![.., head * size..(head + 1) * size]);
            all.slice_mut(s![text, head, .., ..])
                .assign(&(&p - &q.dot(&q.t())));
        }
        all
    }

    /// The matrix of each head of each text.
    fn heads(&self) -> impl Iterator<Item = ((usize, usize), ArrayView2<'_, f64>)> {
        let (texts, heads, ..) = self.p.dim();
        let all = (0..texts).flat_map(move |text| (0..heads).map(move |head| (text, head)));
        all.map(|(text, head)| ((text, head), self.p.slice(s![text, head, .., ..])))
    }
}
