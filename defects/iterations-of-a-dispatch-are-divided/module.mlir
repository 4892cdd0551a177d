func.func @f(%x: tensor<200xf32>) -> tensor<200xf32> {
  %0 = flow.dispatch.region -> (tensor<200xf32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    %memory = tensor.empty() : tensor<200xf32>
    %first = bufferization.materialize_in_destination %x in %memory : (tensor<200xf32>, tensor<200xf32>) -> tensor<200xf32>
    %last:2 = scf.while (%y = %first, %i = %c0) : (tensor<200xf32>, i32) -> (tensor<200xf32>, i32) {
      %more = arith.cmpi slt, %i, %c9 : i32
      scf.condition(%more) %y, %i : tensor<200xf32>, i32
    } do {
    ^bb0(%y: tensor<200xf32>, %i: i32):
      %turned = stablehlo.reverse %y, dims = [0] : tensor<200xf32>
      %sum = stablehlo.add %y, %turned : tensor<200xf32>
      %next = bufferization.materialize_in_destination %sum in %y : (tensor<200xf32>, tensor<200xf32>) -> tensor<200xf32>
      %j = arith.addi %i, %c1 : i32
      scf.yield %next, %j : tensor<200xf32>, i32
    }
    flow.return %last#0 : tensor<200xf32>
  } count() -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }
  return %0 : tensor<200xf32>
}
