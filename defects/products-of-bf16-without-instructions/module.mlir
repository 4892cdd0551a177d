// The same product of matrices of `bf16` and of `f32`.
func.func @slow(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %narrow = stablehlo.convert %x : (tensor<256x256xf32>) -> tensor<256x256xbf16>
  %factor = util.optimization_barrier %narrow : tensor<256x256xbf16>
  %product = stablehlo.dot_general %factor, %factor, contracting_dims = [1] x [0] : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %wide = stablehlo.convert %product : (tensor<256x256xbf16>) -> tensor<256x256xf32>
  return %wide : tensor<256x256xf32>
}
func.func @fast(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %product = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %product : tensor<256x256xf32>
}
