func.func @f(%x: tensor<33x64xf32>, %v: tensor<64xf32>, %w: tensor<33x50xf32>) -> tensor<33xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %product = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<33x64xf32>, tensor<64xf32>) -> tensor<33xf32>
  %repeated = stablehlo.broadcast_in_dim %product, dims = [0] : (tensor<33xf32>) -> tensor<33x50xf32>
  %scaled = stablehlo.multiply %repeated, %w : tensor<33x50xf32>
  %sum = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<33x50xf32>, tensor<f32>) -> tensor<33xf32>
  return %sum : tensor<33xf32>
}
