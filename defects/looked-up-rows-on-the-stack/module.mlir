// Rows of a table, with others added, divided by the sums of their squares.
func.func @f(%table: tensor<1000x384xf32>, %ids: tensor<32x128xi32>, %positions: tensor<128x384xf32>) -> tensor<32x128x384xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %places = stablehlo.reshape %ids : (tensor<32x128xi32>) -> tensor<32x128x1xi32>
  %rows = "stablehlo.gather"(%table, %places) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 384>
  } : (tensor<1000x384xf32>, tensor<32x128x1xi32>) -> tensor<32x128x384xf32>
  %repeated = stablehlo.broadcast_in_dim %positions, dims = [1, 2] : (tensor<128x384xf32>) -> tensor<32x128x384xf32>
  %x = stablehlo.add %rows, %repeated : tensor<32x128x384xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x128x384xf32>, tensor<f32>) -> tensor<32x128xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<32x128xf32>) -> tensor<32x128x384xf32>
  %distance = stablehlo.subtract %x, %sums : tensor<32x128x384xf32>
  %square = stablehlo.multiply %distance, %distance : tensor<32x128x384xf32>
  %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<32x128x384xf32>, tensor<f32>) -> tensor<32x128xf32>
  %totals = stablehlo.broadcast_in_dim %total, dims = [0, 1] : (tensor<32x128xf32>) -> tensor<32x128x384xf32>
  %quotient = stablehlo.divide %distance, %totals : tensor<32x128x384xf32>
  return %quotient : tensor<32x128x384xf32>
}
