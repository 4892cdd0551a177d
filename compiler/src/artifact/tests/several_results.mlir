module @p {
  func.func public @f(%arg0: tensor<16x3xf32>, %arg1: tensor<3xf32>) -> (tensor<16x3xf32>, tensor<3xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<16x3xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %23 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x3xf32>
    %5 = "stablehlo.subtract"(%1, %4) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %6 = "stablehlo.exponential"(%5) : (tensor<16x3xf32>) -> tensor<16x3xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %23 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16xf32>
    %9 = "stablehlo.log"(%8) : (tensor<16xf32>) -> tensor<16xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x3xf32>
    %11 = "stablehlo.subtract"(%5, %10) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.reduce"(%1, %12) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %23 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x3xf32>
    %15 = "stablehlo.subtract"(%1, %14) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<16x3xf32>) -> tensor<16x3xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %23 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x3xf32>
    %20 = "stablehlo.divide"(%16, %19) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %23 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %11, %22 : tensor<16x3xf32>, tensor<3xf32>
  }
}

