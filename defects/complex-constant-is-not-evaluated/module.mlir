// Complex numbers from two tables, in memory, and in another order.
func.func @f() -> tensor<4xcomplex<f32>> {
  %re = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %im = stablehlo.constant dense<[2.0, 4.0, 6.0, 8.0]> : tensor<4xf32>
  %z = stablehlo.complex %re, %im : tensor<4xcomplex<f32>>
  %end = iree_tensor_ext.compute_barrier.end %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %start = iree_tensor_ext.compute_barrier.start %end : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %product = stablehlo.multiply %start, %start : tensor<4xcomplex<f32>>
  return %product : tensor<4xcomplex<f32>>
}
