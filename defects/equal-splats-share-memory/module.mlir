// Zeros with a 7 in the second place, and zeros.
func.func @f(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xi32>
  %number = arith.index_cast %size : index to i32
  %shape = tensor.from_elements %number : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %others = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %seven = arith.constant dense<7> : tensor<1xi32>
  %updated = tensor.insert_slice %seven into %zeros[1] [1] [1] : tensor<1xi32> into tensor<?xi32>
  return %updated, %others : tensor<?xi32>, tensor<?xi32>
}
