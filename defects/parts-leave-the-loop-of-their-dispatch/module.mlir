func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = flow.dispatch.region -> (tensor<4x4xf32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 4 : i32
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %memory = tensor.empty() : tensor<4x4xf32>
    %first = bufferization.materialize_in_destination %x in %memory : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %last:2 = scf.while (%y = %first, %i = %c0) : (tensor<4x4xf32>, i32) -> (tensor<4x4xf32>, i32) {
      %more = arith.cmpi slt, %i, %c9 : i32
      scf.condition(%more) %y, %i : tensor<4x4xf32>, i32
    } do {
    ^bb0(%y: tensor<4x4xf32>, %i: i32):
      %column = stablehlo.slice %y [0:4, 1:2] : (tensor<4x4xf32>) -> tensor<4x1xf32>
      %wide = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
      %sum = stablehlo.add %wide, %x : tensor<4x4xf32>
      %next = bufferization.materialize_in_destination %sum in %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %j = arith.addi %i, %c1 : i32
      scf.yield %next, %j : tensor<4x4xf32>, i32
    }
    flow.return %last#0 : tensor<4x4xf32>
  } count() -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }
  return %0 : tensor<4x4xf32>
}
