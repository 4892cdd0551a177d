// The places of the numbers in order.
func.func @f(%keys: tensor<5xi32>, %places: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
  %sorted:2 = "stablehlo.sort"(%keys, %places) ({
  ^bb0(%left: tensor<i32>, %right: tensor<i32>, %left_place: tensor<i32>, %right_place: tensor<i32>):
    %less = stablehlo.compare LT, %left, %right : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  return %sorted#0, %sorted#1 : tensor<5xi32>, tensor<5xi32>
}
