// Where the last of so many rounds begins to read: at 0 in the first, behind a product that is rounded up in the others.
func.func @f(%x: tensor<?x?xf32>, %rounds: i32) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %size = arith.muli %n, %m : index
  %aligned = util.align %size, %c64 : index
  cf.br ^round(%one, %c0 : i32, index)
^round(%number: i32, %offset: index):
  %next = arith.addi %number, %one : i32
  %is_last = arith.cmpi sge, %number, %rounds : i32
  cf.cond_br %is_last, ^end, ^round(%next, %aligned : i32, index)
^end:
  %result = arith.index_cast %offset : index to i32
  %tensor = tensor.from_elements %result : tensor<i32>
  return %tensor : tensor<i32>
}
