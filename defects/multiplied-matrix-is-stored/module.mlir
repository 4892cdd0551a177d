func.func @f(%x: tensor<64x4xf32>, %v: tensor<64xf32>) -> (tensor<64x4xf32>, tensor<4xf32>) {
  %m = stablehlo.tanh %x : tensor<64x4xf32>
  %product = stablehlo.dot_general %v, %m, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64x4xf32>) -> tensor<4xf32>
  return %m, %product : tensor<64x4xf32>, tensor<4xf32>
}
