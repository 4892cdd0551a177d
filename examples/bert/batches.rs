//! Texts as the program takes them: rows of tokens, filled up to one length.

use ndarray::{Array2, s};

/// Some texts.
pub(crate) struct Batch {
    /// Which of all texts they are.
    pub(crate) places: Vec<usize>,
    pub(crate) tokens: Array2<i32>,
    /// Where there are tokens.
    pub(crate) mask: Array2<bool>,
}

/// Batches of texts of about one length, so that little is filled up.
pub(crate) fn batches(texts: &[Vec<i32>], size: usize) -> impl Iterator<Item = Batch> {
    let mut places: Vec<_> = (0..texts.len()).collect();
    places.sort_by_key(|place| texts[*place].len());
    let chunks: Vec<_> = places.chunks(size).map(<[_]>::to_vec).collect();
    chunks.into_iter().map(|places| Batch::new(texts, places))
}

impl Batch {
    /// Those of the texts that are at these places.
    pub(crate) fn new(texts: &[Vec<i32>], places: Vec<usize>) -> Self {
        let rows = places.iter().map(|place| &texts[*place]);
        let longest = rows.clone().map(Vec::len).max().unwrap_or_default();
        let mut tokens = Array2::zeros((places.len(), longest));
        let mut mask = Array2::from_elem(tokens.dim(), false);
        for (row, text) in rows.enumerate() {
            for (column, token) in text.iter().enumerate() {
                tokens[[row, column]] = *token;
                mask[[row, column]] = true;
            }
        }
        Self {
            places,
            tokens,
            mask,
        }
    }

    /// The same with longer rows.
    pub(crate) fn filled_up(&self, length: usize) -> Self {
        let (rows, columns) = self.tokens.dim();
        let mut tokens = Array2::zeros((rows, length));
        let mut mask = Array2::from_elem((rows, length), false);
        tokens.slice_mut(s![.., ..columns]).assign(&self.tokens);
        mask.slice_mut(s![.., ..columns]).assign(&self.mask);
        Self {
            places: self.places.clone(),
            tokens,
            mask,
        }
    }
}

#[test]
fn batches_have_each_text_once_and_sort_by_length() {
    let texts: Vec<Vec<i32>> = [4, 1, 3, 1, 2].map(|length| vec![7; length]).into();
    let batches: Vec<_> = batches(&texts, 2).collect();
    let places = batches.iter().map(|batch| &batch.places[..]);
    assert_eq!(places.collect::<Vec<_>>(), [&[1, 3][..], &[4, 2], &[0]]);
    let middle = &batches[1];
    assert_eq!(middle.tokens, ndarray::array![[7, 7, 0], [7, 7, 7]]);
    assert_eq!(middle.mask, middle.tokens.mapv(|token| token == 7));
    assert_eq!(middle.filled_up(5).tokens.row(0).to_vec(), [7, 7, 0, 0, 0]);
}
