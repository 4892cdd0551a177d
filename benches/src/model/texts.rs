//! What every side is given.

use ndarray::{Array2, ArrayD};

/// The words that the model knows.
const VOCABULARY: usize = 30522;

/// The tokens of some texts, and which of them count.
pub(super) struct Texts {
    pub(super) tokens: Array2<i32>,
    pub(super) mask: Array2<bool>,
}

impl Texts {
    /// So many texts of so many places. Every fourth fills them; the others are up to three eighths shorter.
    pub(super) fn of((texts, places): (usize, usize)) -> Self {
        let token = |(text, place)| (text * 7919 + place * 104_729 + 1) % VOCABULARY;
        Self {
            tokens: Array2::from_shape_fn((texts, places), |at| token(at) as i32),
            mask: Array2::from_shape_fn((texts, places), |(text, place)| {
                place < places - text % 4 * places / 8
            }),
        }
    }

    /// The same as the scripts read it.
    pub(super) fn inputs(&self) -> Vec<ArrayD<f32>> {
        let tokens = self.tokens.mapv(|token| token as f32);
        let mask = self.mask.mapv(|is_token| f32::from(u8::from(is_token)));
        vec![tokens.into_dyn(), mask.into_dyn()]
    }
}
