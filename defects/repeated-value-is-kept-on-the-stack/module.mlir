// The lowest two bits of a matrix of any size, added up as often as it has rows.
func.func @f(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %sizes = tensor.from_elements %n, %n, %m : tensor<3xindex>
  %repeated = "stablehlo.dynamic_broadcast_in_dim"(%x, %sizes) {broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xi32>, tensor<3xindex>) -> tensor<?x?x?xi32>
  %empty = tensor.empty(%n, %n, %m) : tensor<?x?x?xi32>
  %three = linalg.fill ins(%c3 : i32) outs(%empty : tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %low = stablehlo.and %repeated, %three : tensor<?x?x?xi32>
  %sum = stablehlo.reduce(%low init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?x?xi32>, tensor<i32>) -> tensor<?x?xi32>
  return %sum : tensor<?x?xi32>
}
