// A product, to which rows are added in reverse order.
func.func @f(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %reversed = stablehlo.reverse %y, dims = [0] : tensor<?x8xf32>
  %sum = stablehlo.add %product, %reversed : tensor<?x8xf32>
  return %sum : tensor<?x8xf32>
}
