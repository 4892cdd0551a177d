// What is given, and the same with a 7 in the second place.
func.func @f(%x: tensor<4xi32>, %part: tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %updated = tensor.insert_slice %part into %x[1] [1] [1] : tensor<1xi32> into tensor<4xi32>
  return %x, %updated : tensor<4xi32>, tensor<4xi32>
}
