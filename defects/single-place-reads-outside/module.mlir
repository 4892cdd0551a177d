// By the definition of `stablehlo.gather`, a place outside of the tensor is moved into it: 4.
func.func @f(%x: tensor<4xf32>, %place: tensor<i32>) -> tensor<f32> {
  %places = stablehlo.reshape %place : (tensor<i32>) -> tensor<1xi32>
  %found = "stablehlo.gather"(%x, %places) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>,
    slice_sizes = array<i64: 1>
  } : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return %found : tensor<f32>
}
