// The loops of `rounds.rs`, written by hand: integers that decide are integers, what is computed are tensors.
module @by_hand {
  func.func public @collatz(%start: tensor<i64>) -> tensor<i32> {
    %first = tensor.extract %start[] : tensor<i64>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %none = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    cf.br ^test(%first, %none : i64, i32)
  ^test(%n: i64, %steps: i32):
    %more = arith.cmpi ne, %n, %one : i64
    cf.cond_br %more, ^round, ^end
  ^round:
    %rest = arith.remsi %n, %two : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    cf.cond_br %even, ^halve, ^grow
  ^halve:
    %half = arith.divsi %n, %two : i64
    cf.br ^next(%half : i64)
  ^grow:
    %tripled = arith.muli %n, %three : i64
    %grown = arith.addi %tripled, %one : i64
    cf.br ^next(%grown : i64)
  ^next(%following: i64):
    %taken = arith.addi %steps, %step : i32
    cf.br ^test(%following, %taken : i64, i32)
  ^end:
    %empty = tensor.empty() : tensor<i32>
    %result = linalg.fill ins(%steps : i32) outs(%empty : tensor<i32>) -> tensor<i32>
    return %result : tensor<i32>
  }

  func.func public @nested(%rounds: tensor<i32>) -> tensor<i32> {
    %n = tensor.extract %rounds[] : tensor<i32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    cf.br ^outer(%zero, %zero : i32, i32)
  ^outer(%i: i32, %count: i32):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^inner(%zero, %count : i32, i32), ^end
  ^inner(%j: i32, %so_far: i32):
    %inside = arith.cmpi slt, %j, %i : i32
    cf.cond_br %inside, ^round, ^next
  ^round:
    %product = arith.muli %i, %j : i32
    %rest = arith.remsi %product, %seven : i32
    %counted = arith.addi %so_far, %rest : i32
    %following = arith.addi %j, %one : i32
    cf.br ^inner(%following, %counted : i32, i32)
  ^next:
    %after = arith.addi %i, %one : i32
    cf.br ^outer(%after, %so_far : i32, i32)
  ^end:
    %empty = tensor.empty() : tensor<i32>
    %result = linalg.fill ins(%count : i32) outs(%empty : tensor<i32>) -> tensor<i32>
    return %result : tensor<i32>
  }

  func.func public @root(%x: tensor<f32>) -> tensor<f32> {
    %limit = arith.constant 1.0e-3 : f32
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %change = tensor.extract %x[] : tensor<f32>
    %first = flow.tensor.barrier %x : tensor<f32> on #hal.device.promise<@__device_0>
    %any = arith.cmpf ogt, %change, %limit : f32
    cf.cond_br %any, ^round(%first : tensor<f32>), ^end(%first : tensor<f32>)
  ^round(%guess: tensor<f32>):
    %quotient = stablehlo.divide %x, %guess : tensor<f32>
    %sum = stablehlo.add %guess, %quotient : tensor<f32>
    %next = stablehlo.multiply %half, %sum : tensor<f32>
    %difference = stablehlo.subtract %next, %guess : tensor<f32>
    %size = stablehlo.abs %difference : tensor<f32>
    %changed = tensor.extract %size[] : tensor<f32>
    %done = arith.cmpf ule, %changed, %limit : f32
    cf.cond_br %done, ^end(%next : tensor<f32>), ^round(%next : tensor<f32>)
  ^end(%result: tensor<f32>):
    return %result : tensor<f32>
  }

  func.func public @iterate(%rounds: tensor<i32>) -> tensor<f32> {
    %n = tensor.extract %rounds[] : tensor<i32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %nothing = stablehlo.constant dense<0.0> : tensor<f32>
    %tenth = stablehlo.constant dense<0.1> : tensor<64xf32>
    %hundredth = stablehlo.constant dense<0.01> : tensor<64x64xf32>
    %rows = stablehlo.iota dim = 0 : tensor<64x64xf32>
    %columns = stablehlo.iota dim = 1 : tensor<64x64xf32>
    %differences = stablehlo.subtract %rows, %columns : tensor<64x64xf32>
    %weights = stablehlo.multiply %differences, %hundredth : tensor<64x64xf32>
    %start = stablehlo.constant dense<0.0> : tensor<64xf32>
    %first = flow.tensor.barrier %start : tensor<64xf32> on #hal.device.promise<@__device_0>
    %any = arith.cmpi slt, %zero, %n : i32
    cf.cond_br %any, ^round(%zero, %first : i32, tensor<64xf32>), ^end(%first : tensor<64xf32>)
  ^round(%i: i32, %x: tensor<64xf32>):
    %product = stablehlo.dot_general %weights, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %moved = stablehlo.add %product, %tenth : tensor<64xf32>
    %next = stablehlo.tanh %moved : tensor<64xf32>
    %j = arith.addi %i, %one : i32
    %done = arith.cmpi sge, %j, %n : i32
    cf.cond_br %done, ^end(%next : tensor<64xf32>), ^round(%j, %next : i32, tensor<64xf32>)
  ^end(%last: tensor<64xf32>):
    %sum = stablehlo.reduce(%last init: %nothing) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    return %sum : tensor<f32>
  }
}
