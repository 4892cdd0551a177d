// The least number of each row.
func.func @f(%x: tensor<96x96xi32>) -> tensor<96xi32> {
  %greatest = stablehlo.constant dense<2147483647> : tensor<i32>
  %least = stablehlo.reduce(%x init: %greatest) applies stablehlo.minimum across dimensions = [1] : (tensor<96x96xi32>, tensor<i32>) -> tensor<96xi32>
  return %least : tensor<96xi32>
}
