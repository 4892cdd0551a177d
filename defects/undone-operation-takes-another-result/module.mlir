// With 3: v = 9, w = 10 and u = 9, so 9 and 9.
func.func @f(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %v = stablehlo.multiply %x, %x : tensor<4xi32>
  %w = stablehlo.xor %v, %x : tensor<4xi32>
  %u = stablehlo.xor %w, %x : tensor<4xi32>
  %both = stablehlo.or %v, %u : tensor<4xi32>
  %rest = stablehlo.remainder %u, %w : tensor<4xi32>
  return %both, %rest : tensor<4xi32>, tensor<4xi32>
}
