//! What the language promises, row by row, and the test that holds each row to it on the device.
//!
//! | promise | test |
//! |---|---|
//! | a program is the struct with the `impl`, of any name | `modules::the_name_of_a_program_is_its_own` |
//! | constants and aliases are values, types and dimensions | `items::constants_and_aliases_are_there` |
//! | `&self` reads, `&mut self` stores, helpers are called | `state::procedures_call_each_other` |
//! | kernels see their arguments only, once for each type | `traps::a_kernel_runs_at_three_shapes` |
//! | kernels and trees are imported, through modules too | `modules::programs_share_a_tree_and_reach_modules_through_others` |
//! | kernels are written as MLIR | `mlir::texts_have_an_instance_for_each_type` |
//! | every element type | `dtypes::operations_keep_range_and_precision` |
//! | dimensions are known while building | `contract::dimensions_are_constants_and_expressions` |
//! | dimensions are known at the call, equal by name | `sizes::sizes_are_checked_by_name` |
//! | trees nest in tuples in arrays | `traps::trees_stand_in_tuples_in_arrays` |
//! | trees are generic | `trees::generic_trees_hold_trees` |
//! | static parameters decide while tracing | `statics::texts_are_compared` |
//! | globals start with expressions | `globals::first_values_are_computed_from_constants_and_by_kernels` |
//! | globals start with files | `files::files_stand_wherever_a_value_does` |
//! | globals start with zeros | `trees::trees_start_with_zeros` |
//! | globals start with nothing | `state::a_global_may_get_its_first_value_later` |
//! | globals start with parameters of an archive | `parameters::parameters_are_the_first_values_of_globals` |
//! | globals that never change have first values too | `state::globals_have_their_first_values` |
//! | an alias is another name | `globals::a_store_is_seen_by_every_name` |
//! | reads and writes happen in order | `state::a_value_read_before_a_store_is_the_old_one` |
//! | two globals are swapped | `traps::globals_are_swapped_at_once` |
//! | a part of a tree is stored | `parts::one_element_of_an_array_of_trees_is_stored` |
//! | a slice is stored | `parts::rows_of_a_global_are_stored_where_the_index_fits` |
//! | literals take the other type, or `f32` and `i32` | `contract::literals_take_the_type_of_the_other_operand` |
//! | operations broadcast | `contract::shapes_broadcast_from_the_last_axis` |
//! | comparisons and logic are elementwise, `as` is Rust's | `contract::conversions_are_those_of_rust` |
//! | a known condition picks a branch | `statics::numbers_are_known` |
//! | a computed condition is a branch of the program | `control::branches_nest` |
//! | known ranges are unrolled | `control::an_unrolled_loop_can_be_left` |
//! | computed ranges are loops of the program | `sizes::loops_run_over_them` |
//! | `while` and `loop` carry what they assign | `control::while_stores_a_global_each_round` |
//! | `return` stands anywhere | `control::return_leaves_nested_loops` |
//! | parts are read and assigned, and indices move into the tensor | `parts::parts_are_those_of_ndarray` |
//! | parts have steps | `steps::parts_with_steps_are_written` |
//! | division by zero and wide shifts have results | `contract::nothing_traps` |
//! | patterns, blocks, `..base`, arrays, closures | `contract::expressions_are_those_of_rust` |

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod rows {
    const N: usize = 2;
    type Square = Tensor<i32, N, N>;

    pub struct Pair {
        pub a: Tensor<f32, 2>,
        pub b: Tensor<f32, 2>,
        pub c: Tensor<f32, 2>,
    }

    pub struct Rows;

    impl Rows {
        pub fn dimensions(
            &self,
            x: Tensor<f32, { 2 * N }, 3>,
            y: Square,
        ) -> (Tensor<f32, 12>, Square) {
            (flat::<{ 2 * N }, 3, 12>(x), y + iota::<i32, N, N>(1))
        }

        pub fn literals(
            &self,
            x: Tensor<f64, 2>,
            n: Tensor<u8, 2>,
        ) -> (Tensor<f64, 2>, Tensor<u8, 2>, Tensor<f32>, Tensor<i32>) {
            (x * 0.1 + 1, 200 - n, tensor(0.1) * 1.0, tensor(7))
        }

        pub fn broadcast<const B: usize>(
            &self,
            x: Tensor<i32, B, 1, 3>,
            y: Tensor<i32, 2, 1>,
        ) -> (Tensor<i32, B, 2, 3>, Tensor<bool, B, 2, 3>) {
            (x * y, x > y)
        }

        pub fn convert(
            &self,
            x: Tensor<f32, 6>,
            n: Tensor<i64, 4>,
        ) -> (
            Tensor<u8, 6>,
            Tensor<i32, 6>,
            Tensor<i8, 4>,
            Tensor<bool, 4>,
        ) {
            (
                x as u8,
                x as i32,
                n as i8,
                (n > 0) & !(n == 300) | (n < -200) ^ (n != n),
            )
        }

        pub fn divide(
            &self,
            x: Tensor<i32, 4>,
            y: Tensor<i32, 4>,
            u: Tensor<u16, 4>,
            by: Tensor<u16, 4>,
        ) -> [Tensor<i64, 4>; 6] {
            [
                (x / y) as i64,
                (x % y) as i64,
                (u / by) as i64,
                (u << by) as i64,
                (x >> y) as i64,
                (u >> by) as i64,
            ]
        }

        pub fn expressions(&self, x: Tensor<f32, 2>) -> (Pair, [Tensor<f32, 2>; 3], Tensor<f32>) {
            let base = Pair {
                a: x,
                b: x * 2.0,
                c: x * 3.0,
            };
            let Pair { a, c, .. } = base;
            let (sum, [first, _]) = (a + c, [x, a]);
            let scaled = |y| y * 10.0;
            let last = {
                let mut y = first;
                y += 1.0;
                y[0] -= 0.5;
                y
            };
            (Pair { b: sum, ..base }, [scaled(x); 3], last.sum())
        }
    }

    #[kernel]
    fn flat<const A: usize, const B: usize, const C: usize>(
        x: Tensor<f32, A, B>,
    ) -> Tensor<f32, C> {
        x.reshape([C])
    }
}

fn program() -> rows::Rows {
    rows::Rows::load(&Device::open("local-task").unwrap()).unwrap()
}

#[test]
fn dimensions_are_constants_and_expressions() {
    let x = Array2::from_shape_fn((4, 3), |(row, column)| (row * 3 + column) as f32);
    let (flat, square) = program().dimensions(&x, &array![[1, 2], [3, 4]]).unwrap();
    assert_eq!(flat.to_array().unwrap(), Array1::from_iter(x));
    assert_eq!(square.to_array().unwrap(), array![[1, 3], [3, 5]]);
}

#[test]
fn literals_take_the_type_of_the_other_operand() {
    let (x, n) = (array![0.1_f64, -3.0], array![1_u8, 200]);
    let (doubles, bytes, float, integer) = program().literals(&x, &n).unwrap();
    assert_eq!(doubles.to_array().unwrap(), &x * 0.1 + 1.0);
    assert_eq!(bytes.to_array().unwrap(), array![199, 0]);
    assert_eq!(float.to_scalar().unwrap(), 0.1_f32);
    assert_eq!(integer.to_scalar().unwrap(), 7_i32);
}

#[test]
fn shapes_broadcast_from_the_last_axis() {
    let program = program();
    for size in [1, 3] {
        let x = ndarray::Array3::from_shape_fn((size, 1, 3), |(a, _, c)| (a * 3 + c) as i32 - 2);
        let y = array![[2], [-1]];
        let (product, larger) = program.broadcast(&x, &y).unwrap();
        let expected = &x * &y;
        assert_eq!(product.to_array().unwrap(), expected);
        let expected =
            ndarray::Array3::from_shape_fn((size, 2, 3), |(a, b, c)| x[(a, 0, c)] > y[(b, 0)]);
        assert_eq!(larger.to_array().unwrap(), expected);
    }
}

#[test]
fn conversions_are_those_of_rust() {
    let x = array![-1.5_f32, 255.9, 1e20, f32::NAN, f32::NEG_INFINITY, 7.9];
    let n = array![300_i64, -129, 127, -300];
    let (bytes, integers, narrow, truths) = program().convert(&x, &n).unwrap();
    assert_eq!(bytes.to_array().unwrap(), x.mapv(|x| x as u8));
    assert_eq!(integers.to_array().unwrap(), x.mapv(|x| x as i32));
    assert_eq!(narrow.to_array().unwrap(), n.mapv(|n| n as i8));
    let expected = n.mapv(|n| (n > 0) & (n != 300) | (n < -200));
    assert_eq!(truths.to_array().unwrap(), expected);
}

#[test]
fn nothing_traps() {
    let (x, y) = (array![7, -7, i32::MIN, 5], array![0, 40, -1, 2]);
    let (u, by) = (array![7_u16, 65535, 1, 3], array![0_u16, 16, 15, 2]);
    let results = program().divide(&x, &y, &u, &by).unwrap();
    let results = results.map(|result| result.to_array().unwrap().to_vec());
    let [quotient, remainder, unsigned, left, right, unsigned_right] = results;
    assert_eq!(quotient, [-1, 0, i32::MIN.into(), 2]);
    assert_eq!(remainder, [7, -7, 0, 1]);
    assert_eq!(unsigned, [65535, 4095, 0, 1]);
    assert_eq!(left, [7, 0, 32768, 12]);
    assert_eq!(right, [7, -1, -1, 1]);
    assert_eq!(unsigned_right, [7, 0, 0, 0]);
}

#[test]
fn expressions_are_those_of_rust() {
    let x = array![1.0_f32, 2.0];
    let (pair, scaled, last) = program().expressions(&x).unwrap();
    assert_eq!(pair.a.to_array().unwrap(), x);
    assert_eq!(pair.b.to_array().unwrap(), &x * 4.0);
    assert_eq!(pair.c.to_array().unwrap(), &x * 3.0);
    for scaled in scaled {
        assert_eq!(scaled.to_array().unwrap(), &x * 10.0);
    }
    assert_eq!(last.to_scalar().unwrap(), 4.5);
}

/// The tests that the table above names.
#[test]
fn every_promise_has_its_test() {
    let rows = include_str!("contract.rs").lines();
    let rows = rows.filter_map(|line| line.strip_prefix("//! | ")?.strip_suffix("` |"));
    let tests: Vec<_> = rows.filter_map(|row| row.rsplit_once('`')).collect();
    assert!(tests.len() > 30);
    for (_, test) in tests {
        let (file, function) = test.split_once("::").unwrap();
        let path = format!("{}/tests/{file}.rs", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("fn {function}()")), "`{test}`");
    }
}
