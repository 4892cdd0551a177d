// Sums and their absolute values, each with zeros around them.
func.func @f(%x: tensor<5x3xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
  %first = stablehlo.negate %sums : tensor<5xf32>
  %second = stablehlo.abs %sums : tensor<5xf32>
  %wide = stablehlo.pad %first, %zero, low = [1], high = [2], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<8xf32>
  %other = stablehlo.pad %second, %zero, low = [2], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<8xf32>
  return %wide, %other : tensor<8xf32>, tensor<8xf32>
}
