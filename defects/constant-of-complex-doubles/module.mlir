func.func @f() -> tensor<2xcomplex<f64>> {
  %numbers = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return %numbers : tensor<2xcomplex<f64>>
}
