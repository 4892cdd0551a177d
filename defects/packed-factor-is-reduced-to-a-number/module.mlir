func.func @f(%x: tensor<5x5xf32>, %y: tensor<5x5xf32>) -> (tensor<f32>, tensor<5x5xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %h = stablehlo.exponential %x : tensor<5x5xf32>
  %largest = stablehlo.reduce(%h init: %least) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<f32>
  %product = stablehlo.dot_general %y, %h, contracting_dims = [1] x [0] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  return %largest, %product : tensor<f32>, tensor<5x5xf32>
}
