// Squares beside rows, and added to sums of rows that stand next to each other.
func.func @f(%x: tensor<33x33xf32>, %y: tensor<33xf32>, %z: tensor<33x64xf32>) -> (tensor<33x3xf32>, tensor<33x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<33x33xf32>, tensor<f32>) -> tensor<33xf32>
  %squares = stablehlo.multiply %y, %y : tensor<33xf32>
  %both = stablehlo.add %sums, %squares : tensor<33xf32>
  %columns = stablehlo.broadcast_in_dim %both, dims = [0] : (tensor<33xf32>) -> tensor<33x3xf32>
  %wide = stablehlo.broadcast_in_dim %squares, dims = [0] : (tensor<33xf32>) -> tensor<33x64xf32>
  %result = stablehlo.add %z, %wide : tensor<33x64xf32>
  return %columns, %result : tensor<33x3xf32>, tensor<33x64xf32>
}
