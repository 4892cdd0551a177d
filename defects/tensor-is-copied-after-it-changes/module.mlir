// Exponentials, with the first row replaced by zeros, and as they were: 1 everywhere.
func.func @f(%x: tensor<?x?x2xf32>, %y: tensor<6xf32>) -> (tensor<?x?x2xf32>, tensor<6xf32>, tensor<?x?x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<?x?x2xf32>
  %before = stablehlo.exponential %x : tensor<?x?x2xf32>
  %other = stablehlo.exponential %y : tensor<6xf32>
  %row = tensor.empty(%m) : tensor<1x?x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<1x?x2xf32>) -> tensor<1x?x2xf32>
  %after = tensor.insert_slice %zeros into %before[0, 0, 0] [1, %m, 2] [1, 1, 1] : tensor<1x?x2xf32> into tensor<?x?x2xf32>
  return %after, %other, %before : tensor<?x?x2xf32>, tensor<6xf32>, tensor<?x?x2xf32>
}
