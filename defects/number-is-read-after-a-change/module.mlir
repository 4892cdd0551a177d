// A number of what was computed, doubled, and the same with a 7 in the place of that number.
func.func @f(%x: tensor<4xi32>, %place: tensor<i32>) -> (tensor<i32>, tensor<4xi32>) {
  %sum = stablehlo.add %x, %x : tensor<4xi32>
  %slice = stablehlo.dynamic_slice %sum, %place, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
  %scalar = stablehlo.reshape %slice : (tensor<1xi32>) -> tensor<i32>
  %number = tensor.extract %scalar[] : tensor<i32>
  %hidden = util.optimization_barrier %sum : tensor<4xi32>
  %twice = arith.addi %number, %number : i32
  %seven = arith.constant dense<7> : tensor<1xi32>
  %updated = stablehlo.dynamic_update_slice %hidden, %seven, %place : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
  %empty = tensor.empty() : tensor<i32>
  %filled = linalg.fill ins(%twice : i32) outs(%empty : tensor<i32>) -> tensor<i32>
  %result = stablehlo.add %filled, %place : tensor<i32>
  return %result, %updated : tensor<i32>, tensor<4xi32>
}
