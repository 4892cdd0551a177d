func.func @f(%x: tensor<17x33xf32>, %y: tensor<33xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<33xf32>) -> tensor<17x33xf32>
  %products = stablehlo.multiply %x, %rows : tensor<17x33xf32>
  %sum = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<17x33xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
