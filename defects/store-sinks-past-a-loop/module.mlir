// With 5 and 1: 1, and 1 in each of five rounds, so 6.
util.global private mutable @sum = dense<0> : tensor<i32>
func.func @f(%count: index, %x: tensor<i32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  util.global.store %x, @sum : tensor<i32>
  scf.for %round = %c0 to %count step %c1 {
    %before = util.global.load @sum : tensor<i32>
    %after = stablehlo.add %before, %x : tensor<i32>
    util.global.store %after, @sum : tensor<i32>
  }
  %all = util.global.load @sum : tensor<i32>
  return %all : tensor<i32>
}
