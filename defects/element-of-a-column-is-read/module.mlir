// The elements of a column in reverse.
func.func @f(%x: tensor<6x9xf32>, %column: tensor<i32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.transpose %x, dims = [1, 0] : (tensor<6x9xf32>) -> tensor<9x6xf32>
  %row = stablehlo.dynamic_slice %rows, %column, %zero, sizes = [1, 6] : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  %vector = stablehlo.reshape %row : (tensor<1x6xf32>) -> tensor<6xf32>
  %reversed = stablehlo.reverse %vector, dims = [0] : tensor<6xf32>
  return %reversed : tensor<6xf32>
}
