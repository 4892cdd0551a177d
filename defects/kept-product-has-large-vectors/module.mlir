func.func @f(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %changed = stablehlo.tanh %product : tensor<256x256xf32>
  return %product, %changed : tensor<256x256xf32>, tensor<256x256xf32>
}
