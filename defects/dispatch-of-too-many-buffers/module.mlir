// A sum of 40 tensors.
func.func @f(
    %x0: tensor<4xf32>, %x1: tensor<4xf32>, %x2: tensor<4xf32>, %x3: tensor<4xf32>,
    %x4: tensor<4xf32>, %x5: tensor<4xf32>, %x6: tensor<4xf32>, %x7: tensor<4xf32>,
    %x8: tensor<4xf32>, %x9: tensor<4xf32>, %x10: tensor<4xf32>, %x11: tensor<4xf32>,
    %x12: tensor<4xf32>, %x13: tensor<4xf32>, %x14: tensor<4xf32>, %x15: tensor<4xf32>,
    %x16: tensor<4xf32>, %x17: tensor<4xf32>, %x18: tensor<4xf32>, %x19: tensor<4xf32>,
    %x20: tensor<4xf32>, %x21: tensor<4xf32>, %x22: tensor<4xf32>, %x23: tensor<4xf32>,
    %x24: tensor<4xf32>, %x25: tensor<4xf32>, %x26: tensor<4xf32>, %x27: tensor<4xf32>,
    %x28: tensor<4xf32>, %x29: tensor<4xf32>, %x30: tensor<4xf32>, %x31: tensor<4xf32>,
    %x32: tensor<4xf32>, %x33: tensor<4xf32>, %x34: tensor<4xf32>, %x35: tensor<4xf32>,
    %x36: tensor<4xf32>, %x37: tensor<4xf32>, %x38: tensor<4xf32>, %x39: tensor<4xf32>
) -> tensor<4xf32> {
  %sum1 = stablehlo.add %x0, %x1 : tensor<4xf32>
  %sum2 = stablehlo.add %sum1, %x2 : tensor<4xf32>
  %sum3 = stablehlo.add %sum2, %x3 : tensor<4xf32>
  %sum4 = stablehlo.add %sum3, %x4 : tensor<4xf32>
  %sum5 = stablehlo.add %sum4, %x5 : tensor<4xf32>
  %sum6 = stablehlo.add %sum5, %x6 : tensor<4xf32>
  %sum7 = stablehlo.add %sum6, %x7 : tensor<4xf32>
  %sum8 = stablehlo.add %sum7, %x8 : tensor<4xf32>
  %sum9 = stablehlo.add %sum8, %x9 : tensor<4xf32>
  %sum10 = stablehlo.add %sum9, %x10 : tensor<4xf32>
  %sum11 = stablehlo.add %sum10, %x11 : tensor<4xf32>
  %sum12 = stablehlo.add %sum11, %x12 : tensor<4xf32>
  %sum13 = stablehlo.add %sum12, %x13 : tensor<4xf32>
  %sum14 = stablehlo.add %sum13, %x14 : tensor<4xf32>
  %sum15 = stablehlo.add %sum14, %x15 : tensor<4xf32>
  %sum16 = stablehlo.add %sum15, %x16 : tensor<4xf32>
  %sum17 = stablehlo.add %sum16, %x17 : tensor<4xf32>
  %sum18 = stablehlo.add %sum17, %x18 : tensor<4xf32>
  %sum19 = stablehlo.add %sum18, %x19 : tensor<4xf32>
  %sum20 = stablehlo.add %sum19, %x20 : tensor<4xf32>
  %sum21 = stablehlo.add %sum20, %x21 : tensor<4xf32>
  %sum22 = stablehlo.add %sum21, %x22 : tensor<4xf32>
  %sum23 = stablehlo.add %sum22, %x23 : tensor<4xf32>
  %sum24 = stablehlo.add %sum23, %x24 : tensor<4xf32>
  %sum25 = stablehlo.add %sum24, %x25 : tensor<4xf32>
  %sum26 = stablehlo.add %sum25, %x26 : tensor<4xf32>
  %sum27 = stablehlo.add %sum26, %x27 : tensor<4xf32>
  %sum28 = stablehlo.add %sum27, %x28 : tensor<4xf32>
  %sum29 = stablehlo.add %sum28, %x29 : tensor<4xf32>
  %sum30 = stablehlo.add %sum29, %x30 : tensor<4xf32>
  %sum31 = stablehlo.add %sum30, %x31 : tensor<4xf32>
  %sum32 = stablehlo.add %sum31, %x32 : tensor<4xf32>
  %sum33 = stablehlo.add %sum32, %x33 : tensor<4xf32>
  %sum34 = stablehlo.add %sum33, %x34 : tensor<4xf32>
  %sum35 = stablehlo.add %sum34, %x35 : tensor<4xf32>
  %sum36 = stablehlo.add %sum35, %x36 : tensor<4xf32>
  %sum37 = stablehlo.add %sum36, %x37 : tensor<4xf32>
  %sum38 = stablehlo.add %sum37, %x38 : tensor<4xf32>
  %sum39 = stablehlo.add %sum38, %x39 : tensor<4xf32>
  return %sum39 : tensor<4xf32>
}
