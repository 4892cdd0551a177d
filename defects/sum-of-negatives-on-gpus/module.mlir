// Sums of the negatives of what is read in rows.
func.func @f(%x: tensor<64x512xf32>) -> tensor<64xf32> {
  %negative = stablehlo.negate %x : tensor<64x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%negative init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  return %sums : tensor<64xf32>
}
