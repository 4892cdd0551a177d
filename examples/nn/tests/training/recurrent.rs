//! Recurrent layers and the slopes of their parameters.

use crate::oracle::{Oracle, on_devices};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3};
use nn::recurrent::Cell;

#[program]
mod recurrent {
    #[kernel]
    use nn::recurrent::{GruCell, LstmCell, RnnCell, gru, lstm, rnn};

    pub struct Recurrent;

    impl Recurrent {
        pub fn rnn<const L: usize>(
            &self,
            cell: RnnCell<3, 4>,
            xs: Tensor<f32, L, 2, 3>,
            h: Tensor<f32, 2, 4>,
        ) -> (Tensor<f32, L, 2, 4>, RnnCell<3, 4>) {
            let (outputs, _) = rnn(cell, xs, h);
            (outputs, grad(|cell| rnn(cell, xs, h).0.sin().sum())(cell))
        }

        pub fn lstm(
            &self,
            cell: LstmCell<3, 4>,
            xs: Tensor<f32, 5, 2, 3>,
            state: (Tensor<f32, 2, 4>, Tensor<f32, 2, 4>),
        ) -> (Tensor<f32, 5, 2, 4>, LstmCell<3, 4>) {
            let (outputs, _) = lstm(cell, xs, state);
            (
                outputs,
                grad(|cell| lstm(cell, xs, state).0.sin().sum())(cell),
            )
        }

        pub fn gru<const L: usize>(
            &self,
            cell: GruCell<3, 4>,
            xs: Tensor<f32, L, 2, 3>,
            h: Tensor<f32, 2, 4>,
        ) -> (Tensor<f32, L, 2, 4>, GruCell<3, 4>) {
            let ((_, outputs), slope) = value_and_grad(|cell| {
                let (outputs, _) = gru(cell, xs, h);
                (outputs.sin().sum(), outputs)
            })(cell);
            (outputs, slope)
        }
    }
}

fn cell<const GATES: usize>(
    device: &Device,
    oracle: &Oracle,
    name: &str,
) -> Cell<3, 4, GATES, f32> {
    let matrix = |part: &str| -> Array2<f32> { oracle.array(&format!("recurrent/{name}_{part}")) };
    let vector = |part: &str| -> Array1<f32> { oracle.array(&format!("recurrent/{name}_{part}")) };
    Cell::upload(
        device,
        &matrix("wi"),
        &matrix("wh"),
        &vector("bi"),
        &vector("bh"),
    )
    .unwrap()
}

fn check<const GATES: usize>(
    oracle: &Oracle,
    name: &str,
    (outputs, slopes): (DeviceArray<f32, ndarray::Ix3>, Cell<3, 4, GATES, f32>),
) {
    oracle.check(&format!("recurrent/{name}"), &outputs);
    oracle.check(&format!("recurrent/{name}_dwi"), &slopes.weight_ih);
    oracle.check(&format!("recurrent/{name}_dwh"), &slopes.weight_hh);
    oracle.check(&format!("recurrent/{name}_dbi"), &slopes.bias_ih);
    oracle.check(&format!("recurrent/{name}_dbh"), &slopes.bias_hh);
}

#[test]
fn states_are_handed_on() {
    on_devices(|device, oracle| {
        let program = recurrent::Recurrent::load(device).unwrap();
        let xs: Array3<f32> = oracle.array("recurrent/xs");
        let h: Array2<f32> = oracle.array("recurrent/h");
        let c: Array2<f32> = oracle.array("recurrent/c");
        let found = program.rnn(cell(device, oracle, "rnn"), &xs, &h);
        check(oracle, "rnn", found.unwrap());
        let found = program.lstm(cell(device, oracle, "lstm"), &xs, (&h, &c));
        check(oracle, "lstm", found.unwrap());
        let found = program.gru(cell(device, oracle, "gru"), &xs, &h);
        check(oracle, "gru", found.unwrap());
    });
}
