// The exponentials of rows, multiplied by a matrix, and their sums.
func.func @f(%x: tensor<128x1024xf32>, %w: tensor<1024x64xf32>) -> (tensor<128x64xf32>, tensor<128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.exponential %x : tensor<128x1024xf32>
  %sums = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %product = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x64xf32>) -> tensor<128x64xf32>
  return %product, %sums : tensor<128x64xf32>, tensor<128xf32>
}
