func.func @f(%images: tensor<?x8x8x4xf32>, %kernel: tensor<3x3x2x8xf32>) -> tensor<?x6x6x8xf32> {
  %y = stablehlo.convolution(%images, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x8x8x4xf32>, tensor<3x3x2x8xf32>) -> tensor<?x6x6x8xf32>
  return %y : tensor<?x6x6x8xf32>
}
