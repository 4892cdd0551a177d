// Ones, computed from ones, times a vector and a matrix.
func.func @f(%matrix: tensor<4x4xf64>, %vector: tensor<5xf64>) -> (tensor<4x4xf64>, tensor<5xf64>) {
  %ones = stablehlo.constant dense<1.0> : tensor<5x4x4xf64>
  %roots = stablehlo.sqrt %ones : tensor<5x4x4xf64>
  %end = iree_tensor_ext.compute_barrier.end %roots : tensor<5x4x4xf64> -> tensor<5x4x4xf64>
  %start = iree_tensor_ext.compute_barrier.start %end : tensor<5x4x4xf64> -> tensor<5x4x4xf64>
  %first = stablehlo.dot_general %start, %vector, contracting_dims = [0] x [0] : (tensor<5x4x4xf64>, tensor<5xf64>) -> tensor<4x4xf64>
  %rows = stablehlo.reshape %start : (tensor<5x4x4xf64>) -> tensor<5x16xf64>
  %column = stablehlo.reshape %matrix : (tensor<4x4xf64>) -> tensor<16xf64>
  %second = stablehlo.dot_general %rows, %column, contracting_dims = [1] x [0] : (tensor<5x16xf64>, tensor<16xf64>) -> tensor<5xf64>
  return %first, %second : tensor<4x4xf64>, tensor<5xf64>
}
