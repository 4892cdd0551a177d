func.func @f(%p: i1, %w: tensor<8x8xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %factor = stablehlo.tanh %w : tensor<8x8xf32>
  cf.cond_br %p, ^bb1, ^bb2(%x : tensor<?x8xf32>)
^bb1:
  %y = stablehlo.tanh %x : tensor<?x8xf32>
  cf.br ^bb2(%y : tensor<?x8xf32>)
^bb2(%z: tensor<?x8xf32>):
  %t = util.optimization_barrier %z : tensor<?x8xf32>
  %product = stablehlo.dot_general %t, %factor, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %product : tensor<?x8xf32>
}
