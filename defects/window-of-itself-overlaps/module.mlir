// Moves numbers on by one: 1, 1, 2, 3.
util.global private mutable @numbers = dense<[1, 2, 3, 4]> : tensor<4xi32>
func.func @f() -> tensor<4xi32> {
  %old = util.global.load @numbers : tensor<4xi32>
  %part = tensor.extract_slice %old[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
  %new = tensor.insert_slice %part into %old[1] [3] [1] : tensor<3xi32> into tensor<4xi32>
  util.global.store %new, @numbers : tensor<4xi32>
  return %new : tensor<4xi32>
}
