// A product, to which the number of each row is added, with rows and columns exchanged.
func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %rows = stablehlo.iota dim = 0 : tensor<64x64xf32>
  %sum = stablehlo.add %product, %rows : tensor<64x64xf32>
  %result = stablehlo.transpose %sum, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %result : tensor<64x64xf32>
}
