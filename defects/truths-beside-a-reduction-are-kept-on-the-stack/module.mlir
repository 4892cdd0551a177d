// Sums of two tensors, those above zero summed along an axis, and which these are.
func.func @f(%x: tensor<2x784x64xf32>, %y: tensor<64xf32>) -> (tensor<2x64xf32>, tensor<2x784x64xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2x784x64xf32>
  %ys = stablehlo.broadcast_in_dim %y, dims = [2] : (tensor<64xf32>) -> tensor<2x784x64xf32>
  %h = stablehlo.add %x, %ys : tensor<2x784x64xf32>
  %seen = stablehlo.compare GT, %h, %zeros : (tensor<2x784x64xf32>, tensor<2x784x64xf32>) -> tensor<2x784x64xi1>
  %above = stablehlo.select %seen, %h, %zeros : tensor<2x784x64xi1>, tensor<2x784x64xf32>
  %sum = stablehlo.reduce(%above init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x784x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  return %sum, %seen : tensor<2x64xf32>, tensor<2x784x64xi1>
}
