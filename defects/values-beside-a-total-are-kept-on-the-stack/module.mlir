// The sum of all products of two tensors of which one is computed from the other, and their sum.
func.func @f(%x: tensor<128x91xf32>, %y: tensor<128x91xf32>) -> (tensor<f32>, tensor<128x91xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.tanh %x : tensor<128x91xf32>
  %b = stablehlo.multiply %a, %y : tensor<128x91xf32>
  %product = stablehlo.multiply %a, %b : tensor<128x91xf32>
  %total = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x91xf32>, tensor<f32>) -> tensor<f32>
  %sum = stablehlo.add %a, %b : tensor<128x91xf32>
  return %total, %sum : tensor<f32>, tensor<128x91xf32>
}
