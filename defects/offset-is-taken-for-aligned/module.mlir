module {
  func.func public @a(%arg0: tensor<?x?xf64>) -> tensor<?x?xf64> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf64>
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = arith.index_cast %dim : index to i32
    %2 = "util.optimization_barrier"(%arg0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %3 = "flow.tensor.tie_shape"(%2, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %4 = "util.optimization_barrier"(%c-9223372036854775808_i64) : (i64) -> i64
    %5 = tensor.empty() : tensor<i64>
    %6 = "linalg.fill"(%4, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.bitcast_convert"(%6) : (tensor<i64>) -> tensor<f64>
    %from_elements = tensor.from_elements %dim, %dim : tensor<2xindex>
    %8 = "stablehlo.dynamic_broadcast_in_dim"(%7, %from_elements) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<2xindex>) -> tensor<?x?xf64>
    %9 = "stablehlo.add"(%3, %8) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %c0_i32 = arith.constant 0 : i32
    %10 = arith.cmpi slt, %c0_i32, %1 : i32
    %11 = "flow.tensor.barrier"(%9, %dim, %dim) <{target = #hal.device.promise<@__device_0>}> : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c0_i64 = arith.constant 0 : i64
    %12 = arith.extsi %c0_i32 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %10, ^bb1(%11, %12, %c0_i64 : tensor<?x?xf64>, i64, i64), ^bb2(%11, %12, %c0_i64 : tensor<?x?xf64>, i64, i64)
  ^bb1(%13: tensor<?x?xf64>, %14: i64, %15: i64):  // 2 preds: ^bb0, ^bb4
    %16 = "flow.tensor.tie_shape"(%13, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %17 = arith.trunci %14 : i64 to i32
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = arith.index_cast %dim : index to i32
    %20 = "util.optimization_barrier"(%16) : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %21 = "flow.tensor.tie_shape"(%20, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c-9223372036854775808_i64_0 = arith.constant -9223372036854775808 : i64
    %22 = "util.optimization_barrier"(%c-9223372036854775808_i64_0) : (i64) -> i64
    %23 = tensor.empty() : tensor<i64>
    %24 = "linalg.fill"(%22, %23) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %25 = "stablehlo.bitcast_convert"(%24) : (tensor<i64>) -> tensor<f64>
    %from_elements_1 = tensor.from_elements %dim, %dim : tensor<2xindex>
    %26 = "stablehlo.dynamic_broadcast_in_dim"(%25, %from_elements_1) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<2xindex>) -> tensor<?x?xf64>
    %27 = "stablehlo.add"(%21, %26) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %c0_i32_2 = arith.constant 0 : i32
    %28 = arith.cmpi slt, %c0_i32_2, %19 : i32
    %29 = "flow.tensor.barrier"(%27, %dim, %dim) <{target = #hal.device.promise<@__device_0>}> : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c0_i64_3 = arith.constant 0 : i64
    %30 = arith.extsi %c0_i32_2 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %28, ^bb3(%29, %30, %c0_i64_3 : tensor<?x?xf64>, i64, i64), ^bb4(%29, %30, %c0_i64_3 : tensor<?x?xf64>, i64, i64)
  ^bb2(%31: tensor<?x?xf64>, %32: i64, %33: i64):  // 2 preds: ^bb0, ^bb4
    %34 = "flow.tensor.tie_shape"(%31, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %35 = arith.trunci %32 : i64 to i32
    return %34 : tensor<?x?xf64>
  ^bb3(%36: tensor<?x?xf64>, %37: i64, %38: i64):  // 2 preds: ^bb1, ^bb7
    %39 = "flow.tensor.tie_shape"(%36, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %40 = arith.trunci %37 : i64 to i32
    %41 = arith.cmpi sle, %40, %17 : i32
    %true = arith.constant true
    %42 = arith.xori %41, %true : i1
    cf.cond_br %42, ^bb5, ^bb6
  ^bb4(%43: tensor<?x?xf64>, %44: i64, %45: i64):  // 2 preds: ^bb1, ^bb7
    %46 = "flow.tensor.tie_shape"(%43, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %47 = arith.trunci %44 : i64 to i32
    %48 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %c1_i32 = arith.constant 1 : i32
    %49 = arith.addi %17, %c1_i32 : i32
    %50 = arith.cmpi slt, %49, %1 : i32
    %true_4 = arith.constant true
    %51 = arith.xori %50, %true_4 : i1
    %c1_i64 = arith.constant 1 : i64
    %52 = arith.extsi %49 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %51, ^bb2(%46, %52, %c1_i64 : tensor<?x?xf64>, i64, i64), ^bb1(%46, %52, %c1_i64 : tensor<?x?xf64>, i64, i64)
  ^bb5:  // pred: ^bb3
    %c-1 = arith.constant -1 : index
    %53 = arith.addi %dim, %c-1 : index
    %c0_5 = arith.constant 0 : index
    %54 = arith.cmpi sge, %53, %c0_5 : index
    cf.assert %54, "there is no part of size 1 along an axis of size N"
    %c-1_6 = arith.constant -1 : index
    %55 = arith.addi %dim, %c-1_6 : index
    %c0_7 = arith.constant 0 : index
    %56 = arith.cmpi sge, %55, %c0_7 : index
    cf.assert %56, "there is no part of size 1 along an axis of size N"
    %c-1_8 = arith.constant -1 : index
    %57 = arith.addi %dim, %c-1_8 : index
    %c0_9 = arith.constant 0 : index
    %58 = arith.cmpi sge, %57, %c0_9 : index
    cf.assert %58, "there is no part of size 1 along an axis of size N"
    %c-1_10 = arith.constant -1 : index
    %59 = arith.addi %dim, %c-1_10 : index
    %c0_11 = arith.constant 0 : index
    %60 = arith.cmpi sge, %59, %c0_11 : index
    cf.assert %60, "there is no part of size 1 along an axis of size N"
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = tensor.empty() : tensor<i32>
    %63 = "linalg.fill"(%17, %62) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_12 = arith.constant -1 : index
    %64 = arith.addi %dim, %c-1_12 : index
    %extracted = tensor.extract %63[] : tensor<i32>
    %65 = arith.index_cast %extracted : i32 to index
    %66 = arith.minsi %65, %64 : index
    %c0_13 = arith.constant 0 : index
    %67 = arith.maxsi %66, %c0_13 : index
    %c0_14 = arith.constant 0 : index
    %extracted_15 = tensor.extract %61[] : tensor<i32>
    %68 = arith.index_cast %extracted_15 : i32 to index
    %69 = arith.minsi %68, %c0_14 : index
    %c0_16 = arith.constant 0 : index
    %70 = arith.maxsi %69, %c0_16 : index
    %extracted_slice = tensor.extract_slice %39[%67, %70] [1, %dim] [1, 1] : tensor<?x?xf64> to tensor<1x?xf64>
    %71 = "flow.tensor.reshape"(%extracted_slice, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x?xf64>, index, index) -> tensor<?xf64>
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = tensor.empty() : tensor<i32>
    %74 = "linalg.fill"(%40, %73) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_17 = arith.constant -1 : index
    %75 = arith.addi %dim, %c-1_17 : index
    %extracted_18 = tensor.extract %74[] : tensor<i32>
    %76 = arith.index_cast %extracted_18 : i32 to index
    %77 = arith.minsi %76, %75 : index
    %c0_19 = arith.constant 0 : index
    %78 = arith.maxsi %77, %c0_19 : index
    %c0_20 = arith.constant 0 : index
    %extracted_21 = tensor.extract %72[] : tensor<i32>
    %79 = arith.index_cast %extracted_21 : i32 to index
    %80 = arith.minsi %79, %c0_20 : index
    %c0_22 = arith.constant 0 : index
    %81 = arith.maxsi %80, %c0_22 : index
    %extracted_slice_23 = tensor.extract_slice %39[%78, %81] [1, %dim] [1, 1] : tensor<?x?xf64> to tensor<1x?xf64>
    %82 = "flow.tensor.reshape"(%extracted_slice_23, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x?xf64>, index, index) -> tensor<?xf64>
    %83 = "stablehlo.subtract"(%71, %82) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %84 = "flow.tensor.reshape"(%83, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<?xf64>, index, index) -> tensor<1x?xf64>
    %85 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %86 = tensor.empty() : tensor<i32>
    %87 = "linalg.fill"(%17, %86) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-9223372036854775808_i64_24 = arith.constant -9223372036854775808 : i64
    %88 = "util.optimization_barrier"(%c-9223372036854775808_i64_24) : (i64) -> i64
    %89 = tensor.empty() : tensor<i64>
    %90 = "linalg.fill"(%88, %89) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %91 = "stablehlo.bitcast_convert"(%90) : (tensor<i64>) -> tensor<f64>
    %from_elements_25 = tensor.from_elements %dim : tensor<1xindex>
    %92 = "stablehlo.dynamic_broadcast_in_dim"(%91, %from_elements_25) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<1xindex>) -> tensor<?xf64>
    %93 = "stablehlo.add"(%71, %92) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %94 = "util.optimization_barrier"(%93) : (tensor<?xf64>) -> tensor<?xf64>
    %95 = "flow.tensor.tie_shape"(%94, %dim) : (tensor<?xf64>, index) -> tensor<?xf64>
    %c-9223372036854775808_i64_26 = arith.constant -9223372036854775808 : i64
    %96 = "util.optimization_barrier"(%c-9223372036854775808_i64_26) : (i64) -> i64
    %97 = tensor.empty() : tensor<i64>
    %98 = "linalg.fill"(%96, %97) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %99 = "stablehlo.bitcast_convert"(%98) : (tensor<i64>) -> tensor<f64>
    %from_elements_27 = tensor.from_elements %dim : tensor<1xindex>
    %100 = "stablehlo.dynamic_broadcast_in_dim"(%99, %from_elements_27) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<1xindex>) -> tensor<?xf64>
    %101 = "stablehlo.add"(%82, %100) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %102 = "util.optimization_barrier"(%101) : (tensor<?xf64>) -> tensor<?xf64>
    %103 = "flow.tensor.tie_shape"(%102, %dim) : (tensor<?xf64>, index) -> tensor<?xf64>
    %false = arith.constant false
    %104 = "util.optimization_barrier"(%false) : (i1) -> i1
    %105 = tensor.empty() : tensor<i1>
    %106 = "linalg.fill"(%104, %105) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i1, %arg2: i1):
      "linalg.yield"(%arg1) : (i1) -> ()
    }) : (i1, tensor<i1>) -> tensor<i1>
    %cst = arith.constant 0.000000e+00 : f64
    %107 = tensor.empty(%dim) : tensor<?xf64>
    %108 = "linalg.fill"(%cst, %107) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      "linalg.yield"(%arg1) : (f64) -> ()
    }) : (f64, tensor<?xf64>) -> tensor<?xf64>
    %109 = "stablehlo.compare"(%95, %108) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xi1>
    %110 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %111 = "stablehlo.reduce"(%109, %110) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %158 = "stablehlo.or"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%158) : (tensor<i1>) -> ()
    }) : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
    %112 = "stablehlo.and"(%106, %111) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %cst_28 = arith.constant 0.000000e+00 : f64
    %113 = tensor.empty(%dim) : tensor<?xf64>
    %114 = "linalg.fill"(%cst_28, %113) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      "linalg.yield"(%arg1) : (f64) -> ()
    }) : (f64, tensor<?xf64>) -> tensor<?xf64>
    %115 = "stablehlo.compare"(%103, %114) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xi1>
    %116 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %117 = "stablehlo.reduce"(%115, %116) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %158 = "stablehlo.or"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%158) : (tensor<i1>) -> ()
    }) : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
    %118 = "stablehlo.and"(%112, %117) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %c1 = arith.constant 1 : index
    %from_elements_29 = tensor.from_elements %c1, %dim : tensor<2xindex>
    %119 = "stablehlo.dynamic_broadcast_in_dim"(%118, %from_elements_29) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<i1>, tensor<2xindex>) -> tensor<1x?xi1>
    %c-9223372036854775808_i64_30 = arith.constant -9223372036854775808 : i64
    %120 = "util.optimization_barrier"(%c-9223372036854775808_i64_30) : (i64) -> i64
    %121 = tensor.empty() : tensor<i64>
    %122 = "linalg.fill"(%120, %121) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %123 = "stablehlo.bitcast_convert"(%122) : (tensor<i64>) -> tensor<f64>
    %c1_31 = arith.constant 1 : index
    %from_elements_32 = tensor.from_elements %c1_31, %dim : tensor<2xindex>
    %124 = "stablehlo.dynamic_broadcast_in_dim"(%123, %from_elements_32) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<2xindex>) -> tensor<1x?xf64>
    %125 = "stablehlo.select"(%119, %124, %84) : (tensor<1x?xi1>, tensor<1x?xf64>, tensor<1x?xf64>) -> tensor<1x?xf64>
    %c-1_33 = arith.constant -1 : index
    %126 = arith.addi %dim, %c-1_33 : index
    %extracted_34 = tensor.extract %87[] : tensor<i32>
    %127 = arith.index_cast %extracted_34 : i32 to index
    %128 = arith.minsi %127, %126 : index
    %c0_35 = arith.constant 0 : index
    %129 = arith.maxsi %128, %c0_35 : index
    %c0_36 = arith.constant 0 : index
    %extracted_37 = tensor.extract %85[] : tensor<i32>
    %130 = arith.index_cast %extracted_37 : i32 to index
    %131 = arith.minsi %130, %c0_36 : index
    %c0_38 = arith.constant 0 : index
    %132 = arith.maxsi %131, %c0_38 : index
    %inserted_slice = tensor.insert_slice %125 into %39[%129, %132] [1, %dim] [1, 1] : tensor<1x?xf64> into tensor<?x?xf64>
    %133 = "stablehlo.add"(%95, %103) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %134 = "flow.tensor.reshape"(%133, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<?xf64>, index, index) -> tensor<1x?xf64>
    %135 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %136 = tensor.empty() : tensor<i32>
    %137 = "linalg.fill"(%40, %136) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_39 = arith.constant -1 : index
    %138 = arith.addi %dim, %c-1_39 : index
    %extracted_40 = tensor.extract %137[] : tensor<i32>
    %139 = arith.index_cast %extracted_40 : i32 to index
    %140 = arith.minsi %139, %138 : index
    %c0_41 = arith.constant 0 : index
    %141 = arith.maxsi %140, %c0_41 : index
    %c0_42 = arith.constant 0 : index
    %extracted_43 = tensor.extract %135[] : tensor<i32>
    %142 = arith.index_cast %extracted_43 : i32 to index
    %143 = arith.minsi %142, %c0_42 : index
    %c0_44 = arith.constant 0 : index
    %144 = arith.maxsi %143, %c0_44 : index
    %inserted_slice_45 = tensor.insert_slice %134 into %inserted_slice[%141, %144] [1, %dim] [1, 1] : tensor<1x?xf64> into tensor<?x?xf64>
    %145 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %false_46 = arith.constant false
    %c0_i64_47 = arith.constant 0 : i64
    %146 = arith.extui %false_46 : i1 to i64
    "util.optimization_barrier"() : () -> ()
    cf.br ^bb7(%inserted_slice_45, %146, %c0_i64_47 : tensor<?x?xf64>, i64, i64)
  ^bb6:  // pred: ^bb3
    %c1_i64_48 = arith.constant 1 : i64
    %147 = arith.extui %41 : i1 to i64
    "util.optimization_barrier"() : () -> ()
    "util.optimization_barrier"() : () -> ()
    cf.br ^bb7(%39, %147, %c1_i64_48 : tensor<?x?xf64>, i64, i64)
  ^bb7(%148: tensor<?x?xf64>, %149: i64, %150: i64):  // 2 preds: ^bb5, ^bb6
    %151 = "flow.tensor.tie_shape"(%148, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c0_i64_49 = arith.constant 0 : i64
    %152 = arith.cmpi ne, %149, %c0_i64_49 : i64
    %153 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %c1_i32_50 = arith.constant 1 : i32
    %154 = arith.addi %40, %c1_i32_50 : i32
    %155 = arith.cmpi slt, %154, %19 : i32
    %true_51 = arith.constant true
    %156 = arith.xori %155, %true_51 : i1
    %c1_i64_52 = arith.constant 1 : i64
    %157 = arith.extsi %154 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %156, ^bb4(%151, %157, %c1_i64_52 : tensor<?x?xf64>, i64, i64), ^bb3(%151, %157, %c1_i64_52 : tensor<?x?xf64>, i64, i64)
  }
  func.func public @f(%arg0: tensor<?x?xf64>) -> tensor<?x?xf64> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf64>
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = arith.index_cast %dim : index to i32
    %2 = "util.optimization_barrier"(%arg0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %3 = "flow.tensor.tie_shape"(%2, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %4 = "util.optimization_barrier"(%c-9223372036854775808_i64) : (i64) -> i64
    %5 = tensor.empty() : tensor<i64>
    %6 = "linalg.fill"(%4, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.bitcast_convert"(%6) : (tensor<i64>) -> tensor<f64>
    %from_elements = tensor.from_elements %dim, %dim : tensor<2xindex>
    %8 = "stablehlo.dynamic_broadcast_in_dim"(%7, %from_elements) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<2xindex>) -> tensor<?x?xf64>
    %9 = "stablehlo.add"(%3, %8) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %c0_i32 = arith.constant 0 : i32
    %10 = arith.cmpi slt, %c0_i32, %1 : i32
    %11 = "flow.tensor.barrier"(%9, %dim, %dim) <{target = #hal.device.promise<@__device_0>}> : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c0_i64 = arith.constant 0 : i64
    %12 = arith.extsi %c0_i32 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %10, ^bb1(%11, %12, %c0_i64 : tensor<?x?xf64>, i64, i64), ^bb2(%11, %12, %c0_i64 : tensor<?x?xf64>, i64, i64)
  ^bb1(%13: tensor<?x?xf64>, %14: i64, %15: i64):  // 2 preds: ^bb0, ^bb4
    %16 = "flow.tensor.tie_shape"(%13, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %17 = arith.trunci %14 : i64 to i32
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = arith.index_cast %dim : index to i32
    %20 = "util.optimization_barrier"(%16) : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %21 = "flow.tensor.tie_shape"(%20, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c-9223372036854775808_i64_0 = arith.constant -9223372036854775808 : i64
    %22 = "util.optimization_barrier"(%c-9223372036854775808_i64_0) : (i64) -> i64
    %23 = tensor.empty() : tensor<i64>
    %24 = "linalg.fill"(%22, %23) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i64, %arg2: i64):
      "linalg.yield"(%arg1) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %25 = "stablehlo.bitcast_convert"(%24) : (tensor<i64>) -> tensor<f64>
    %from_elements_1 = tensor.from_elements %dim, %dim : tensor<2xindex>
    %26 = "stablehlo.dynamic_broadcast_in_dim"(%25, %from_elements_1) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f64>, tensor<2xindex>) -> tensor<?x?xf64>
    %27 = "stablehlo.add"(%21, %26) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %c0_i32_2 = arith.constant 0 : i32
    %28 = arith.cmpi slt, %c0_i32_2, %19 : i32
    %29 = "flow.tensor.barrier"(%27, %dim, %dim) <{target = #hal.device.promise<@__device_0>}> : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %c0_i64_3 = arith.constant 0 : i64
    %30 = arith.extsi %c0_i32_2 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %28, ^bb3(%29, %30, %c0_i64_3 : tensor<?x?xf64>, i64, i64), ^bb4(%29, %30, %c0_i64_3 : tensor<?x?xf64>, i64, i64)
  ^bb2(%31: tensor<?x?xf64>, %32: i64, %33: i64):  // 2 preds: ^bb0, ^bb4
    %34 = "flow.tensor.tie_shape"(%31, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %35 = arith.trunci %32 : i64 to i32
    return %34 : tensor<?x?xf64>
  ^bb3(%36: tensor<?x?xf64>, %37: i64, %38: i64):  // 2 preds: ^bb1, ^bb3
    %39 = "flow.tensor.tie_shape"(%36, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %40 = arith.trunci %37 : i64 to i32
    %c-1 = arith.constant -1 : index
    %41 = arith.addi %dim, %c-1 : index
    %c0_4 = arith.constant 0 : index
    %42 = arith.cmpi sge, %41, %c0_4 : index
    cf.assert %42, "there is no part of size 1 along an axis of size N"
    %c-1_5 = arith.constant -1 : index
    %43 = arith.addi %dim, %c-1_5 : index
    %c0_6 = arith.constant 0 : index
    %44 = arith.cmpi sge, %43, %c0_6 : index
    cf.assert %44, "there is no part of size 1 along an axis of size N"
    %c-1_7 = arith.constant -1 : index
    %45 = arith.addi %dim, %c-1_7 : index
    %c0_8 = arith.constant 0 : index
    %46 = arith.cmpi sge, %45, %c0_8 : index
    cf.assert %46, "there is no part of size 1 along an axis of size N"
    %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %48 = tensor.empty() : tensor<i32>
    %49 = "linalg.fill"(%17, %48) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_9 = arith.constant -1 : index
    %50 = arith.addi %dim, %c-1_9 : index
    %extracted = tensor.extract %49[] : tensor<i32>
    %51 = arith.index_cast %extracted : i32 to index
    %52 = arith.minsi %51, %50 : index
    %c0_10 = arith.constant 0 : index
    %53 = arith.maxsi %52, %c0_10 : index
    %c0_11 = arith.constant 0 : index
    %extracted_12 = tensor.extract %47[] : tensor<i32>
    %54 = arith.index_cast %extracted_12 : i32 to index
    %55 = arith.minsi %54, %c0_11 : index
    %c0_13 = arith.constant 0 : index
    %56 = arith.maxsi %55, %c0_13 : index
    %extracted_slice = tensor.extract_slice %39[%53, %56] [1, %dim] [1, 1] : tensor<?x?xf64> to tensor<1x?xf64>
    %57 = "flow.tensor.reshape"(%extracted_slice, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x?xf64>, index, index) -> tensor<?xf64>
    %58 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %59 = tensor.empty() : tensor<i32>
    %60 = "linalg.fill"(%40, %59) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_14 = arith.constant -1 : index
    %61 = arith.addi %dim, %c-1_14 : index
    %extracted_15 = tensor.extract %60[] : tensor<i32>
    %62 = arith.index_cast %extracted_15 : i32 to index
    %63 = arith.minsi %62, %61 : index
    %c0_16 = arith.constant 0 : index
    %64 = arith.maxsi %63, %c0_16 : index
    %c0_17 = arith.constant 0 : index
    %extracted_18 = tensor.extract %58[] : tensor<i32>
    %65 = arith.index_cast %extracted_18 : i32 to index
    %66 = arith.minsi %65, %c0_17 : index
    %c0_19 = arith.constant 0 : index
    %67 = arith.maxsi %66, %c0_19 : index
    %extracted_slice_20 = tensor.extract_slice %39[%64, %67] [1, %dim] [1, 1] : tensor<?x?xf64> to tensor<1x?xf64>
    %68 = "flow.tensor.reshape"(%extracted_slice_20, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x?xf64>, index, index) -> tensor<?xf64>
    %69 = "stablehlo.subtract"(%57, %68) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %70 = "flow.tensor.reshape"(%69, %dim, %dim) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<?xf64>, index, index) -> tensor<1x?xf64>
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = tensor.empty() : tensor<i32>
    %73 = "linalg.fill"(%17, %72) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      "linalg.yield"(%arg1) : (i32) -> ()
    }) : (i32, tensor<i32>) -> tensor<i32>
    %c-1_21 = arith.constant -1 : index
    %74 = arith.addi %dim, %c-1_21 : index
    %extracted_22 = tensor.extract %73[] : tensor<i32>
    %75 = arith.index_cast %extracted_22 : i32 to index
    %76 = arith.minsi %75, %74 : index
    %c0_23 = arith.constant 0 : index
    %77 = arith.maxsi %76, %c0_23 : index
    %c0_24 = arith.constant 0 : index
    %extracted_25 = tensor.extract %71[] : tensor<i32>
    %78 = arith.index_cast %extracted_25 : i32 to index
    %79 = arith.minsi %78, %c0_24 : index
    %c0_26 = arith.constant 0 : index
    %80 = arith.maxsi %79, %c0_26 : index
    %inserted_slice = tensor.insert_slice %70 into %39[%77, %80] [1, %dim] [1, 1] : tensor<1x?xf64> into tensor<?x?xf64>
    %81 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %c1_i32 = arith.constant 1 : i32
    %82 = arith.addi %40, %c1_i32 : i32
    %83 = arith.cmpi slt, %82, %19 : i32
    %true = arith.constant true
    %84 = arith.xori %83, %true : i1
    %c1_i64 = arith.constant 1 : i64
    %85 = arith.extsi %82 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %84, ^bb4(%inserted_slice, %85, %c1_i64 : tensor<?x?xf64>, i64, i64), ^bb3(%inserted_slice, %85, %c1_i64 : tensor<?x?xf64>, i64, i64)
  ^bb4(%86: tensor<?x?xf64>, %87: i64, %88: i64):  // 2 preds: ^bb1, ^bb3
    %89 = "flow.tensor.tie_shape"(%86, %dim, %dim) : (tensor<?x?xf64>, index, index) -> tensor<?x?xf64>
    %90 = arith.trunci %87 : i64 to i32
    %91 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %c1_i32_27 = arith.constant 1 : i32
    %92 = arith.addi %17, %c1_i32_27 : i32
    %93 = arith.cmpi slt, %92, %1 : i32
    %true_28 = arith.constant true
    %94 = arith.xori %93, %true_28 : i1
    %c1_i64_29 = arith.constant 1 : i64
    %95 = arith.extsi %92 : i32 to i64
    "util.optimization_barrier"() : () -> ()
    "util.optimization_barrier"() : () -> ()
    cf.cond_br %94, ^bb2(%89, %95, %c1_i64_29 : tensor<?x?xf64>, i64, i64), ^bb1(%89, %95, %c1_i64_29 : tensor<?x?xf64>, i64, i64)
  }
}
