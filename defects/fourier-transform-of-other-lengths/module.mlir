func.func @f(%x: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [6] : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  return %y : tensor<6xcomplex<f32>>
}
