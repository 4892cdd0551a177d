// The decoder of `decode.rs`, written by hand: StableHLO in functions, which IREE inlines, and the loop as
// blocks with its counter as an integer and its caches as arguments, which are stored after the last round.
//
// IREE 3.13 keeps the caches in place only if the loop tests at its end, and if it knows on which device they
// are when the loop starts.
module @by_hand {
  util.global private @embedding = #flow.parameter.named<"model"::"embedding"> : tensor<256x256xf32>
  util.global private @positions = #flow.parameter.named<"model"::"positions"> : tensor<512x256xf32>
  util.global private @norm_scale = #flow.parameter.named<"model"::"norm.scale"> : tensor<256xf32>
  util.global private @norm_bias = #flow.parameter.named<"model"::"norm.bias"> : tensor<256xf32>
  util.global private @query_0 = #flow.parameter.named<"model"::"layers.0.query"> : tensor<256x256xf32>
  util.global private @key_0 = #flow.parameter.named<"model"::"layers.0.key"> : tensor<256x256xf32>
  util.global private @value_0 = #flow.parameter.named<"model"::"layers.0.value"> : tensor<256x256xf32>
  util.global private @output_0 = #flow.parameter.named<"model"::"layers.0.output"> : tensor<256x256xf32>
  util.global private @up_0 = #flow.parameter.named<"model"::"layers.0.up"> : tensor<256x1024xf32>
  util.global private @down_0 = #flow.parameter.named<"model"::"layers.0.down"> : tensor<1024x256xf32>
  util.global private @first_norm_scale_0 = #flow.parameter.named<"model"::"layers.0.first_norm.scale"> : tensor<256xf32>
  util.global private @first_norm_bias_0 = #flow.parameter.named<"model"::"layers.0.first_norm.bias"> : tensor<256xf32>
  util.global private @second_norm_scale_0 = #flow.parameter.named<"model"::"layers.0.second_norm.scale"> : tensor<256xf32>
  util.global private @second_norm_bias_0 = #flow.parameter.named<"model"::"layers.0.second_norm.bias"> : tensor<256xf32>
  util.global private @query_1 = #flow.parameter.named<"model"::"layers.1.query"> : tensor<256x256xf32>
  util.global private @key_1 = #flow.parameter.named<"model"::"layers.1.key"> : tensor<256x256xf32>
  util.global private @value_1 = #flow.parameter.named<"model"::"layers.1.value"> : tensor<256x256xf32>
  util.global private @output_1 = #flow.parameter.named<"model"::"layers.1.output"> : tensor<256x256xf32>
  util.global private @up_1 = #flow.parameter.named<"model"::"layers.1.up"> : tensor<256x1024xf32>
  util.global private @down_1 = #flow.parameter.named<"model"::"layers.1.down"> : tensor<1024x256xf32>
  util.global private @first_norm_scale_1 = #flow.parameter.named<"model"::"layers.1.first_norm.scale"> : tensor<256xf32>
  util.global private @first_norm_bias_1 = #flow.parameter.named<"model"::"layers.1.first_norm.bias"> : tensor<256xf32>
  util.global private @second_norm_scale_1 = #flow.parameter.named<"model"::"layers.1.second_norm.scale"> : tensor<256xf32>
  util.global private @second_norm_bias_1 = #flow.parameter.named<"model"::"layers.1.second_norm.bias"> : tensor<256xf32>
  util.global private @query_2 = #flow.parameter.named<"model"::"layers.2.query"> : tensor<256x256xf32>
  util.global private @key_2 = #flow.parameter.named<"model"::"layers.2.key"> : tensor<256x256xf32>
  util.global private @value_2 = #flow.parameter.named<"model"::"layers.2.value"> : tensor<256x256xf32>
  util.global private @output_2 = #flow.parameter.named<"model"::"layers.2.output"> : tensor<256x256xf32>
  util.global private @up_2 = #flow.parameter.named<"model"::"layers.2.up"> : tensor<256x1024xf32>
  util.global private @down_2 = #flow.parameter.named<"model"::"layers.2.down"> : tensor<1024x256xf32>
  util.global private @first_norm_scale_2 = #flow.parameter.named<"model"::"layers.2.first_norm.scale"> : tensor<256xf32>
  util.global private @first_norm_bias_2 = #flow.parameter.named<"model"::"layers.2.first_norm.bias"> : tensor<256xf32>
  util.global private @second_norm_scale_2 = #flow.parameter.named<"model"::"layers.2.second_norm.scale"> : tensor<256xf32>
  util.global private @second_norm_bias_2 = #flow.parameter.named<"model"::"layers.2.second_norm.bias"> : tensor<256xf32>
  util.global private @query_3 = #flow.parameter.named<"model"::"layers.3.query"> : tensor<256x256xf32>
  util.global private @key_3 = #flow.parameter.named<"model"::"layers.3.key"> : tensor<256x256xf32>
  util.global private @value_3 = #flow.parameter.named<"model"::"layers.3.value"> : tensor<256x256xf32>
  util.global private @output_3 = #flow.parameter.named<"model"::"layers.3.output"> : tensor<256x256xf32>
  util.global private @up_3 = #flow.parameter.named<"model"::"layers.3.up"> : tensor<256x1024xf32>
  util.global private @down_3 = #flow.parameter.named<"model"::"layers.3.down"> : tensor<1024x256xf32>
  util.global private @first_norm_scale_3 = #flow.parameter.named<"model"::"layers.3.first_norm.scale"> : tensor<256xf32>
  util.global private @first_norm_bias_3 = #flow.parameter.named<"model"::"layers.3.first_norm.bias"> : tensor<256xf32>
  util.global private @second_norm_scale_3 = #flow.parameter.named<"model"::"layers.3.second_norm.scale"> : tensor<256xf32>
  util.global private @second_norm_bias_3 = #flow.parameter.named<"model"::"layers.3.second_norm.bias"> : tensor<256xf32>
  util.global private mutable @keys_0 : tensor<4x512x64xf32>
  util.global private mutable @values_0 : tensor<4x512x64xf32>
  util.global private mutable @keys_1 : tensor<4x512x64xf32>
  util.global private mutable @values_1 : tensor<4x512x64xf32>
  util.global private mutable @keys_2 : tensor<4x512x64xf32>
  util.global private mutable @values_2 : tensor<4x512x64xf32>
  util.global private mutable @keys_3 : tensor<4x512x64xf32>
  util.global private mutable @values_3 : tensor<4x512x64xf32>

  // Caches that start as one constant would share a buffer, and be updated together.
  util.initializer {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %keys_0_zero = util.optimization_barrier %zero : tensor<f32>
    %keys_0 = stablehlo.broadcast_in_dim %keys_0_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %keys_0, @keys_0 : tensor<4x512x64xf32>
    %values_0_zero = util.optimization_barrier %zero : tensor<f32>
    %values_0 = stablehlo.broadcast_in_dim %values_0_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %values_0, @values_0 : tensor<4x512x64xf32>
    %keys_1_zero = util.optimization_barrier %zero : tensor<f32>
    %keys_1 = stablehlo.broadcast_in_dim %keys_1_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %keys_1, @keys_1 : tensor<4x512x64xf32>
    %values_1_zero = util.optimization_barrier %zero : tensor<f32>
    %values_1 = stablehlo.broadcast_in_dim %values_1_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %values_1, @values_1 : tensor<4x512x64xf32>
    %keys_2_zero = util.optimization_barrier %zero : tensor<f32>
    %keys_2 = stablehlo.broadcast_in_dim %keys_2_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %keys_2, @keys_2 : tensor<4x512x64xf32>
    %values_2_zero = util.optimization_barrier %zero : tensor<f32>
    %values_2 = stablehlo.broadcast_in_dim %values_2_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %values_2, @values_2 : tensor<4x512x64xf32>
    %keys_3_zero = util.optimization_barrier %zero : tensor<f32>
    %keys_3 = stablehlo.broadcast_in_dim %keys_3_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %keys_3, @keys_3 : tensor<4x512x64xf32>
    %values_3_zero = util.optimization_barrier %zero : tensor<f32>
    %values_3 = stablehlo.broadcast_in_dim %values_3_zero, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    util.global.store %values_3, @values_3 : tensor<4x512x64xf32>
    util.return
  }

  func.func private @sum(%x: tensor<256xf32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
    return %sum : tensor<f32>
  }

  func.func private @norm(%x: tensor<256xf32>, %scale: tensor<256xf32>, %bias: tensor<256xf32>) -> tensor<256xf32> {
    %count = stablehlo.constant dense<256.0> : tensor<f32>
    %epsilon = stablehlo.constant dense<1.0e-5> : tensor<f32>
    %sum = func.call @sum(%x) : (tensor<256xf32>) -> tensor<f32>
    %mean = stablehlo.divide %sum, %count : tensor<f32>
    %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %centered = stablehlo.subtract %x, %means : tensor<256xf32>
    %squares = stablehlo.multiply %centered, %centered : tensor<256xf32>
    %squared = func.call @sum(%squares) : (tensor<256xf32>) -> tensor<f32>
    %variance = stablehlo.divide %squared, %count : tensor<f32>
    %above = stablehlo.add %variance, %epsilon : tensor<f32>
    %factor = stablehlo.rsqrt %above : tensor<f32>
    %factors = stablehlo.broadcast_in_dim %factor, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %normal = stablehlo.multiply %centered, %factors : tensor<256xf32>
    %scaled = stablehlo.multiply %normal, %scale : tensor<256xf32>
    %shifted = stablehlo.add %scaled, %bias : tensor<256xf32>
    return %shifted : tensor<256xf32>
  }

  func.func private @gelu(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %half = stablehlo.constant dense<0.5> : tensor<1024xf32>
    %one = stablehlo.constant dense<1.0> : tensor<1024xf32>
    %cubic = stablehlo.constant dense<0.044715> : tensor<1024xf32>
    %root = stablehlo.constant dense<0.7978845608> : tensor<1024xf32>
    %square = stablehlo.multiply %x, %x : tensor<1024xf32>
    %cube = stablehlo.multiply %square, %x : tensor<1024xf32>
    %bent = stablehlo.multiply %cubic, %cube : tensor<1024xf32>
    %inner = stablehlo.add %x, %bent : tensor<1024xf32>
    %scaled = stablehlo.multiply %root, %inner : tensor<1024xf32>
    %tanh = stablehlo.tanh %scaled : tensor<1024xf32>
    %above = stablehlo.add %one, %tanh : tensor<1024xf32>
    %halved = stablehlo.multiply %half, %x : tensor<1024xf32>
    %result = stablehlo.multiply %halved, %above : tensor<1024xf32>
    return %result : tensor<1024xf32>
  }

  func.func private @store(%cache: tensor<4x512x64xf32>, %row: tensor<256xf32>, %at: tensor<i32>) -> tensor<4x512x64xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %window = stablehlo.reshape %row : (tensor<256xf32>) -> tensor<4x1x64xf32>
    %stored = stablehlo.dynamic_update_slice %cache, %window, %zero, %at, %zero : (tensor<4x512x64xf32>, tensor<4x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x64xf32>
    return %stored : tensor<4x512x64xf32>
  }

  func.func private @attend(%query: tensor<256xf32>, %keys: tensor<4x512x64xf32>, %values: tensor<4x512x64xf32>, %at: tensor<i32>) -> tensor<256xf32> {
    %scale = stablehlo.constant dense<0.125> : tensor<4x512xf32>
    %hidden = stablehlo.constant dense<-1.0e9> : tensor<4x512xf32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %heads = stablehlo.reshape %query : (tensor<256xf32>) -> tensor<4x64xf32>
    %products = stablehlo.dot_general %keys, %heads, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x512x64xf32>, tensor<4x64xf32>) -> tensor<4x512xf32>
    %scores = stablehlo.multiply %products, %scale : tensor<4x512xf32>
    %places = stablehlo.iota dim = 1 : tensor<4x512xi32>
    %ats = stablehlo.broadcast_in_dim %at, dims = [] : (tensor<i32>) -> tensor<4x512xi32>
    %seen = stablehlo.compare LE, %places, %ats : (tensor<4x512xi32>, tensor<4x512xi32>) -> tensor<4x512xi1>
    %masked = stablehlo.select %seen, %scores, %hidden : tensor<4x512xi1>, tensor<4x512xf32>
    %max = stablehlo.reduce(%masked init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4xf32>
    %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4xf32>) -> tensor<4x512xf32>
    %below = stablehlo.subtract %masked, %maxes : tensor<4x512xf32>
    %powers = stablehlo.exponential %below : tensor<4x512xf32>
    %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x512xf32>
    %weights = stablehlo.divide %powers, %sums : tensor<4x512xf32>
    %mixed = stablehlo.dot_general %weights, %values, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x512xf32>, tensor<4x512x64xf32>) -> tensor<4x64xf32>
    %row = stablehlo.reshape %mixed : (tensor<4x64xf32>) -> tensor<256xf32>
    return %row : tensor<256xf32>
  }

  func.func private @layer(%x: tensor<256xf32>, %at: tensor<i32>, %keys: tensor<4x512x64xf32>, %values: tensor<4x512x64xf32>, %query: tensor<256x256xf32>, %key: tensor<256x256xf32>, %value: tensor<256x256xf32>, %output: tensor<256x256xf32>, %up: tensor<256x1024xf32>, %down: tensor<1024x256xf32>, %first_scale: tensor<256xf32>, %first_bias: tensor<256xf32>, %second_scale: tensor<256xf32>, %second_bias: tensor<256xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>) {
    %h = func.call @norm(%x, %first_scale, %first_bias) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %q = stablehlo.dot_general %h, %query, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %k = stablehlo.dot_general %h, %key, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %v = stablehlo.dot_general %h, %value, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %new_keys = func.call @store(%keys, %k, %at) : (tensor<4x512x64xf32>, tensor<256xf32>, tensor<i32>) -> tensor<4x512x64xf32>
    %new_values = func.call @store(%values, %v, %at) : (tensor<4x512x64xf32>, tensor<256xf32>, tensor<i32>) -> tensor<4x512x64xf32>
    %attended = func.call @attend(%q, %new_keys, %new_values, %at) : (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<i32>) -> tensor<256xf32>
    %projected = stablehlo.dot_general %attended, %output, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %y = stablehlo.add %x, %projected : tensor<256xf32>
    %g = func.call @norm(%y, %second_scale, %second_bias) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %wide = stablehlo.dot_general %g, %up, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x1024xf32>) -> tensor<1024xf32>
    %bent = func.call @gelu(%wide) : (tensor<1024xf32>) -> tensor<1024xf32>
    %narrow = stablehlo.dot_general %bent, %down, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024x256xf32>) -> tensor<256xf32>
    %z = stablehlo.add %y, %narrow : tensor<256xf32>
    return %z, %new_keys, %new_values : tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>
  }

  func.func private @decode(%token: tensor<i32>, %at: tensor<i32>, %keys_0: tensor<4x512x64xf32>, %values_0: tensor<4x512x64xf32>, %keys_1: tensor<4x512x64xf32>, %values_1: tensor<4x512x64xf32>, %keys_2: tensor<4x512x64xf32>, %values_2: tensor<4x512x64xf32>, %keys_3: tensor<4x512x64xf32>, %values_3: tensor<4x512x64xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %embedding = util.global.load @embedding : tensor<256x256xf32>
    %positions = util.global.load @positions : tensor<512x256xf32>
    %of_token = stablehlo.dynamic_slice %embedding, %token, %zero, sizes = [1, 256] : (tensor<256x256xf32>, tensor<i32>, tensor<i32>) -> tensor<1x256xf32>
    %of_place = stablehlo.dynamic_slice %positions, %at, %zero, sizes = [1, 256] : (tensor<512x256xf32>, tensor<i32>, tensor<i32>) -> tensor<1x256xf32>
    %both = stablehlo.add %of_token, %of_place : tensor<1x256xf32>
    %x_0 = stablehlo.reshape %both : (tensor<1x256xf32>) -> tensor<256xf32>
    %query_0 = util.global.load @query_0 : tensor<256x256xf32>
    %key_0 = util.global.load @key_0 : tensor<256x256xf32>
    %value_0 = util.global.load @value_0 : tensor<256x256xf32>
    %output_0 = util.global.load @output_0 : tensor<256x256xf32>
    %up_0 = util.global.load @up_0 : tensor<256x1024xf32>
    %down_0 = util.global.load @down_0 : tensor<1024x256xf32>
    %first_norm_scale_0 = util.global.load @first_norm_scale_0 : tensor<256xf32>
    %first_norm_bias_0 = util.global.load @first_norm_bias_0 : tensor<256xf32>
    %second_norm_scale_0 = util.global.load @second_norm_scale_0 : tensor<256xf32>
    %second_norm_bias_0 = util.global.load @second_norm_bias_0 : tensor<256xf32>
    %x_1, %new_keys_0, %new_values_0 = func.call @layer(%x_0, %at, %keys_0, %values_0, %query_0, %key_0, %value_0, %output_0, %up_0, %down_0, %first_norm_scale_0, %first_norm_bias_0, %second_norm_scale_0, %second_norm_bias_0) : (tensor<256xf32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    %query_1 = util.global.load @query_1 : tensor<256x256xf32>
    %key_1 = util.global.load @key_1 : tensor<256x256xf32>
    %value_1 = util.global.load @value_1 : tensor<256x256xf32>
    %output_1 = util.global.load @output_1 : tensor<256x256xf32>
    %up_1 = util.global.load @up_1 : tensor<256x1024xf32>
    %down_1 = util.global.load @down_1 : tensor<1024x256xf32>
    %first_norm_scale_1 = util.global.load @first_norm_scale_1 : tensor<256xf32>
    %first_norm_bias_1 = util.global.load @first_norm_bias_1 : tensor<256xf32>
    %second_norm_scale_1 = util.global.load @second_norm_scale_1 : tensor<256xf32>
    %second_norm_bias_1 = util.global.load @second_norm_bias_1 : tensor<256xf32>
    %x_2, %new_keys_1, %new_values_1 = func.call @layer(%x_1, %at, %keys_1, %values_1, %query_1, %key_1, %value_1, %output_1, %up_1, %down_1, %first_norm_scale_1, %first_norm_bias_1, %second_norm_scale_1, %second_norm_bias_1) : (tensor<256xf32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    %query_2 = util.global.load @query_2 : tensor<256x256xf32>
    %key_2 = util.global.load @key_2 : tensor<256x256xf32>
    %value_2 = util.global.load @value_2 : tensor<256x256xf32>
    %output_2 = util.global.load @output_2 : tensor<256x256xf32>
    %up_2 = util.global.load @up_2 : tensor<256x1024xf32>
    %down_2 = util.global.load @down_2 : tensor<1024x256xf32>
    %first_norm_scale_2 = util.global.load @first_norm_scale_2 : tensor<256xf32>
    %first_norm_bias_2 = util.global.load @first_norm_bias_2 : tensor<256xf32>
    %second_norm_scale_2 = util.global.load @second_norm_scale_2 : tensor<256xf32>
    %second_norm_bias_2 = util.global.load @second_norm_bias_2 : tensor<256xf32>
    %x_3, %new_keys_2, %new_values_2 = func.call @layer(%x_2, %at, %keys_2, %values_2, %query_2, %key_2, %value_2, %output_2, %up_2, %down_2, %first_norm_scale_2, %first_norm_bias_2, %second_norm_scale_2, %second_norm_bias_2) : (tensor<256xf32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    %query_3 = util.global.load @query_3 : tensor<256x256xf32>
    %key_3 = util.global.load @key_3 : tensor<256x256xf32>
    %value_3 = util.global.load @value_3 : tensor<256x256xf32>
    %output_3 = util.global.load @output_3 : tensor<256x256xf32>
    %up_3 = util.global.load @up_3 : tensor<256x1024xf32>
    %down_3 = util.global.load @down_3 : tensor<1024x256xf32>
    %first_norm_scale_3 = util.global.load @first_norm_scale_3 : tensor<256xf32>
    %first_norm_bias_3 = util.global.load @first_norm_bias_3 : tensor<256xf32>
    %second_norm_scale_3 = util.global.load @second_norm_scale_3 : tensor<256xf32>
    %second_norm_bias_3 = util.global.load @second_norm_bias_3 : tensor<256xf32>
    %x_4, %new_keys_3, %new_values_3 = func.call @layer(%x_3, %at, %keys_3, %values_3, %query_3, %key_3, %value_3, %output_3, %up_3, %down_3, %first_norm_scale_3, %first_norm_bias_3, %second_norm_scale_3, %second_norm_bias_3) : (tensor<256xf32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    %norm_scale = util.global.load @norm_scale : tensor<256xf32>
    %norm_bias = util.global.load @norm_bias : tensor<256xf32>
    %last = func.call @norm(%x_4, %norm_scale, %norm_bias) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %logits = stablehlo.dot_general %embedding, %last, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256xf32>) -> tensor<256xf32>
    return %logits, %new_keys_0, %new_values_0, %new_keys_1, %new_values_1, %new_keys_2, %new_values_2, %new_keys_3, %new_values_3 : tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>
  }

  func.func private @greatest(%logits: tensor<256xf32>) -> tensor<i32> {
    %places = stablehlo.iota dim = 0 : tensor<256xi32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %found:2 = stablehlo.reduce(%logits init: %least), (%places init: %zero) across dimensions = [0] : (tensor<256xf32>, tensor<256xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %greater = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %number = stablehlo.select %greater, %a, %b : tensor<i1>, tensor<f32>
      %place = stablehlo.select %greater, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %number, %place : tensor<f32>, tensor<i32>
    }
    return %found#1 : tensor<i32>
  }

  func.func public @step(%token: tensor<i32>, %at: tensor<i32>) -> (tensor<i32>, tensor<256xf32>) {
    %keys_0 = util.global.load @keys_0 : tensor<4x512x64xf32>
    %values_0 = util.global.load @values_0 : tensor<4x512x64xf32>
    %keys_1 = util.global.load @keys_1 : tensor<4x512x64xf32>
    %values_1 = util.global.load @values_1 : tensor<4x512x64xf32>
    %keys_2 = util.global.load @keys_2 : tensor<4x512x64xf32>
    %values_2 = util.global.load @values_2 : tensor<4x512x64xf32>
    %keys_3 = util.global.load @keys_3 : tensor<4x512x64xf32>
    %values_3 = util.global.load @values_3 : tensor<4x512x64xf32>
    %logits, %new_keys_0, %new_values_0, %new_keys_1, %new_values_1, %new_keys_2, %new_values_2, %new_keys_3, %new_values_3 = func.call @decode(%token, %at, %keys_0, %values_0, %keys_1, %values_1, %keys_2, %values_2, %keys_3, %values_3) : (tensor<i32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    util.global.store %new_keys_0, @keys_0 : tensor<4x512x64xf32>
    util.global.store %new_values_0, @values_0 : tensor<4x512x64xf32>
    util.global.store %new_keys_1, @keys_1 : tensor<4x512x64xf32>
    util.global.store %new_values_1, @values_1 : tensor<4x512x64xf32>
    util.global.store %new_keys_2, @keys_2 : tensor<4x512x64xf32>
    util.global.store %new_values_2, @values_2 : tensor<4x512x64xf32>
    util.global.store %new_keys_3, @keys_3 : tensor<4x512x64xf32>
    util.global.store %new_values_3, @values_3 : tensor<4x512x64xf32>
    %next = func.call @greatest(%logits) : (tensor<256xf32>) -> tensor<i32>
    return %next, %logits : tensor<i32>, tensor<256xf32>
  }

  func.func public @generate(%first: tensor<i32>, %count: tensor<i32>) -> tensor<512xi32> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %rounds = tensor.extract %count[] : tensor<i32>
    %nothing = arith.constant dense<0> : tensor<512xi32>
    %unwritten = flow.tensor.barrier %nothing : tensor<512xi32> on #hal.device.promise<@__device_0>
    %token = flow.tensor.barrier %first : tensor<i32> on #hal.device.promise<@__device_0>
    %loaded_keys_0 = util.global.load @keys_0 : tensor<4x512x64xf32>
    %first_keys_0 = flow.tensor.barrier %loaded_keys_0 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_values_0 = util.global.load @values_0 : tensor<4x512x64xf32>
    %first_values_0 = flow.tensor.barrier %loaded_values_0 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_keys_1 = util.global.load @keys_1 : tensor<4x512x64xf32>
    %first_keys_1 = flow.tensor.barrier %loaded_keys_1 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_values_1 = util.global.load @values_1 : tensor<4x512x64xf32>
    %first_values_1 = flow.tensor.barrier %loaded_values_1 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_keys_2 = util.global.load @keys_2 : tensor<4x512x64xf32>
    %first_keys_2 = flow.tensor.barrier %loaded_keys_2 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_values_2 = util.global.load @values_2 : tensor<4x512x64xf32>
    %first_values_2 = flow.tensor.barrier %loaded_values_2 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_keys_3 = util.global.load @keys_3 : tensor<4x512x64xf32>
    %first_keys_3 = flow.tensor.barrier %loaded_keys_3 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %loaded_values_3 = util.global.load @values_3 : tensor<4x512x64xf32>
    %first_values_3 = flow.tensor.barrier %loaded_values_3 : tensor<4x512x64xf32> on #hal.device.promise<@__device_0>
    %any = arith.cmpi slt, %zero, %rounds : i32
    cf.cond_br %any, ^round(%zero, %token, %unwritten, %first_keys_0, %first_values_0, %first_keys_1, %first_values_1, %first_keys_2, %first_values_2, %first_keys_3, %first_values_3 : i32, tensor<i32>, tensor<512xi32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>), ^end(%zero, %token, %unwritten, %first_keys_0, %first_values_0, %first_keys_1, %first_values_1, %first_keys_2, %first_values_2, %first_keys_3, %first_values_3 : i32, tensor<i32>, tensor<512xi32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
  ^round(%i: i32, %current: tensor<i32>, %written: tensor<512xi32>, %keys_0: tensor<4x512x64xf32>, %values_0: tensor<4x512x64xf32>, %keys_1: tensor<4x512x64xf32>, %values_1: tensor<4x512x64xf32>, %keys_2: tensor<4x512x64xf32>, %values_2: tensor<4x512x64xf32>, %keys_3: tensor<4x512x64xf32>, %values_3: tensor<4x512x64xf32>):
    %empty = tensor.empty() : tensor<i32>
    %at = linalg.fill ins(%i : i32) outs(%empty : tensor<i32>) -> tensor<i32>
    %logits, %new_keys_0, %new_values_0, %new_keys_1, %new_values_1, %new_keys_2, %new_values_2, %new_keys_3, %new_values_3 = func.call @decode(%current, %at, %keys_0, %values_0, %keys_1, %values_1, %keys_2, %values_2, %keys_3, %values_3) : (tensor<i32>, tensor<i32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>) -> (tensor<256xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
    %next = func.call @greatest(%logits) : (tensor<256xf32>) -> tensor<i32>
    %window = stablehlo.reshape %next : (tensor<i32>) -> tensor<1xi32>
    %more_written = stablehlo.dynamic_update_slice %written, %window, %at : (tensor<512xi32>, tensor<1xi32>, tensor<i32>) -> tensor<512xi32>
    %j = arith.addi %i, %one : i32
    %done = arith.cmpi sge, %j, %rounds : i32
    cf.cond_br %done, ^end(%j, %next, %more_written, %new_keys_0, %new_values_0, %new_keys_1, %new_values_1, %new_keys_2, %new_values_2, %new_keys_3, %new_values_3 : i32, tensor<i32>, tensor<512xi32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>), ^round(%j, %next, %more_written, %new_keys_0, %new_values_0, %new_keys_1, %new_values_1, %new_keys_2, %new_values_2, %new_keys_3, %new_values_3 : i32, tensor<i32>, tensor<512xi32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>)
  ^end(%all: i32, %last: tensor<i32>, %tokens: tensor<512xi32>, %last_keys_0: tensor<4x512x64xf32>, %last_values_0: tensor<4x512x64xf32>, %last_keys_1: tensor<4x512x64xf32>, %last_values_1: tensor<4x512x64xf32>, %last_keys_2: tensor<4x512x64xf32>, %last_values_2: tensor<4x512x64xf32>, %last_keys_3: tensor<4x512x64xf32>, %last_values_3: tensor<4x512x64xf32>):
    util.global.store %last_keys_0, @keys_0 : tensor<4x512x64xf32>
    util.global.store %last_values_0, @values_0 : tensor<4x512x64xf32>
    util.global.store %last_keys_1, @keys_1 : tensor<4x512x64xf32>
    util.global.store %last_values_1, @values_1 : tensor<4x512x64xf32>
    util.global.store %last_keys_2, @keys_2 : tensor<4x512x64xf32>
    util.global.store %last_values_2, @values_2 : tensor<4x512x64xf32>
    util.global.store %last_keys_3, @keys_3 : tensor<4x512x64xf32>
    util.global.store %last_values_3, @values_3 : tensor<4x512x64xf32>
    return %tokens : tensor<512xi32>
  }
}
