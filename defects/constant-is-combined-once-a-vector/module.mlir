// 100 ones, the absolute values of which are summed.
func.func @f() -> tensor<f32> {
  %ones = stablehlo.constant dense<1.0> : tensor<100xf32>
  %magnitudes = stablehlo.abs %ones : tensor<100xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%magnitudes init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
