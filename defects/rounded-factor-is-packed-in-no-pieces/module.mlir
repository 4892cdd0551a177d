// A matrix of unknown sizes, rounded to f32, times another.
func.func @f(%x: tensor<?x?xf64>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %rounded = stablehlo.convert %x : (tensor<?x?xf64>) -> tensor<?x?xf32>
  %product = stablehlo.dot_general %rounded, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %product : tensor<?x8xf32>
}
