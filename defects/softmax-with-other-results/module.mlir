func.func @f(%x: tensor<17x33xf32>) -> (tensor<17x33xf32>, tensor<17x33xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %double = stablehlo.add %x, %x : tensor<17x33xf32>
  %largest = stablehlo.reduce(%double init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<17x33xf32>, tensor<f32>) -> tensor<17xf32>
  %largests = stablehlo.broadcast_in_dim %largest, dims = [0] : (tensor<17xf32>) -> tensor<17x33xf32>
  %distance = stablehlo.subtract %double, %largests : tensor<17x33xf32>
  %power = stablehlo.exponential %distance : tensor<17x33xf32>
  %sum = stablehlo.reduce(%power init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<17x33xf32>, tensor<f32>) -> tensor<17xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<17xf32>) -> tensor<17x33xf32>
  %softmax = stablehlo.divide %power, %sums : tensor<17x33xf32>
  %other = stablehlo.multiply %double, %x : tensor<17x33xf32>
  return %softmax, %other : tensor<17x33xf32>, tensor<17x33xf32>
}
