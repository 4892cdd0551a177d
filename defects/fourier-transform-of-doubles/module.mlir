func.func @f(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %y = stablehlo.fft %x, type = FFT, length = [8] : (tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
