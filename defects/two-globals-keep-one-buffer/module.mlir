util.global private mutable @a = dense<1> : tensor<4xi32>
util.global private mutable @b = dense<2> : tensor<4xi32>
util.func private @store(%x: tensor<4xi32>) attributes {inlining_policy = #util.inline.never} {
  %sum = stablehlo.add %x, %x : tensor<4xi32>
  util.global.store %sum, @a : tensor<4xi32>
  util.global.store %sum, @b : tensor<4xi32>
  util.return
}
util.func private @change(%part: tensor<1xi32>) attributes {inlining_policy = #util.inline.never} {
  %a = util.global.load @a : tensor<4xi32>
  %changed = tensor.insert_slice %part into %a[1] [1] [1] : tensor<1xi32> into tensor<4xi32>
  util.global.store %changed, @a : tensor<4xi32>
  util.return
}
// 2, 7, 2, 2 in one global, and 2 everywhere in the other.
util.func public @f(%x: tensor<4xi32>, %part: tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  util.call @store(%x) : (tensor<4xi32>) -> ()
  util.call @change(%part) : (tensor<1xi32>) -> ()
  %a = util.global.load @a : tensor<4xi32>
  %b = util.global.load @b : tensor<4xi32>
  util.return %a, %b : tensor<4xi32>, tensor<4xi32>
}
