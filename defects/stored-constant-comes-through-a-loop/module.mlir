// A global becomes a table, or stays as it is.
util.global private mutable @labels = dense<0> : tensor<4xi32>
func.func @f(%count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %table = arith.constant dense<[4, 0, 1, 0]> : tensor<4xi32>
  %before = util.global.load @labels : tensor<4xi32>
  %after:2 = scf.for %i = %c0 to %count step %c1 iter_args(%one = %table, %other = %before) -> (tensor<4xi32>, tensor<4xi32>) : i32 {
    scf.yield %other, %one : tensor<4xi32>, tensor<4xi32>
  }
  util.global.store %after#0, @labels : tensor<4xi32>
  return
}
func.func @set(%labels: tensor<4xi32>) {
  util.global.store %labels, @labels : tensor<4xi32>
  return
}
