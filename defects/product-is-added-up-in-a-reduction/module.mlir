// All numbers are 1, so each of the product is 7, and each of the sum 8 · 343.
func.func @f(%x: tensor<7x7xf32>, %y: tensor<7x7x7xf32>) -> (tensor<f32>, tensor<7x7xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %product = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<7x7xf32>
  %repeated = stablehlo.broadcast_in_dim %product, dims = [1, 2] : (tensor<7x7xf32>) -> tensor<7x7x7xf32>
  %both = stablehlo.add %repeated, %y : tensor<7x7x7xf32>
  %sum = stablehlo.reduce(%both init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x7x7xf32>, tensor<f32>) -> tensor<f32>
  return %sum, %product : tensor<f32>, tensor<7x7xf32>
}
