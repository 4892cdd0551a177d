// Rows of a part of a tensor.
func.func @f(%x: tensor<64x65xf32>, %at: tensor<8x16xi32>) -> tensor<8x16x64xf32> {
  %part = stablehlo.slice %x [0:64, 1:65] : (tensor<64x65xf32>) -> tensor<64x64xf32>
  %rows = "stablehlo.gather"(%part, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<8x16xi32>) -> tensor<8x16x64xf32>
  return %rows : tensor<8x16x64xf32>
}
