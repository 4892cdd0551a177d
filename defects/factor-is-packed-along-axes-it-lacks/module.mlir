// Sums of rows, each column with its weight.
func.func @f(%x: tensor<16x8x5xf32>, %w: tensor<5xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %weights = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<5xf32>) -> tensor<16x8x5xf32>
  %products = stablehlo.multiply %x, %weights : tensor<16x8x5xf32>
  %sum = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<16x8x5xf32>, tensor<f32>) -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
