// Sums along the first axis, and 3 more, and the difference between all elements and them: of no rows, the sums are 3.
func.func @f(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xi32>
  %three = arith.constant 3 : i32
  %none = tensor.empty(%columns) : tensor<?xi32>
  %threes = linalg.fill ins(%three : i32) outs(%none : tensor<?xi32>) -> tensor<?xi32>
  %more = stablehlo.add %sums, %threes : tensor<?xi32>
  %sizes = tensor.from_elements %rows, %columns : tensor<2xindex>
  %wide = "stablehlo.dynamic_broadcast_in_dim"(%more, %sizes) <{broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  %difference = stablehlo.subtract %x, %wide : tensor<?x?xi32>
  return %difference, %more : tensor<?x?xi32>, tensor<?xi32>
}
