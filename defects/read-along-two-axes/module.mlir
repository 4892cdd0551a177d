// Sums of rows, times each other: 49 everywhere.
func.func @f(%x: tensor<4x7xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
  %down = stablehlo.broadcast_in_dim %sums, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %across = stablehlo.broadcast_in_dim %sums, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %products = stablehlo.multiply %down, %across : tensor<4x4xf32>
  return %products : tensor<4x4xf32>
}
