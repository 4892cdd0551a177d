func.func @f(%x: tensor<3xf32>, %y: tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2x5xf32>) {
  %column = stablehlo.reshape %y : (tensor<2xf32>) -> tensor<2x1xf32>
  %three = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %five = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x5xf32>
  %three_magnitudes = stablehlo.abs %three : tensor<2x3xf32>
  %five_magnitudes = stablehlo.abs %five : tensor<2x5xf32>
  %rows = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %sum = stablehlo.add %three_magnitudes, %rows : tensor<2x3xf32>
  return %sum, %five_magnitudes : tensor<2x3xf32>, tensor<2x5xf32>
}
