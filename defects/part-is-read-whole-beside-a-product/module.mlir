// A product, to which one half of the columns of a matrix is added.
func.func @f(%x: tensor<?x8xf32>, %w: tensor<8x64xf32>, %y: tensor<?x128xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x64xf32>) -> tensor<?x64xf32>
  %starts = tensor.from_elements %c0, %c64 : tensor<2xindex>
  %strides = tensor.from_elements %c1, %c1 : tensor<2xindex>
  %c128 = arith.constant 128 : index
  %limits = tensor.from_elements %rows, %c128 : tensor<2xindex>
  %half = stablehlo.real_dynamic_slice %y, %starts, %limits, %strides : (tensor<?x128xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x64xf32>
  %sum = stablehlo.add %product, %half : tensor<?x64xf32>
  return %sum : tensor<?x64xf32>
}
