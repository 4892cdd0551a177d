//! Calls of programs that change globals, drawn at random, queued one after the other, against what plain Rust computes.

use iree_dsl::{Error, Parameters, prelude::*};
use ndarray::{Array1, Array2, Ix2};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::mem;

const ROWS: usize = 8;
const COLUMNS: usize = 2048;

const DEVICES: [&str; 6] = [
    "local-sync",
    "local-task?workers=1",
    "local-task?workers=2",
    "local-task?workers=4",
    "local-task?workers=1&queued",
    "local-task?workers=2&queued",
];

#[program]
mod tables {
    const ROWS: usize = 8;
    const COLUMNS: usize = 2048;

    pub struct Tables {
        #[global]
        first: Tensor<i32, ROWS, COLUMNS>,
        #[global(init = ones())]
        second: Tensor<i32, ROWS, COLUMNS>,
        #[global]
        calls: Tensor<i32>,
    }

    impl Tables {
        pub fn set_row(&mut self, row: Tensor<i32>, value: Tensor<i32>) {
            self.first[row] = full(value);
            self.calls += 1;
        }

        pub fn set_last_row(&mut self, row: Tensor<i32, COLUMNS>) {
            self.first[7] = row;
        }

        pub fn set_rows(&mut self, row: Tensor<i32>, rows: Tensor<i32, ROWS, COLUMNS>) {
            self.second[row] = rows[row];
        }

        pub fn swap(&mut self) {
            let first = self.first;
            self.first = self.second;
            self.second = first;
        }

        /// Reads both a while later, and writes one.
        pub fn add_late(&mut self, slow: Tensor<f32, 256, 256>) {
            self.second = (self.second + self.first + late(slow)) & 0xffff;
        }

        /// Reads one a while later.
        pub fn get_late(&self, slow: Tensor<f32, 256, 256>) -> Tensor<i32, ROWS, COLUMNS> {
            self.first - self.second * (late(slow) + 2)
        }

        pub fn get(
            &self,
        ) -> (
            Tensor<i32, ROWS, COLUMNS>,
            Tensor<i32, ROWS, COLUMNS>,
            Tensor<i32>,
        ) {
            (self.first, self.second, self.calls)
        }

        pub fn replace(&mut self, table: Tensor<i32, ROWS, COLUMNS>) -> Tensor<i32, ROWS, COLUMNS> {
            let old = self.first;
            self.first = table;
            old
        }

        /// Keeps what it returns.
        pub fn both(&mut self, table: Tensor<i32, ROWS, COLUMNS>) -> Tensor<i32, ROWS, COLUMNS> {
            let sum = (table + self.second) & 0xffff;
            self.first = sum;
            sum
        }

        /// Changes what it is given.
        pub fn change(
            &mut self,
            table: Tensor<i32, ROWS, COLUMNS>,
            row: Tensor<i32>,
        ) -> Tensor<i32, ROWS, COLUMNS> {
            let mut table = table;
            table[row] = self.first[row];
            self.calls += 1;
            table
        }

        /// Waits in the middle, each round.
        pub fn rounds(&mut self, rounds: Tensor<i32>) {
            for i in range(0, rounds) {
                self.first[i % 8] = (self.first[i % 8] + self.second[(i + 1) % 8]) & 0xffff;
                self.calls += 1;
            }
        }

        /// Waits in the middle for what the globals are.
        pub fn branch(&mut self, row: Tensor<i32>) {
            if self.first[(row, 0)] % 2 == 0 {
                self.second[row] = self.first[row] + 1;
            } else {
                self.first = (self.first * 3) & 0xffff;
            }
        }

        /// Fails in the middle.
        pub fn check(&mut self, value: Tensor<i32>) {
            self.second[0] = self.first[1];
            assert!(value > 0, "it is positive");
            self.calls += value;
        }
    }

    /// Zeros, after a while.
    #[kernel]
    fn late(slow: Tensor<f32, 256, 256>) -> Tensor<i32, ROWS, 1> {
        let mut product = slow;
        for _ in 0..4 {
            product = product.dot(slow) / 256.0;
        }
        product[s![..8, ..1]] as i32 - 1
    }
}

use tables::Tables;

/// What happens to one of two programs.
#[derive(Clone, Debug)]
enum Action {
    SetRow(usize, i32),
    SetLastRow(i32),
    SetRows(usize, Index),
    Swap,
    AddLate,
    GetLate,
    Get,
    Replace(Index, bool),
    Both(Index, bool),
    Change(Index, bool, usize),
    Rounds(usize),
    Branch(usize),
    Check(bool),
    SaveAndRestore,
    Read(Index),
    Forget(Index),
}

fn action() -> impl Strategy<Value = Action> {
    let row = || 0..ROWS;
    let any_table = any::<Index>;
    prop_oneof![
        4 => (row(), 0..1000i32).prop_map(|(row, value)| Action::SetRow(row, value)),
        4 => (0..1000i32).prop_map(Action::SetLastRow),
        2 => (row(), any_table()).prop_map(|(row, table)| Action::SetRows(row, table)),
        3 => Just(Action::Swap),
        4 => Just(Action::AddLate),
        4 => Just(Action::GetLate),
        3 => Just(Action::Get),
        2 => (any_table(), any::<bool>()).prop_map(|(table, given)| Action::Replace(table, given)),
        2 => (any_table(), any::<bool>()).prop_map(|(table, given)| Action::Both(table, given)),
        3 => (any_table(), any::<bool>(), row())
            .prop_map(|(table, given, row)| Action::Change(table, given, row)),
        1 => (0..20usize).prop_map(Action::Rounds),
        1 => row().prop_map(Action::Branch),
        1 => any::<bool>().prop_map(Action::Check),
        1 => Just(Action::SaveAndRestore),
        1 => any_table().prop_map(Action::Read),
        2 => any_table().prop_map(Action::Forget),
    ]
}

type Table = Array2<i32>;

/// A program and what its globals are.
struct Pair {
    program: Tables,
    first: Table,
    second: Table,
    calls: i32,
}

/// An array of a program and what is in it.
struct Kept {
    array: DeviceArray<i32, Ix2>,
    expected: Table,
}

impl Kept {
    fn check(&self) {
        assert!(self.array.to_array().unwrap() == self.expected);
    }
}

struct Run {
    slow: DeviceArray<f32, Ix2>,
    kept: Vec<Kept>,
}

impl Run {
    fn keep(&mut self, array: DeviceArray<i32, Ix2>, expected: Table) {
        self.kept.push(Kept { array, expected });
    }

    /// One that is there, lent or given away.
    fn pass<R>(
        &mut self,
        index: &Index,
        is_given: bool,
        call: impl FnOnce(Argument<'_, i32, Ix2>) -> R,
    ) -> (R, Table) {
        let place = index.index(self.kept.len());
        match is_given && self.kept.len() > 1 {
            true => {
                let Kept { array, expected } = self.kept.swap_remove(place);
                (call(array.into()), expected)
            }
            false => {
                let Kept { array, expected } = &self.kept[place];
                (call(array.into()), expected.clone())
            }
        }
    }

    fn act(&mut self, pair: &mut Pair, action: &Action) {
        let program = &mut pair.program;
        match action {
            Action::SetRow(row, value) => {
                program.set_row(*row as i32, *value).unwrap();
                pair.first.row_mut(*row).fill(*value);
                pair.calls += 1;
            }
            Action::SetLastRow(value) => {
                let row = Array1::from_elem(COLUMNS, *value);
                program.set_last_row(&row).unwrap();
                pair.first.row_mut(ROWS - 1).assign(&row);
            }
            Action::SetRows(row, table) => {
                let set = |table: Argument<'_, _, _>| program.set_rows(*row as i32, table);
                let (outcome, rows) = self.pass(table, false, set);
                outcome.unwrap();
                pair.second.row_mut(*row).assign(&rows.row(*row));
            }
            Action::Swap => {
                program.swap().unwrap();
                mem::swap(&mut pair.first, &mut pair.second);
            }
            Action::AddLate => {
                program.add_late(&self.slow).unwrap();
                pair.second = (&pair.second + &pair.first).mapv(|value| value & 0xffff);
            }
            Action::GetLate => {
                let got = program.get_late(&self.slow).unwrap();
                self.keep(got, &pair.first - &pair.second * 2);
            }
            Action::Get => {
                let (first, second, _) = program.get().unwrap();
                self.keep(first, pair.first.clone());
                self.keep(second, pair.second.clone());
            }
            Action::Replace(table, is_given) => {
                let (old, new) = self.pass(table, *is_given, |table| program.replace(table));
                let expected = mem::replace(&mut pair.first, new);
                self.keep(old.unwrap(), expected);
            }
            Action::Both(table, is_given) => {
                let (sum, table) = self.pass(table, *is_given, |table| program.both(table));
                pair.first = (table + &pair.second).mapv(|value| value & 0xffff);
                self.keep(sum.unwrap(), pair.first.clone());
            }
            Action::Change(table, is_given, row) => {
                let change = |table: Argument<'_, _, _>| program.change(table, *row as i32);
                let (changed, mut table) = self.pass(table, *is_given, change);
                table.row_mut(*row).assign(&pair.first.row(*row));
                pair.calls += 1;
                self.keep(changed.unwrap(), table);
            }
            Action::Rounds(rounds) => {
                program.rounds(*rounds as i32).unwrap();
                for i in 0..*rounds {
                    let row = &pair.first.row(i % ROWS) + &pair.second.row((i + 1) % ROWS);
                    pair.first
                        .row_mut(i % ROWS)
                        .assign(&row.mapv(|value| value & 0xffff));
                }
                pair.calls += *rounds as i32;
            }
            Action::Branch(row) => {
                program.branch(*row as i32).unwrap();
                match pair.first[(*row, 0)] % 2 {
                    0 => (pair.second.row_mut(*row)).assign(&(&pair.first.row(*row) + 1)),
                    _ => pair.first = pair.first.mapv(|value| (value * 3) & 0xffff),
                }
            }
            Action::Check(is_right) => {
                let outcome = program.check(i32::from(*is_right));
                let row = pair.first.row(1).to_owned();
                pair.second.row_mut(0).assign(&row);
                match is_right {
                    true => {
                        outcome.unwrap();
                        pair.calls += 1;
                    }
                    false => assert!(matches!(outcome, Err(Error::Assertion { .. }))),
                }
            }
            Action::SaveAndRestore => {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("state.irpa");
                program.save_parameters(&path).unwrap();
                program.set_row(0, -1).unwrap();
                program
                    .load_parameters(Parameters::open(&path).unwrap())
                    .unwrap();
            }
            Action::Read(table) => self.kept[table.index(self.kept.len())].check(),
            Action::Forget(table) => {
                if self.kept.len() > 1 {
                    self.kept.swap_remove(table.index(self.kept.len()));
                }
            }
        }
    }
}

fn load(device: &Device) -> Pair {
    Pair {
        program: Tables::load(device).unwrap(),
        first: Table::zeros((ROWS, COLUMNS)),
        second: Table::ones((ROWS, COLUMNS)),
        calls: 0,
    }
}

fn run(device: &str, actions: &[(bool, Action)]) {
    let device = Device::open(device).unwrap();
    let slow = device.upload(&Array2::<f32>::ones((256, 256))).unwrap();
    let table = Table::from_shape_fn((ROWS, COLUMNS), |(row, column)| (row * 7 + column) as i32);
    let array = device.upload(&table).unwrap();
    let mut pairs = [load(&device), load(&device)];
    let mut run = Run {
        slow,
        kept: Vec::new(),
    };
    run.keep(array, table);
    for (which, action) in actions {
        run.act(&mut pairs[usize::from(*which)], action);
    }
    for Pair {
        program,
        first,
        second,
        calls,
    } in pairs
    {
        let (got_first, got_second, got_calls) = program.get().unwrap();
        drop(program);
        assert!(got_first.to_array().unwrap() == first);
        assert!(got_second.to_array().unwrap() == second);
        assert_eq!(got_calls.to_scalar().unwrap(), calls);
    }
    run.kept.iter().for_each(Kept::check);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn queued_calls_are_done_in_order(actions in vec((any::<bool>(), action()), 1..120)) {
        for device in DEVICES {
            run(device, &actions);
        }
    }
}
