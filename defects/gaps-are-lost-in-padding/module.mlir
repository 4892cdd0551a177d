// Two zeros below, and then one between all elements; and the other way round.
func.func @f(%x: tensor<3xf32>) -> (tensor<9xf32>, tensor<7xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %moved = stablehlo.pad %x, %zero, low = [2], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  %spread = stablehlo.pad %moved, %zero, low = [0], high = [0], interior = [1] : (tensor<5xf32>, tensor<f32>) -> tensor<9xf32>
  %wide = stablehlo.pad %x, %zero, low = [0], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  %other = stablehlo.pad %wide, %zero, low = [2], high = [0], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
  return %spread, %other : tensor<9xf32>, tensor<7xf32>
}
