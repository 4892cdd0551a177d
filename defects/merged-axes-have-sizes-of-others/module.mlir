// Sums over two axes, added to what has them along its last: 13 everywhere, and the sums.
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @f(%x: tensor<?x?x4xf32>, %z: tensor<4x?x?xf32>) -> (tensor<4x?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.reduce {arith.addf} ins(%x : tensor<?x?x4xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1, 2]
  %whole = tensor.empty(%m, %n) : tensor<4x?x?xf32>
  %added = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1, d2) -> (d2)>, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %sums : tensor<4x?x?xf32>, tensor<?xf32>) outs(%whole : tensor<4x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x?x?xf32>
  return %added, %sums : tensor<4x?x?xf32>, tensor<?xf32>
}
