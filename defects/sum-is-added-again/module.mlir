// Sums of columns of ones: 16. And sums of the squared distances from them: 16 * 15 * 15.
func.func @f(%x: tensor<16x2000xf32>) -> (tensor<2000xf32>, tensor<2000xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x2000xf32>, tensor<f32>) -> tensor<2000xf32>
  %repeated = stablehlo.broadcast_in_dim %sum, dims = [1] : (tensor<2000xf32>) -> tensor<16x2000xf32>
  %distance = stablehlo.subtract %x, %repeated : tensor<16x2000xf32>
  %square = stablehlo.multiply %distance, %distance : tensor<16x2000xf32>
  %squares = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x2000xf32>, tensor<f32>) -> tensor<2000xf32>
  return %sum, %squares : tensor<2000xf32>, tensor<2000xf32>
}
