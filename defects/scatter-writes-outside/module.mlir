// By the definition of `stablehlo.scatter`, an update outside of the tensor is left out: 1, 2, 3, 4.
func.func @f(%x: tensor<4xf32>, %places: tensor<1x1xi32>, %updates: tensor<1xf32>) -> tensor<4xf32> {
  %y = "stablehlo.scatter"(%x, %places, %updates) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
