// A part of what is computed, to which numbers are added at places, and another part.
func.func @f(%y: tensor<80000xf32>, %i: tensor<40000x1xi32>, %u: tensor<40000xf32>) -> (tensor<40000xf32>, tensor<40000xf32>) {
  %v = stablehlo.multiply %y, %y : tensor<80000xf32>
  %part = stablehlo.slice %v [0:40000] : (tensor<80000xf32>) -> tensor<40000xf32>
  %sum = "stablehlo.scatter"(%part, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<40000xf32>, tensor<40000x1xi32>, tensor<40000xf32>) -> tensor<40000xf32>
  %other = stablehlo.slice %v [40000:80000] : (tensor<80000xf32>) -> tensor<40000xf32>
  return %sum, %other : tensor<40000xf32>, tensor<40000xf32>
}
