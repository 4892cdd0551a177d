// One of two tensors, by a switch.
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %sum = stablehlo.add %x, %y : tensor<4xf32>
  cf.switch %n : i32, [
    default: ^end(%x : tensor<4xf32>),
    0: ^end(%y : tensor<4xf32>),
    1: ^end(%sum : tensor<4xf32>)
  ]
^end(%result: tensor<4xf32>):
  return %result : tensor<4xf32>
}
