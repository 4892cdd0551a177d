func.func @f(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = stablehlo.tanh %x : tensor<?x8xf32>
  %b = stablehlo.sine %a : tensor<?x8xf32>
  %c = stablehlo.cosine %b : tensor<?x8xf32>
  %product = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %once = stablehlo.multiply %product, %a : tensor<?x8xf32>
  %twice = stablehlo.multiply %once, %b : tensor<?x8xf32>
  return %twice : tensor<?x8xf32>
}
