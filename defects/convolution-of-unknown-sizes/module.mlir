func.func @f(%image: tensor<1x?x?x4xf32>, %kernel: tensor<3x3x4x8xf32>) -> tensor<1x?x?x8xf32> {
  %y = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x?x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x?x?x8xf32>
  return %y : tensor<1x?x?x8xf32>
}
