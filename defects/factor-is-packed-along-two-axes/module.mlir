// A product times other numbers, as a factor of two products: one of the last axis, one of the first two.
func.func @f(%x: tensor<8x128x256xf32>, %w: tensor<256x1024xf32>, %u: tensor<8x128x1024xf32>, %v: tensor<1024x256xf32>) -> (tensor<1024x256xf32>, tensor<8x128x256xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
  %h = stablehlo.multiply %y, %u : tensor<8x128x1024xf32>
  %first = stablehlo.dot_general %h, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<8x128x1024xf32>, tensor<8x128x256xf32>) -> tensor<1024x256xf32>
  %second = stablehlo.dot_general %h, %v, contracting_dims = [2] x [0] : (tensor<8x128x1024xf32>, tensor<1024x256xf32>) -> tensor<8x128x256xf32>
  return %first, %second : tensor<1024x256xf32>, tensor<8x128x256xf32>
}
