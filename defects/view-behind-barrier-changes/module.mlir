// A view of what was computed, and the same with a 7 in the first place.
func.func @f(%x: tensor<2x3xi32>) -> (tensor<6xi32>, tensor<2x3xi32>) {
  %sum = stablehlo.add %x, %x : tensor<2x3xi32>
  %view = stablehlo.reshape %sum : (tensor<2x3xi32>) -> tensor<6xi32>
  %kept = util.optimization_barrier %view : tensor<6xi32>
  %seven = arith.constant dense<7> : tensor<1x1xi32>
  %updated = tensor.insert_slice %seven into %sum[0, 0] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<2x3xi32>
  return %kept, %updated : tensor<6xi32>, tensor<2x3xi32>
}
