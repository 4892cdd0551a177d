// The end of an iteration hands the same tensor to what comes after the loop, or to the next one.
func.func @f(%x: tensor<64xf32>, %n: tensor<i32>) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = tensor.extract %n[] : tensor<i32>
  %start = stablehlo.add %x, %x : tensor<64xf32>
  %more = arith.cmpi slt, %zero, %end : i32
  cf.cond_br %more, ^iteration(%zero, %start : i32, tensor<64xf32>), ^end(%start : tensor<64xf32>)
^iteration(%i: i32, %y: tensor<64xf32>):
  %next = stablehlo.tanh %y : tensor<64xf32>
  %count = arith.addi %i, %one : i32
  %done = arith.cmpi sge, %count, %end : i32
  cf.cond_br %done, ^end(%next : tensor<64xf32>), ^iteration(%count, %next : i32, tensor<64xf32>)
^end(%result: tensor<64xf32>):
  return %result : tensor<64xf32>
}
