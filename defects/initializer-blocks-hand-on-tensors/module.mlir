util.global private mutable @g : tensor<4xf32>
util.initializer {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  cf.br ^bb1(%c0, %x : index, tensor<4xf32>)
^bb1(%i: index, %y: tensor<4xf32>):
  %c10 = arith.constant 10 : index
  %more = arith.cmpi slt, %i, %c10 : index
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %z = stablehlo.sine %y : tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^bb1(%j, %z : index, tensor<4xf32>)
^bb3:
  util.global.store %y, @g : tensor<4xf32>
  util.return
}
func.func @f() -> tensor<4xf32> {
  %g = util.global.load @g : tensor<4xf32>
  return %g : tensor<4xf32>
}
