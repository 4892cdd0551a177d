//! See [`recurrent`].

use iree_dsl::prelude::*;

/// Layers that read one row after the other and hand on a state.
///
/// | kernel | in PyTorch | source |
/// |---|---|---|
/// | `rnn_cell(cell, x, h)`, `rnn(cell, xs, h)` | `nn.RNNCell`, `nn.RNN` | Elman, *Finding structure in time*, 1990 |
/// | `lstm_cell(cell, x, state)`, `lstm(cell, xs, state)` | `nn.LSTMCell`, `nn.LSTM` | Hochreiter and Schmidhuber, *Long short-term memory*, 1997; with the gate of Gers et al., *Learning to forget*, 2000 |
/// | `gru_cell(cell, x, h)`, `gru(cell, xs, h)` | `nn.GRUCell`, `nn.GRU` | Cho et al., *Learning phrase representations using RNN encoder–decoder*, 2014, <https://arxiv.org/abs/1406.1078> |
///
/// A cell reads a row, the other kernel all rows along the first axis, and returns the output of each and the last
/// state. The state of `lstm` is a pair of the output and what the cell remembers. Axes between the first and that of
/// the features are of a batch.
#[kernel]
pub mod recurrent {
    /// The parameters of a cell that has `GATES` times as many rows as outputs.
    #[derive(Clone, Debug)]
    pub struct Cell<
        const INPUT_SIZE: usize,
        const HIDDEN_SIZE: usize,
        const GATES: usize,
        T: Float = f32,
    > {
        /// What gates take from the input.
        pub weight_ih: Tensor<T, { GATES * HIDDEN_SIZE }, INPUT_SIZE>,
        /// What gates take from the state.
        pub weight_hh: Tensor<T, { GATES * HIDDEN_SIZE }, HIDDEN_SIZE>,
        /// What is added to the part of the input.
        pub bias_ih: Tensor<T, { GATES * HIDDEN_SIZE }>,
        /// What is added to the part of the state.
        pub bias_hh: Tensor<T, { GATES * HIDDEN_SIZE }>,
    }

    pub type RnnCell<const INPUT_SIZE: usize, const HIDDEN_SIZE: usize> =
        Cell<INPUT_SIZE, HIDDEN_SIZE, 1>;
    /// The gates are input, forget, cell and output.
    pub type LstmCell<const INPUT_SIZE: usize, const HIDDEN_SIZE: usize> =
        Cell<INPUT_SIZE, HIDDEN_SIZE, 4>;
    /// The gates are reset, update and new.
    pub type GruCell<const INPUT_SIZE: usize, const HIDDEN_SIZE: usize> =
        Cell<INPUT_SIZE, HIDDEN_SIZE, 3>;

    pub fn rnn_cell<T: Float, B: Dims, const I: usize, const H: usize>(
        cell: Cell<I, H, 1, T>,
        x: Tensor<T, B, I>,
        h: Tensor<T, B, H>,
    ) -> Tensor<T, B, H> {
        (input(cell, x) + state(cell, h)).tanh()
    }

    pub fn rnn<T: Float, B: Dims, const L: usize, const I: usize, const H: usize>(
        cell: Cell<I, H, 1, T>,
        xs: Tensor<T, L, B, I>,
        h: Tensor<T, B, H>,
    ) -> (Tensor<T, L, B, H>, Tensor<T, B, H>) {
        let (last, outputs) = scan(h, xs, |h, x| {
            let h = rnn_cell(cell, x, h);
            (h, h)
        });
        (outputs, last)
    }

    pub fn lstm_cell<T: Float, B: Dims, const I: usize, const H: usize>(
        cell: Cell<I, H, 4, T>,
        x: Tensor<T, B, I>,
        (h, c): (Tensor<T, B, H>, Tensor<T, B, H>),
    ) -> (Tensor<T, B, H>, Tensor<T, B, H>) {
        let [i, f, g, o] = (input(cell, x) + state(cell, h)).split(4, -1);
        let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
        (o.sigmoid() * c.tanh(), c)
    }

    pub fn lstm<T: Float, B: Dims, const L: usize, const I: usize, const H: usize>(
        cell: Cell<I, H, 4, T>,
        xs: Tensor<T, L, B, I>,
        state: (Tensor<T, B, H>, Tensor<T, B, H>),
    ) -> (Tensor<T, L, B, H>, (Tensor<T, B, H>, Tensor<T, B, H>)) {
        let (last, outputs) = scan(state, xs, |state, x| {
            let (h, c) = lstm_cell(cell, x, state);
            ((h, c), h)
        });
        (outputs, last)
    }

    pub fn gru_cell<T: Float, B: Dims, const I: usize, const H: usize>(
        cell: Cell<I, H, 3, T>,
        x: Tensor<T, B, I>,
        h: Tensor<T, B, H>,
    ) -> Tensor<T, B, H> {
        let [r, z, n] = input(cell, x).split(3, -1);
        let [hr, hz, hn] = state(cell, h).split(3, -1);
        let (r, z) = ((r + hr).sigmoid(), (z + hz).sigmoid());
        let n = (n + r * hn).tanh();
        n + z * (h - n)
    }

    pub fn gru<T: Float, B: Dims, const L: usize, const I: usize, const H: usize>(
        cell: Cell<I, H, 3, T>,
        xs: Tensor<T, L, B, I>,
        h: Tensor<T, B, H>,
    ) -> (Tensor<T, L, B, H>, Tensor<T, B, H>) {
        let (last, outputs) = scan(h, xs, |h, x| {
            let h = gru_cell(cell, x, h);
            (h, h)
        });
        (outputs, last)
    }

    fn input<T: Float, B: Dims, const I: usize, const H: usize, const GATES: usize>(
        cell: Cell<I, H, GATES, T>,
        x: Tensor<T, B, I>,
    ) -> Tensor<T, B, { GATES * H }> {
        x.matmul(cell.weight_ih.t()) + cell.bias_ih
    }

    fn state<T: Float, B: Dims, const I: usize, const H: usize, const GATES: usize>(
        cell: Cell<I, H, GATES, T>,
        h: Tensor<T, B, H>,
    ) -> Tensor<T, B, { GATES * H }> {
        h.matmul(cell.weight_hh.t()) + cell.bias_hh
    }
}
