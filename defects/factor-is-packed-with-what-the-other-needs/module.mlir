func.func @f(%w: tensor<8x8xf32>, %x: tensor<?x8xf32>) -> tensor<8x?xf32> {
  %h = stablehlo.tanh %w : tensor<8x8xf32>
  %first = stablehlo.dot_general %x, %h, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %factor = stablehlo.exponential %h : tensor<8x8xf32>
  %turned = stablehlo.transpose %first, dims = [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
  %other = util.optimization_barrier %turned : tensor<8x?xf32>
  %product = stablehlo.dot_general %factor, %other, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
  return %product : tensor<8x?xf32>
}
