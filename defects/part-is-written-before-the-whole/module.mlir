// Numbers without their largest, which then takes the place of the last.
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %repeated = stablehlo.broadcast_in_dim %most, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %less = stablehlo.subtract %x, %repeated : tensor<3xf32>
  %part = stablehlo.reshape %most : (tensor<f32>) -> tensor<1xf32>
  %place = stablehlo.constant dense<2> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %less, %part, %place : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>
  return %result : tensor<3xf32>
}
