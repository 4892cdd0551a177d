// Each time round a loop, one element of a table is replaced by 0, and the tables are added: three times each.
func.func @f(%count: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
  %table = stablehlo.constant dense<[1.0, 1.5, 2.0, 3.0]> : tensor<4xf32>
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%before = %zeros) -> tensor<4xf32> : i32 {
    %at = tensor.from_elements %i : tensor<i32>
    %replaced = stablehlo.dynamic_update_slice %table, %zero, %at : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %after = stablehlo.add %before, %replaced : tensor<4xf32>
    scf.yield %after : tensor<4xf32>
  }
  return %sum : tensor<4xf32>
}
