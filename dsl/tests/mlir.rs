//! Kernels that are written as MLIR, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array2, array};

#[kernel]
pub mod shared {
    /// The number of zeros behind the last bit that is set.
    #[kernel(mlir = "
        %one = stablehlo.constant dense<1> : {x}
        %below = stablehlo.subtract %x, %one : {x}
        %not = stablehlo.not %x : {x}
        %mask = stablehlo.and %below, %not : {x}
        %count = stablehlo.popcnt %mask : {x}
        return %count : {result}
    ")]
    pub fn trailing_zeros<T: Int, const N: usize>(x: Tensor<T, N>) -> Tensor<T, N>;
}

#[program]
mod texts {
    #[kernel]
    use super::shared::trailing_zeros;

    pub struct Layer {
        pub w: Tensor<f32, 3>,
        pub scales: [Tensor<f32>; 2],
    }

    pub struct Texts {
        #[global(init = halved(tensor([2.0, 4.0, 8.0])))]
        start: Tensor<f32, 3>,
    }

    impl Texts {
        pub fn start(&self) -> Tensor<f32, 3> {
            self.start
        }

        pub fn run(
            &self,
            x: Tensor<f32, 2, 3>,
            y: Tensor<f64, 4>,
        ) -> (Tensor<f32, 2, 3>, Tensor<f64, 4>, Tensor<f32, 2, 3>) {
            (
                shifted(x, 2.5),
                shifted(y, 1e-7),
                shifted(shifted(x, 2.5), 2.5),
            )
        }

        pub fn any_size<const B: usize>(
            &self,
            x: Tensor<f32, B, 3>,
            n: Tensor<f32, B>,
        ) -> (Tensor<f32, B, 3>, Tensor<f32>) {
            let rows = rows_first(x, n);
            (
                rows,
                if x.sum() < 0.0 {
                    total(n)
                } else {
                    total(n) * 2.0
                },
            )
        }

        pub fn tree(&self, layer: Layer, mask: Tensor<bool, 3>) -> (Layer, Tensor<bool, 3>) {
            scaled(layer, mask)
        }

        pub fn compared(&self, x: Tensor<i32, 3>) -> (Tensor<bool, 3>, Tensor<bool, 3>) {
            (compared(x, 1, "LT"), compared(x, 1, "GE"))
        }

        pub fn zeros(
            &self,
            x: Tensor<i32, 4>,
            y: Tensor<u8, 3>,
        ) -> (Tensor<i32, 4>, Tensor<u8, 3>) {
            (trailing_zeros(x), trailing_zeros(y))
        }

        pub fn wrong_size<const B: usize>(&self, x: Tensor<f32, B>) -> Tensor<f32, B> {
            first_two(x)
        }
    }

    #[kernel(mlir = "
        %c = stablehlo.constant dense<0.5> : tensor<{N}xf32>
        %y = stablehlo.multiply %x, %c : tensor<{N}xf32>
        return %y : {result}
    ")]
    fn halved<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N>;

    #[kernel(mlir = r#"
        %by = stablehlo.constant dense<{by}> : {x}
        %0 = "stablehlo.add"(%x, %by) : ({x}, {x}) -> {x}
        return %0 : {result}
    "#)]
    fn shifted<T>(x: T, by: f64) -> T;

    #[kernel(mlir = "
        %c0 = arith.constant 0 : index
        %rows = tensor.dim %x, %c0 : {x}
        %empty = tensor.empty(%rows) : {x}
        %y = linalg.generic {
            indexing_maps = [
                affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                affine_map<(d0, d1) -> (d0, d1)>
            ],
            iterator_types = [\"parallel\", \"parallel\"]
        } ins(%x, %n : {x}, {n}) outs(%empty : {x}) {
        ^bb0(%a: {T}, %b: {T}, %out: {T}):
            %c = arith.addf %a, %b : {T}
            linalg.yield %c : {T}
        } -> {x}
        return %y : {result}
    ")]
    fn rows_first<T: Float, const B: usize, const N: usize>(
        x: Tensor<T, B, N>,
        n: Tensor<T, B>,
    ) -> Tensor<T, B, N>;

    #[kernel(mlir = "
        %zero = stablehlo.constant dense<0.0> : {result}
        %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
            : ({x}, {result}) -> {result}
        return %sum : {result}
    ")]
    fn total<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32>;

    #[kernel(mlir = "
        %s = stablehlo.add %layer.scales.0, %layer.scales.1 : {layer.scales.0}
        %b = stablehlo.broadcast_in_dim %s, dims = [] : ({layer.scales.0}) -> {layer.w}
        %w = stablehlo.multiply %layer.w, %b : {layer.w}
        %m = stablehlo.not %mask : {mask}
        return %w, %layer.scales.1, %s, %m : {result}
    ")]
    fn scaled(layer: Layer, mask: Tensor<bool, 3>) -> (Layer, Tensor<bool, 3>);

    #[kernel(mlir = "%c = stablehlo.constant dense<{to}> : {x}\n\
                     %y = stablehlo.compare {relation}, %x, %c : ({x}, {x}) -> {result}\n\
                     return %y : {result}")]
    fn compared<const N: usize>(x: Tensor<i32, N>, to: i64, relation: &str) -> Tensor<bool, N>;

    #[kernel(mlir = "
        %y = tensor.extract_slice %x[0] [2] [1] : {x} to tensor<2xf32>
        %z = tensor.cast %y : tensor<2xf32> to {result}
        return %z : {result}
    ")]
    fn first_two<const B: usize>(x: Tensor<f32, B>) -> Tensor<f32, B>;
}

fn program() -> texts::Texts {
    texts::Texts::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn texts_have_an_instance_for_each_type() {
    let x = array![[0.0_f32, 1.0, -2.0], [4.0, 8.5, 9.0]];
    let y = array![1.0_f64, 2.0, 3.0, 4.0];
    let (once, doubles, twice) = program().run(&x, &y).unwrap();
    assert_eq!(once.to_array().unwrap(), &x + 2.5);
    assert_eq!(doubles.to_array().unwrap(), &y + 1e-7);
    assert_eq!(twice.to_array().unwrap(), &x + 5.0);
    let mlir = texts::Texts::MLIR;
    for instance in ["@shifted_f32_2x3_2_5.mlir(", "@shifted_f64_4_1e_7.mlir("] {
        let definition = format!("func.func private {instance}");
        assert_eq!(mlir.matches(&definition).count(), 1, "{mlir}");
    }
}

#[test]
fn texts_take_sizes_known_at_the_call() {
    let program = program();
    for size in [0, 1, 5] {
        let x = Array2::from_shape_fn((size, 3), |(row, column)| (row * 3 + column) as f32);
        let n = ndarray::Array1::from_shape_fn(size, |row| row as f32 / 2.0);
        let (rows, sum) = program.any_size(&x, &n).unwrap();
        assert_eq!(
            rows.to_array().unwrap(),
            &x + &n.view().insert_axis(ndarray::Axis(1))
        );
        assert_eq!(sum.to_scalar().unwrap(), 2.0 * n.sum());
    }
}

#[test]
fn a_size_that_a_text_gets_wrong_is_an_error() {
    let program = program();
    let two = program.wrong_size(&array![1.0, 2.0]).unwrap();
    assert_eq!(two.to_array().unwrap(), array![1.0, 2.0]);
    let error = program
        .wrong_size(&array![1.0, 2.0, 3.0])
        .and_then(|three| three.to_array())
        .unwrap_err();
    let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| {
        error.source()
    });
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    assert!(
        causes.join(": ").contains("the size of axis 0 is not B"),
        "{causes:?}"
    );
}

#[test]
fn texts_take_and_give_trees() {
    let device = Device::open("local-sync").unwrap();
    let program = texts::Texts::load(&device).unwrap();
    let layer = texts::Layer::upload(&device, [1.0, 2.0, 3.0], [2.0, 0.5]).unwrap();
    let (layer, mask) = program.tree(layer, [true, false, true]).unwrap();
    assert_eq!(layer.w.to_array().unwrap(), array![2.5, 5.0, 7.5]);
    let [first, second] = layer.scales;
    assert_eq!(first.to_scalar().unwrap(), 0.5);
    assert_eq!(second.to_scalar().unwrap(), 2.5);
    assert_eq!(mask.to_array().unwrap(), array![false, true, false]);
}

#[test]
fn static_parameters_stand_in_texts() {
    let (less, not_less) = program().compared([0, 1, 2]).unwrap();
    assert_eq!(less.to_array().unwrap(), array![true, false, false]);
    assert_eq!(not_less.to_array().unwrap(), array![false, true, true]);
}

#[test]
fn texts_are_imported_from_kernel_modules() {
    let (x, y) = ([1, 8, 40, -2_i32], [3_u8, 128, 0]);
    let (words, bytes) = program().zeros(x, y).unwrap();
    let expected = x.map(|x| x.trailing_zeros() as i32);
    assert_eq!(words.to_array().unwrap().to_vec(), expected);
    let expected = y.map(|y| y.trailing_zeros() as u8);
    assert_eq!(bytes.to_array().unwrap().to_vec(), expected);
}

#[test]
fn globals_start_with_what_a_text_computes() {
    let start = program().start().unwrap();
    assert_eq!(start.to_array().unwrap(), array![1.0, 2.0, 4.0]);
}
