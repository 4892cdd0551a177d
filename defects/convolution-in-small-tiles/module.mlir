// The same convolution of sixteen features, and of two in eight times as many places.
func.func @slow(%image: tensor<100352xf32>, %kernel: tensor<4608xf32>) -> tensor<32x14x14x32xf32> {
  %x = flow.tensor.reshape %image : tensor<100352xf32> -> tensor<32x14x14x16xf32>
  %k = flow.tensor.reshape %kernel : tensor<4608xf32> -> tensor<3x3x16x32xf32>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x14x14x16xf32>, tensor<3x3x16x32xf32>) -> tensor<32x14x14x32xf32>
  return %y : tensor<32x14x14x32xf32>
}
func.func @fast(%image: tensor<100352xf32>, %kernel: tensor<4608xf32>) -> tensor<32x14x14x32xf32> {
  %x = flow.tensor.reshape %image : tensor<100352xf32> -> tensor<32x112x14x2xf32>
  %k = flow.tensor.reshape %kernel : tensor<4608xf32> -> tensor<24x3x2x32xf32>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [8, 1], pad = [[8, 8], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x112x14x2xf32>, tensor<24x3x2x32xf32>) -> tensor<32x14x14x32xf32>
  return %y : tensor<32x14x14x32xf32>
}
