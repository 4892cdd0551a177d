// The first columns of a matrix, multiplied.
func.func @f(%x: tensor<300x200xf32>, %w: tensor<100x50xf32>) -> tensor<300x50xf32> {
  %columns = stablehlo.slice %x [0:300, 0:100] : (tensor<300x200xf32>) -> tensor<300x100xf32>
  %product = stablehlo.dot_general %columns, %w, contracting_dims = [1] x [0] : (tensor<300x100xf32>, tensor<100x50xf32>) -> tensor<300x50xf32>
  return %product : tensor<300x50xf32>
}
