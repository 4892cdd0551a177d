func.func @f(%x: tensor<1xi32>) -> tensor<1xbf16> {
  %y = stablehlo.convert %x : (tensor<1xi32>) -> tensor<1xbf16>
  return %y : tensor<1xbf16>
}
