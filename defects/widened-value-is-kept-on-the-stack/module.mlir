// The sums of the products of rows and columns of a square matrix, and the matrix, of wider numbers.
func.func @f(%x: tensor<?x?xf32>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %wide = stablehlo.convert %x : (tensor<?x?xf32>) -> tensor<?x?xf64>
  %columns = stablehlo.transpose %wide, dims = [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %products = stablehlo.multiply %wide, %columns : tensor<?x?xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %sums = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf64>, tensor<f64>) -> tensor<?xf64>
  return %sums, %wide : tensor<?xf64>, tensor<?x?xf64>
}
