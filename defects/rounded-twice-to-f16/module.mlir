// 1.00048828126 is a little more than halfway between 1 and 1.0009765625.
func.func @f(%x: tensor<1xf64>) -> tensor<1xf64> {
  %narrow = stablehlo.convert %x : (tensor<1xf64>) -> tensor<1xf16>
  %y = stablehlo.convert %narrow : (tensor<1xf16>) -> tensor<1xf64>
  return %y : tensor<1xf64>
}
