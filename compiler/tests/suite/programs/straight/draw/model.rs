//! Procedures as models are: rows of any number, matrices of known sizes, and products of both.

use super::{Draw, Size, Type};
use crate::programs::straight::step::Operation;
use iree_abi::DType;

/// Most models are computed in the first.
const DTYPES: [DType; 6] = [
    DType::F32,
    DType::F32,
    DType::F32,
    DType::F32,
    DType::F64,
    DType::BF16,
];

impl Draw {
    /// Draws parameters: some with rows, one of them at least, then weights.
    pub(super) fn begin_model(&mut self) {
        let rows = match self.below(4) {
            0 => vec![Size::N, Size::M],
            _ => vec![Size::N],
        };
        let widths = [(); 2].map(|()| Size::known(self.one_of(self.extents.sizes)));
        self.pool = [rows.as_slice(), &widths].concat();
        let dtype = self.one_of(&DTYPES);
        let with_rows = 1 + self.below(2);
        for _ in 0..with_rows {
            let sizes = [rows.as_slice(), &[self.one_of(&widths)]].concat();
            self.declare(dtype, sizes);
        }
        let weights = 1 + self.below(2);
        for _ in 0..weights {
            let rank = [1, 2, 2, 2, 3][self.below(5)];
            let sizes = (0..rank).map(|_| self.one_of(&widths)).collect();
            self.declare(dtype, sizes);
        }
    }

    /// Adds a layer, a product, or a matrix that is transposed; none if nothing fits.
    pub(super) fn add_part_of_model(&mut self) -> Option<()> {
        match self.below(6) {
            0 | 1 => self.layer(),
            2 => self.multiplied_with_transposed(),
            3 => {
                let x = self.value(|ty| ty.rank() == 2)?;
                let Type { dtype, sizes } = self.ty(x);
                let sizes = [sizes[1], sizes[0]];
                let step = self.step(Operation::Transpose, &[x], dtype, &sizes)?;
                self.keep(step)
            }
            _ => {
                let step = self.contraction()?;
                self.keep(step)
            }
        }
    }
}
