// A product, to which a factor is added.
func.func @f(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> tensor<32x64xf32> {
  %h = stablehlo.tanh %x : tensor<32x64xf32>
  %product = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %sum = stablehlo.add %product, %h : tensor<32x64xf32>
  %result = stablehlo.tanh %sum : tensor<32x64xf32>
  return %result : tensor<32x64xf32>
}
