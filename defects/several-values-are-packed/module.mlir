func.func @f(%x: tensor<256x1024xf32>, %c: tensor<1024x1024xf32>) -> (tensor<256x1024xf32>, tensor<256x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x1024xf32>, tensor<f32>) -> tensor<256xf32>
  %rows = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<256xf32>) -> tensor<256x1024xf32>
  %a = stablehlo.divide %x, %rows : tensor<256x1024xf32>
  %b = stablehlo.multiply %x, %rows : tensor<256x1024xf32>
  %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
  %2 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
  return %1, %2 : tensor<256x1024xf32>, tensor<256x1024xf32>
}
