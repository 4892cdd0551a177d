// Products, and for each row the first place of the largest of what is computed from them. All are equal, so it is the first.
func.func @f(%x: tensor<4x64xf32>, %w: tensor<4x64xf32>, %b: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4xi32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<2147483647> : tensor<i32>
  %nowhere = stablehlo.constant dense<2147483647> : tensor<4x64xi32>
  %product = stablehlo.multiply %x, %w : tensor<4x64xf32>
  %sum = stablehlo.add %product, %b : tensor<4x64xf32>
  %largest = stablehlo.reduce(%sum init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %repeated = stablehlo.broadcast_in_dim %largest, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %is_largest = stablehlo.compare EQ, %sum, %repeated : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xi1>
  %places = stablehlo.iota dim = 1 : tensor<4x64xi32>
  %found = stablehlo.select %is_largest, %places, %nowhere : tensor<4x64xi1>, tensor<4x64xi32>
  %first = stablehlo.reduce(%found init: %none) applies stablehlo.minimum across dimensions = [1] : (tensor<4x64xi32>, tensor<i32>) -> tensor<4xi32>
  return %product, %first : tensor<4x64xf32>, tensor<4xi32>
}
