// With 256 and 1: 257 is 256 as bf16, so the difference is 0.
func.func @f(%x: tensor<1xbf16>, %y: tensor<1xbf16>) -> tensor<1xbf16> {
  %sum = stablehlo.add %x, %y : tensor<1xbf16>
  %difference = stablehlo.subtract %sum, %x : tensor<1xbf16>
  return %difference : tensor<1xbf16>
}
