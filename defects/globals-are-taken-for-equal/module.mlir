util.global private mutable @a : tensor<4xi32>
util.global private mutable @c = dense<5> : tensor<4xi32>
util.initializer {
  %start = util.global.load @c : tensor<4xi32>
  util.global.store %start, @a : tensor<4xi32>
  util.return
}
util.func private @change() attributes {inlining_policy = #util.inline.never} {
  %old = util.global.load @c : tensor<4xi32>
  %new = stablehlo.add %old, %old : tensor<4xi32>
  util.global.store %new, @c : tensor<4xi32>
  util.return
}
// 5 in one global, and 10 in the one that changes.
util.func public @f() -> (tensor<4xi32>, tensor<4xi32>) {
  util.call @change() : () -> ()
  %a = util.global.load @a : tensor<4xi32>
  %c = util.global.load @c : tensor<4xi32>
  util.return %a, %c : tensor<4xi32>, tensor<4xi32>
}
