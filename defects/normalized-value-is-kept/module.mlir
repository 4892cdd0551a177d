// Twice the rows of a matrix, and these less their sums, divided by the sums of the squares of that.
func.func @f(%x: tensor<330x640xf32>) -> (tensor<330x640xf32>, tensor<330x640xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.add %x, %x : tensor<330x640xf32>
  %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<330x640xf32>, tensor<f32>) -> tensor<330xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<330xf32>) -> tensor<330x640xf32>
  %distance = stablehlo.subtract %h, %sums : tensor<330x640xf32>
  %square = stablehlo.multiply %distance, %distance : tensor<330x640xf32>
  %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<330x640xf32>, tensor<f32>) -> tensor<330xf32>
  %totals = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<330xf32>) -> tensor<330x640xf32>
  %quotient = stablehlo.divide %distance, %totals : tensor<330x640xf32>
  return %quotient, %h : tensor<330x640xf32>, tensor<330x640xf32>
}
