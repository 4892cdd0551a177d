// A vector that is shifted again and again, and of each the sum, which is put into the vector that the new elements come from.
func.func @f(%x: tensor<16xf32>, %y: tensor<24xf32>) -> (tensor<16xf32>, tensor<24xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %twice = stablehlo.add %y, %y : tensor<24xf32>
  %hidden = util.optimization_barrier %twice : tensor<24xf32>
  %new0 = stablehlo.slice %hidden [0:1] : (tensor<24xf32>) -> tensor<1xf32>
  %kept0 = stablehlo.slice %x [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state0 = stablehlo.concatenate %new0, %kept0, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum0 = stablehlo.reduce(%state0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element0 = stablehlo.reshape %sum0 : (tensor<f32>) -> tensor<1xf32>
  %place0 = stablehlo.constant dense<0> : tensor<i32>
  %sums0 = stablehlo.dynamic_update_slice %hidden, %element0, %place0 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new1 = stablehlo.slice %hidden [1:2] : (tensor<24xf32>) -> tensor<1xf32>
  %kept1 = stablehlo.slice %state0 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state1 = stablehlo.concatenate %new1, %kept1, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum1 = stablehlo.reduce(%state1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element1 = stablehlo.reshape %sum1 : (tensor<f32>) -> tensor<1xf32>
  %place1 = stablehlo.constant dense<1> : tensor<i32>
  %sums1 = stablehlo.dynamic_update_slice %sums0, %element1, %place1 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new2 = stablehlo.slice %hidden [2:3] : (tensor<24xf32>) -> tensor<1xf32>
  %kept2 = stablehlo.slice %state1 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state2 = stablehlo.concatenate %new2, %kept2, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum2 = stablehlo.reduce(%state2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element2 = stablehlo.reshape %sum2 : (tensor<f32>) -> tensor<1xf32>
  %place2 = stablehlo.constant dense<2> : tensor<i32>
  %sums2 = stablehlo.dynamic_update_slice %sums1, %element2, %place2 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new3 = stablehlo.slice %hidden [3:4] : (tensor<24xf32>) -> tensor<1xf32>
  %kept3 = stablehlo.slice %state2 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state3 = stablehlo.concatenate %new3, %kept3, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum3 = stablehlo.reduce(%state3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element3 = stablehlo.reshape %sum3 : (tensor<f32>) -> tensor<1xf32>
  %place3 = stablehlo.constant dense<3> : tensor<i32>
  %sums3 = stablehlo.dynamic_update_slice %sums2, %element3, %place3 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new4 = stablehlo.slice %hidden [4:5] : (tensor<24xf32>) -> tensor<1xf32>
  %kept4 = stablehlo.slice %state3 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state4 = stablehlo.concatenate %new4, %kept4, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum4 = stablehlo.reduce(%state4 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element4 = stablehlo.reshape %sum4 : (tensor<f32>) -> tensor<1xf32>
  %place4 = stablehlo.constant dense<4> : tensor<i32>
  %sums4 = stablehlo.dynamic_update_slice %sums3, %element4, %place4 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new5 = stablehlo.slice %hidden [5:6] : (tensor<24xf32>) -> tensor<1xf32>
  %kept5 = stablehlo.slice %state4 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state5 = stablehlo.concatenate %new5, %kept5, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum5 = stablehlo.reduce(%state5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element5 = stablehlo.reshape %sum5 : (tensor<f32>) -> tensor<1xf32>
  %place5 = stablehlo.constant dense<5> : tensor<i32>
  %sums5 = stablehlo.dynamic_update_slice %sums4, %element5, %place5 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new6 = stablehlo.slice %hidden [6:7] : (tensor<24xf32>) -> tensor<1xf32>
  %kept6 = stablehlo.slice %state5 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state6 = stablehlo.concatenate %new6, %kept6, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum6 = stablehlo.reduce(%state6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element6 = stablehlo.reshape %sum6 : (tensor<f32>) -> tensor<1xf32>
  %place6 = stablehlo.constant dense<6> : tensor<i32>
  %sums6 = stablehlo.dynamic_update_slice %sums5, %element6, %place6 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new7 = stablehlo.slice %hidden [7:8] : (tensor<24xf32>) -> tensor<1xf32>
  %kept7 = stablehlo.slice %state6 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state7 = stablehlo.concatenate %new7, %kept7, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum7 = stablehlo.reduce(%state7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element7 = stablehlo.reshape %sum7 : (tensor<f32>) -> tensor<1xf32>
  %place7 = stablehlo.constant dense<7> : tensor<i32>
  %sums7 = stablehlo.dynamic_update_slice %sums6, %element7, %place7 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new8 = stablehlo.slice %hidden [8:9] : (tensor<24xf32>) -> tensor<1xf32>
  %kept8 = stablehlo.slice %state7 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state8 = stablehlo.concatenate %new8, %kept8, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum8 = stablehlo.reduce(%state8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element8 = stablehlo.reshape %sum8 : (tensor<f32>) -> tensor<1xf32>
  %place8 = stablehlo.constant dense<8> : tensor<i32>
  %sums8 = stablehlo.dynamic_update_slice %sums7, %element8, %place8 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new9 = stablehlo.slice %hidden [9:10] : (tensor<24xf32>) -> tensor<1xf32>
  %kept9 = stablehlo.slice %state8 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state9 = stablehlo.concatenate %new9, %kept9, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum9 = stablehlo.reduce(%state9 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element9 = stablehlo.reshape %sum9 : (tensor<f32>) -> tensor<1xf32>
  %place9 = stablehlo.constant dense<9> : tensor<i32>
  %sums9 = stablehlo.dynamic_update_slice %sums8, %element9, %place9 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new10 = stablehlo.slice %hidden [10:11] : (tensor<24xf32>) -> tensor<1xf32>
  %kept10 = stablehlo.slice %state9 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state10 = stablehlo.concatenate %new10, %kept10, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum10 = stablehlo.reduce(%state10 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element10 = stablehlo.reshape %sum10 : (tensor<f32>) -> tensor<1xf32>
  %place10 = stablehlo.constant dense<10> : tensor<i32>
  %sums10 = stablehlo.dynamic_update_slice %sums9, %element10, %place10 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new11 = stablehlo.slice %hidden [11:12] : (tensor<24xf32>) -> tensor<1xf32>
  %kept11 = stablehlo.slice %state10 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state11 = stablehlo.concatenate %new11, %kept11, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum11 = stablehlo.reduce(%state11 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element11 = stablehlo.reshape %sum11 : (tensor<f32>) -> tensor<1xf32>
  %place11 = stablehlo.constant dense<11> : tensor<i32>
  %sums11 = stablehlo.dynamic_update_slice %sums10, %element11, %place11 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new12 = stablehlo.slice %hidden [12:13] : (tensor<24xf32>) -> tensor<1xf32>
  %kept12 = stablehlo.slice %state11 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state12 = stablehlo.concatenate %new12, %kept12, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum12 = stablehlo.reduce(%state12 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element12 = stablehlo.reshape %sum12 : (tensor<f32>) -> tensor<1xf32>
  %place12 = stablehlo.constant dense<12> : tensor<i32>
  %sums12 = stablehlo.dynamic_update_slice %sums11, %element12, %place12 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new13 = stablehlo.slice %hidden [13:14] : (tensor<24xf32>) -> tensor<1xf32>
  %kept13 = stablehlo.slice %state12 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state13 = stablehlo.concatenate %new13, %kept13, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum13 = stablehlo.reduce(%state13 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element13 = stablehlo.reshape %sum13 : (tensor<f32>) -> tensor<1xf32>
  %place13 = stablehlo.constant dense<13> : tensor<i32>
  %sums13 = stablehlo.dynamic_update_slice %sums12, %element13, %place13 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new14 = stablehlo.slice %hidden [14:15] : (tensor<24xf32>) -> tensor<1xf32>
  %kept14 = stablehlo.slice %state13 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state14 = stablehlo.concatenate %new14, %kept14, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum14 = stablehlo.reduce(%state14 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element14 = stablehlo.reshape %sum14 : (tensor<f32>) -> tensor<1xf32>
  %place14 = stablehlo.constant dense<14> : tensor<i32>
  %sums14 = stablehlo.dynamic_update_slice %sums13, %element14, %place14 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new15 = stablehlo.slice %hidden [15:16] : (tensor<24xf32>) -> tensor<1xf32>
  %kept15 = stablehlo.slice %state14 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state15 = stablehlo.concatenate %new15, %kept15, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum15 = stablehlo.reduce(%state15 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element15 = stablehlo.reshape %sum15 : (tensor<f32>) -> tensor<1xf32>
  %place15 = stablehlo.constant dense<15> : tensor<i32>
  %sums15 = stablehlo.dynamic_update_slice %sums14, %element15, %place15 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new16 = stablehlo.slice %hidden [16:17] : (tensor<24xf32>) -> tensor<1xf32>
  %kept16 = stablehlo.slice %state15 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state16 = stablehlo.concatenate %new16, %kept16, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum16 = stablehlo.reduce(%state16 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element16 = stablehlo.reshape %sum16 : (tensor<f32>) -> tensor<1xf32>
  %place16 = stablehlo.constant dense<16> : tensor<i32>
  %sums16 = stablehlo.dynamic_update_slice %sums15, %element16, %place16 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new17 = stablehlo.slice %hidden [17:18] : (tensor<24xf32>) -> tensor<1xf32>
  %kept17 = stablehlo.slice %state16 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state17 = stablehlo.concatenate %new17, %kept17, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum17 = stablehlo.reduce(%state17 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element17 = stablehlo.reshape %sum17 : (tensor<f32>) -> tensor<1xf32>
  %place17 = stablehlo.constant dense<17> : tensor<i32>
  %sums17 = stablehlo.dynamic_update_slice %sums16, %element17, %place17 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new18 = stablehlo.slice %hidden [18:19] : (tensor<24xf32>) -> tensor<1xf32>
  %kept18 = stablehlo.slice %state17 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state18 = stablehlo.concatenate %new18, %kept18, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum18 = stablehlo.reduce(%state18 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element18 = stablehlo.reshape %sum18 : (tensor<f32>) -> tensor<1xf32>
  %place18 = stablehlo.constant dense<18> : tensor<i32>
  %sums18 = stablehlo.dynamic_update_slice %sums17, %element18, %place18 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new19 = stablehlo.slice %hidden [19:20] : (tensor<24xf32>) -> tensor<1xf32>
  %kept19 = stablehlo.slice %state18 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state19 = stablehlo.concatenate %new19, %kept19, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum19 = stablehlo.reduce(%state19 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element19 = stablehlo.reshape %sum19 : (tensor<f32>) -> tensor<1xf32>
  %place19 = stablehlo.constant dense<19> : tensor<i32>
  %sums19 = stablehlo.dynamic_update_slice %sums18, %element19, %place19 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new20 = stablehlo.slice %hidden [20:21] : (tensor<24xf32>) -> tensor<1xf32>
  %kept20 = stablehlo.slice %state19 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state20 = stablehlo.concatenate %new20, %kept20, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum20 = stablehlo.reduce(%state20 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element20 = stablehlo.reshape %sum20 : (tensor<f32>) -> tensor<1xf32>
  %place20 = stablehlo.constant dense<20> : tensor<i32>
  %sums20 = stablehlo.dynamic_update_slice %sums19, %element20, %place20 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new21 = stablehlo.slice %hidden [21:22] : (tensor<24xf32>) -> tensor<1xf32>
  %kept21 = stablehlo.slice %state20 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state21 = stablehlo.concatenate %new21, %kept21, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum21 = stablehlo.reduce(%state21 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element21 = stablehlo.reshape %sum21 : (tensor<f32>) -> tensor<1xf32>
  %place21 = stablehlo.constant dense<21> : tensor<i32>
  %sums21 = stablehlo.dynamic_update_slice %sums20, %element21, %place21 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new22 = stablehlo.slice %hidden [22:23] : (tensor<24xf32>) -> tensor<1xf32>
  %kept22 = stablehlo.slice %state21 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state22 = stablehlo.concatenate %new22, %kept22, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum22 = stablehlo.reduce(%state22 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element22 = stablehlo.reshape %sum22 : (tensor<f32>) -> tensor<1xf32>
  %place22 = stablehlo.constant dense<22> : tensor<i32>
  %sums22 = stablehlo.dynamic_update_slice %sums21, %element22, %place22 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  %new23 = stablehlo.slice %hidden [23:24] : (tensor<24xf32>) -> tensor<1xf32>
  %kept23 = stablehlo.slice %state22 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
  %state23 = stablehlo.concatenate %new23, %kept23, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
  %sum23 = stablehlo.reduce(%state23 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %element23 = stablehlo.reshape %sum23 : (tensor<f32>) -> tensor<1xf32>
  %place23 = stablehlo.constant dense<23> : tensor<i32>
  %sums23 = stablehlo.dynamic_update_slice %sums22, %element23, %place23 : (tensor<24xf32>, tensor<1xf32>, tensor<i32>) -> tensor<24xf32>
  return %state23, %sums23 : tensor<16xf32>, tensor<24xf32>
}
