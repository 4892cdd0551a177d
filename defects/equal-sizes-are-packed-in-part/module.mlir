// Products of a batch of square matrices and one of others, all of ones: 100 everywhere.
func.func @f(%numbers: tensor<?xf32>, %right: tensor<?x?x32xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = tensor.dim %numbers, %c0 : tensor<?xf32>
  %batch = tensor.dim %right, %c0 : tensor<?x?x32xf32>
  %size = tensor.dim %right, %c1 : tensor<?x?x32xf32>
  %left = flow.tensor.reshape %numbers : tensor<?xf32>{%all} -> tensor<?x?x?xf32>{%batch, %size, %size}
  %product = stablehlo.dot_general %left, %right, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %product : tensor<?x?x32xf32>
}
