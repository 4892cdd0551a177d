// The same convolution in two layouts. The operands come without a layout of their own.
func.func @slow(%image: tensor<200704xf32>, %kernel: tensor<36864xf32>) -> tensor<1x64x56x56xf32> {
  %x = flow.tensor.reshape %image : tensor<200704xf32> -> tensor<1x64x56x56xf32>
  %k = flow.tensor.reshape %kernel : tensor<36864xf32> -> tensor<64x64x3x3xf32>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}
func.func @fast(%image: tensor<200704xf32>, %kernel: tensor<36864xf32>) -> tensor<1x56x56x64xf32> {
  %x = flow.tensor.reshape %image : tensor<200704xf32> -> tensor<1x56x56x64xf32>
  %k = flow.tensor.reshape %kernel : tensor<36864xf32> -> tensor<3x3x64x64xf32>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}
