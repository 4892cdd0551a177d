// Each element but the first becomes three times the one before it, of twice what is given.
func.func @f(%x: tensor<33xf32>) -> tensor<33xf32> {
  %place = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3.0> : tensor<32xf32>
  %whole = stablehlo.add %x, %x : tensor<33xf32>
  %part = stablehlo.slice %whole [0:32] : (tensor<33xf32>) -> tensor<32xf32>
  %product = stablehlo.multiply %part, %three : tensor<32xf32>
  %result = stablehlo.dynamic_update_slice %whole, %product, %place : (tensor<33xf32>, tensor<32xf32>, tensor<i32>) -> tensor<33xf32>
  return %result : tensor<33xf32>
}
