// The square of the mean of numbers of 16 bits, and its root.
func.func @f(%x: tensor<?xf16>) -> tensor<f16> {
  %axis = arith.constant 0 : index
  %size = tensor.dim %x, %axis : tensor<?xf16>
  %bits = arith.index_cast %size : index to i64
  %count = tensor.from_elements %bits : tensor<i64>
  %number = stablehlo.convert %count : (tensor<i64>) -> tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %wide = stablehlo.convert %x : (tensor<?xf16>) -> tensor<?xf64>
  %total = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
  %sum = stablehlo.convert %total : (tensor<f64>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %number : tensor<f32>
  %narrow = stablehlo.convert %mean : (tensor<f32>) -> tensor<f16>
  %again = stablehlo.convert %narrow : (tensor<f16>) -> tensor<f32>
  %root = stablehlo.sqrt %again : tensor<f32>
  %result = stablehlo.convert %root : (tensor<f32>) -> tensor<f16>
  return %result : tensor<f16>
}
