func.func @f(%x: tensor<f32>, %y: tensor<3x2xf32>, %z: tensor<2x3xf32>) -> tensor<2x2xcomplex<f32>> {
  %product = stablehlo.dot_general %z, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %repeated = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  %numbers = stablehlo.complex %product, %repeated : tensor<2x2xcomplex<f32>>
  return %numbers : tensor<2x2xcomplex<f32>>
}
