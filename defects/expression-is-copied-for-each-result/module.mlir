module @copied {
  func.func public @fourth_derivative(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64>}> ({
    ^bb0(%arg1: tensor<f32>):
      %193 = "stablehlo.abs"(%arg1) : (tensor<f32>) -> tensor<f32>
      %194 = "stablehlo.bitcast_convert"(%193) : (tensor<f32>) -> tensor<i32>
      %195 = "stablehlo.convert"(%194) : (tensor<i32>) -> tensor<i64>
      %196 = "stablehlo.constant"() <{value = dense<8388607> : tensor<i64>}> : () -> tensor<i64>
      %197 = "stablehlo.and"(%195, %196) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %198 = "stablehlo.constant"() <{value = dense<8388608> : tensor<i64>}> : () -> tensor<i64>
      %199 = "stablehlo.or"(%197, %198) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %200 = "stablehlo.constant"() <{value = dense<23> : tensor<i64>}> : () -> tensor<i64>
      %201 = "stablehlo.shift_right_logical"(%195, %200) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %202 = "stablehlo.constant"() <{value = dense<126> : tensor<i64>}> : () -> tensor<i64>
      %203 = "stablehlo.subtract"(%201, %202) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %205 = "stablehlo.maximum"(%203, %204) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %206 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %207 = "stablehlo.shift_right_logical"(%205, %206) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %208 = "stablehlo.constant"() <{value = dense<174992710547> : tensor<i64>}> : () -> tensor<i64>
      %209 = "stablehlo.constant"() <{value = dense<-4728538181899302273> : tensor<i64>}> : () -> tensor<i64>
      %210 = "stablehlo.constant"() <{value = dense<-7996903653840128899> : tensor<i64>}> : () -> tensor<i64>
      %211 = "stablehlo.constant"() <{value = dense<708741335384289334> : tensor<i64>}> : () -> tensor<i64>
      %212 = "stablehlo.constant"() <{value = dense<5564039245504800335> : tensor<i64>}> : () -> tensor<i64>
      %213 = "stablehlo.constant"() <{value = dense<-2835747900588027777> : tensor<i64>}> : () -> tensor<i64>
      %214 = "stablehlo.constant"() <{value = dense<1217115939432622839> : tensor<i64>}> : () -> tensor<i64>
      %215 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %216 = "stablehlo.and"(%207, %215) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %217 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %218 = "stablehlo.compare"(%216, %217) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %219 = "stablehlo.constant"() <{value = dense<16> : tensor<i64>}> : () -> tensor<i64>
      %220 = "stablehlo.and"(%207, %219) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %221 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %222 = "stablehlo.compare"(%220, %221) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %223 = "stablehlo.constant"() <{value = dense<8> : tensor<i64>}> : () -> tensor<i64>
      %224 = "stablehlo.and"(%207, %223) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %225 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %226 = "stablehlo.compare"(%224, %225) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %227 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %228 = "stablehlo.and"(%207, %227) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %229 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %230 = "stablehlo.compare"(%228, %229) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %231 = "stablehlo.select"(%230, %212, %208) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %232 = "stablehlo.select"(%230, %213, %209) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %233 = "stablehlo.select"(%230, %214, %210) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %234 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
      %235 = "stablehlo.and"(%207, %234) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %236 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %237 = "stablehlo.compare"(%235, %236) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %238 = "stablehlo.select"(%237, %233, %231) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %239 = "stablehlo.select"(%237, %211, %232) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %240 = "stablehlo.select"(%237, %212, %233) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %241 = "stablehlo.select"(%237, %213, %211) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %242 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %243 = "stablehlo.and"(%207, %242) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %244 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %245 = "stablehlo.compare"(%243, %244) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %246 = "stablehlo.select"(%245, %239, %238) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %247 = "stablehlo.select"(%245, %240, %239) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %248 = "stablehlo.select"(%245, %241, %240) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %249 = "stablehlo.constant"() <{value = dense<31> : tensor<i64>}> : () -> tensor<i64>
      %250 = "stablehlo.and"(%205, %249) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %251 = "stablehlo.shift_left"(%248, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %252 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %253 = "stablehlo.shift_right_logical"(%251, %252) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %254 = "stablehlo.shift_left"(%247, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %255 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %256 = "stablehlo.shift_right_logical"(%254, %255) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %257 = "stablehlo.shift_left"(%246, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %258 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %259 = "stablehlo.shift_right_logical"(%257, %258) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %260 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %261 = "stablehlo.and"(%199, %260) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %262 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %263 = "stablehlo.shift_right_logical"(%199, %262) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %264 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %265 = "stablehlo.multiply"(%261, %256) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %266 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %267 = "stablehlo.and"(%265, %266) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %268 = "stablehlo.multiply"(%261, %253) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %269 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %270 = "stablehlo.shift_right_logical"(%268, %269) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %271 = "stablehlo.add"(%267, %270) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %272 = "stablehlo.add"(%271, %264) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %273 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %274 = "stablehlo.shift_right_logical"(%272, %273) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %275 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %276 = "stablehlo.and"(%272, %275) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %277 = "stablehlo.multiply"(%261, %259) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %278 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %279 = "stablehlo.and"(%277, %278) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %280 = "stablehlo.multiply"(%261, %256) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %281 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %282 = "stablehlo.shift_right_logical"(%280, %281) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %283 = "stablehlo.add"(%279, %282) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %284 = "stablehlo.add"(%283, %274) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %285 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %286 = "stablehlo.shift_right_logical"(%284, %285) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %287 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %288 = "stablehlo.and"(%284, %287) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %289 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %290 = "stablehlo.shift_left"(%288, %289) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %291 = "stablehlo.or"(%290, %276) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %292 = "stablehlo.constant"() <{value = dense<0.785398185> : tensor<f32>}> : () -> tensor<f32>
      %293 = "stablehlo.compare"(%193, %292) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %294 = "stablehlo.constant"() <{value = dense<2305843009213693952> : tensor<i64>}> : () -> tensor<i64>
      %295 = "stablehlo.add"(%291, %294) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %296 = "stablehlo.constant"() <{value = dense<62> : tensor<i64>}> : () -> tensor<i64>
      %297 = "stablehlo.shift_right_logical"(%295, %296) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %298 = "stablehlo.constant"() <{value = dense<62> : tensor<i64>}> : () -> tensor<i64>
      %299 = "stablehlo.shift_left"(%297, %298) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %300 = "stablehlo.subtract"(%291, %299) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %301 = "stablehlo.convert"(%300) : (tensor<i64>) -> tensor<f32>
      %302 = "stablehlo.constant"() <{value = dense<3.40612167E-19> : tensor<f32>}> : () -> tensor<f32>
      %303 = "stablehlo.multiply"(%301, %302) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %304 = "stablehlo.abs"(%193) : (tensor<f32>) -> tensor<f32>
      %305 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
      %306 = "stablehlo.compare"(%304, %305) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %307 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %308 = "stablehlo.select"(%306, %303, %307) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %309 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %310 = "stablehlo.select"(%293, %309, %297) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %311 = "stablehlo.select"(%293, %193, %308) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %312 = "stablehlo.multiply"(%311, %311) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %313 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %314 = "stablehlo.constant"() <{value = dense<-0.0090909088> : tensor<f32>}> : () -> tensor<f32>
      %315 = "stablehlo.multiply"(%312, %314) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %316 = "stablehlo.multiply"(%315, %313) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %317 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %318 = "stablehlo.add"(%317, %316) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %319 = "stablehlo.constant"() <{value = dense<-0.013888889> : tensor<f32>}> : () -> tensor<f32>
      %320 = "stablehlo.multiply"(%312, %319) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %321 = "stablehlo.multiply"(%320, %318) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %322 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %323 = "stablehlo.add"(%322, %321) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %324 = "stablehlo.constant"() <{value = dense<-0.0238095243> : tensor<f32>}> : () -> tensor<f32>
      %325 = "stablehlo.multiply"(%312, %324) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %326 = "stablehlo.multiply"(%325, %323) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %327 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %328 = "stablehlo.add"(%327, %326) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %329 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
      %330 = "stablehlo.multiply"(%312, %329) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %331 = "stablehlo.multiply"(%330, %328) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %332 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %333 = "stablehlo.add"(%332, %331) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %334 = "stablehlo.constant"() <{value = dense<-0.166666672> : tensor<f32>}> : () -> tensor<f32>
      %335 = "stablehlo.multiply"(%312, %334) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %336 = "stablehlo.multiply"(%335, %333) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %337 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %338 = "stablehlo.add"(%337, %336) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %339 = "stablehlo.multiply"(%311, %338) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %340 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %341 = "stablehlo.and"(%310, %340) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %342 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %343 = "stablehlo.compare"(%341, %342) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %344 = "stablehlo.multiply"(%311, %311) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %345 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %346 = "stablehlo.constant"() <{value = dense<-0.0111111114> : tensor<f32>}> : () -> tensor<f32>
      %347 = "stablehlo.multiply"(%344, %346) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %348 = "stablehlo.multiply"(%347, %345) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %349 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %350 = "stablehlo.add"(%349, %348) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %351 = "stablehlo.constant"() <{value = dense<-0.0178571437> : tensor<f32>}> : () -> tensor<f32>
      %352 = "stablehlo.multiply"(%344, %351) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %353 = "stablehlo.multiply"(%352, %350) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %354 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %355 = "stablehlo.add"(%354, %353) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %356 = "stablehlo.constant"() <{value = dense<-0.0333333351> : tensor<f32>}> : () -> tensor<f32>
      %357 = "stablehlo.multiply"(%344, %356) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %358 = "stablehlo.multiply"(%357, %355) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %359 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %360 = "stablehlo.add"(%359, %358) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %361 = "stablehlo.constant"() <{value = dense<-0.0833333358> : tensor<f32>}> : () -> tensor<f32>
      %362 = "stablehlo.multiply"(%344, %361) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %363 = "stablehlo.multiply"(%362, %360) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %364 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %365 = "stablehlo.add"(%364, %363) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %366 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %367 = "stablehlo.multiply"(%344, %366) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %368 = "stablehlo.multiply"(%367, %365) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %369 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %370 = "stablehlo.add"(%369, %368) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %371 = "stablehlo.select"(%343, %370, %339) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %372 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
      %373 = "stablehlo.and"(%310, %372) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %374 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %375 = "stablehlo.compare"(%373, %374) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %376 = "stablehlo.negate"(%371) : (tensor<f32>) -> tensor<f32>
      %377 = "stablehlo.select"(%375, %376, %371) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %378 = "stablehlo.bitcast_convert"(%arg1) : (tensor<f32>) -> tensor<i32>
      %379 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %380 = "stablehlo.compare"(%378, %379) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %381 = "stablehlo.negate"(%377) : (tensor<f32>) -> tensor<f32>
      %382 = "stablehlo.select"(%380, %381, %377) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%382) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.map"(%arg0) <{dimensions = array<i64>}> ({
    ^bb0(%arg1: tensor<f32>):
      %193 = "stablehlo.abs"(%arg1) : (tensor<f32>) -> tensor<f32>
      %194 = "stablehlo.bitcast_convert"(%193) : (tensor<f32>) -> tensor<i32>
      %195 = "stablehlo.convert"(%194) : (tensor<i32>) -> tensor<i64>
      %196 = "stablehlo.constant"() <{value = dense<8388607> : tensor<i64>}> : () -> tensor<i64>
      %197 = "stablehlo.and"(%195, %196) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %198 = "stablehlo.constant"() <{value = dense<8388608> : tensor<i64>}> : () -> tensor<i64>
      %199 = "stablehlo.or"(%197, %198) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %200 = "stablehlo.constant"() <{value = dense<23> : tensor<i64>}> : () -> tensor<i64>
      %201 = "stablehlo.shift_right_logical"(%195, %200) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %202 = "stablehlo.constant"() <{value = dense<126> : tensor<i64>}> : () -> tensor<i64>
      %203 = "stablehlo.subtract"(%201, %202) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %205 = "stablehlo.maximum"(%203, %204) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %206 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %207 = "stablehlo.shift_right_logical"(%205, %206) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %208 = "stablehlo.constant"() <{value = dense<174992710547> : tensor<i64>}> : () -> tensor<i64>
      %209 = "stablehlo.constant"() <{value = dense<-4728538181899302273> : tensor<i64>}> : () -> tensor<i64>
      %210 = "stablehlo.constant"() <{value = dense<-7996903653840128899> : tensor<i64>}> : () -> tensor<i64>
      %211 = "stablehlo.constant"() <{value = dense<708741335384289334> : tensor<i64>}> : () -> tensor<i64>
      %212 = "stablehlo.constant"() <{value = dense<5564039245504800335> : tensor<i64>}> : () -> tensor<i64>
      %213 = "stablehlo.constant"() <{value = dense<-2835747900588027777> : tensor<i64>}> : () -> tensor<i64>
      %214 = "stablehlo.constant"() <{value = dense<1217115939432622839> : tensor<i64>}> : () -> tensor<i64>
      %215 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %216 = "stablehlo.and"(%207, %215) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %217 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %218 = "stablehlo.compare"(%216, %217) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %219 = "stablehlo.constant"() <{value = dense<16> : tensor<i64>}> : () -> tensor<i64>
      %220 = "stablehlo.and"(%207, %219) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %221 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %222 = "stablehlo.compare"(%220, %221) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %223 = "stablehlo.constant"() <{value = dense<8> : tensor<i64>}> : () -> tensor<i64>
      %224 = "stablehlo.and"(%207, %223) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %225 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %226 = "stablehlo.compare"(%224, %225) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %227 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %228 = "stablehlo.and"(%207, %227) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %229 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %230 = "stablehlo.compare"(%228, %229) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %231 = "stablehlo.select"(%230, %212, %208) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %232 = "stablehlo.select"(%230, %213, %209) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %233 = "stablehlo.select"(%230, %214, %210) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %234 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
      %235 = "stablehlo.and"(%207, %234) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %236 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %237 = "stablehlo.compare"(%235, %236) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %238 = "stablehlo.select"(%237, %233, %231) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %239 = "stablehlo.select"(%237, %211, %232) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %240 = "stablehlo.select"(%237, %212, %233) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %241 = "stablehlo.select"(%237, %213, %211) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %242 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %243 = "stablehlo.and"(%207, %242) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %244 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %245 = "stablehlo.compare"(%243, %244) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %246 = "stablehlo.select"(%245, %239, %238) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %247 = "stablehlo.select"(%245, %240, %239) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %248 = "stablehlo.select"(%245, %241, %240) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %249 = "stablehlo.constant"() <{value = dense<31> : tensor<i64>}> : () -> tensor<i64>
      %250 = "stablehlo.and"(%205, %249) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %251 = "stablehlo.shift_left"(%248, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %252 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %253 = "stablehlo.shift_right_logical"(%251, %252) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %254 = "stablehlo.shift_left"(%247, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %255 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %256 = "stablehlo.shift_right_logical"(%254, %255) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %257 = "stablehlo.shift_left"(%246, %250) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %258 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %259 = "stablehlo.shift_right_logical"(%257, %258) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %260 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %261 = "stablehlo.and"(%199, %260) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %262 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %263 = "stablehlo.shift_right_logical"(%199, %262) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %264 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %265 = "stablehlo.multiply"(%261, %256) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %266 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %267 = "stablehlo.and"(%265, %266) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %268 = "stablehlo.multiply"(%261, %253) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %269 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %270 = "stablehlo.shift_right_logical"(%268, %269) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %271 = "stablehlo.add"(%267, %270) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %272 = "stablehlo.add"(%271, %264) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %273 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %274 = "stablehlo.shift_right_logical"(%272, %273) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %275 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %276 = "stablehlo.and"(%272, %275) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %277 = "stablehlo.multiply"(%261, %259) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %278 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %279 = "stablehlo.and"(%277, %278) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %280 = "stablehlo.multiply"(%261, %256) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %281 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %282 = "stablehlo.shift_right_logical"(%280, %281) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %283 = "stablehlo.add"(%279, %282) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %284 = "stablehlo.add"(%283, %274) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %285 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %286 = "stablehlo.shift_right_logical"(%284, %285) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %287 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<i64>}> : () -> tensor<i64>
      %288 = "stablehlo.and"(%284, %287) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %289 = "stablehlo.constant"() <{value = dense<32> : tensor<i64>}> : () -> tensor<i64>
      %290 = "stablehlo.shift_left"(%288, %289) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %291 = "stablehlo.or"(%290, %276) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %292 = "stablehlo.constant"() <{value = dense<0.785398185> : tensor<f32>}> : () -> tensor<f32>
      %293 = "stablehlo.compare"(%193, %292) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %294 = "stablehlo.constant"() <{value = dense<2305843009213693952> : tensor<i64>}> : () -> tensor<i64>
      %295 = "stablehlo.add"(%291, %294) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %296 = "stablehlo.constant"() <{value = dense<62> : tensor<i64>}> : () -> tensor<i64>
      %297 = "stablehlo.shift_right_logical"(%295, %296) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %298 = "stablehlo.constant"() <{value = dense<62> : tensor<i64>}> : () -> tensor<i64>
      %299 = "stablehlo.shift_left"(%297, %298) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %300 = "stablehlo.subtract"(%291, %299) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %301 = "stablehlo.convert"(%300) : (tensor<i64>) -> tensor<f32>
      %302 = "stablehlo.constant"() <{value = dense<3.40612167E-19> : tensor<f32>}> : () -> tensor<f32>
      %303 = "stablehlo.multiply"(%301, %302) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %304 = "stablehlo.abs"(%193) : (tensor<f32>) -> tensor<f32>
      %305 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
      %306 = "stablehlo.compare"(%304, %305) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %307 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %308 = "stablehlo.select"(%306, %303, %307) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %309 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %310 = "stablehlo.select"(%293, %309, %297) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      %311 = "stablehlo.select"(%293, %193, %308) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %312 = "stablehlo.multiply"(%311, %311) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %313 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %314 = "stablehlo.constant"() <{value = dense<-0.0090909088> : tensor<f32>}> : () -> tensor<f32>
      %315 = "stablehlo.multiply"(%312, %314) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %316 = "stablehlo.multiply"(%315, %313) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %317 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %318 = "stablehlo.add"(%317, %316) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %319 = "stablehlo.constant"() <{value = dense<-0.013888889> : tensor<f32>}> : () -> tensor<f32>
      %320 = "stablehlo.multiply"(%312, %319) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %321 = "stablehlo.multiply"(%320, %318) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %322 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %323 = "stablehlo.add"(%322, %321) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %324 = "stablehlo.constant"() <{value = dense<-0.0238095243> : tensor<f32>}> : () -> tensor<f32>
      %325 = "stablehlo.multiply"(%312, %324) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %326 = "stablehlo.multiply"(%325, %323) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %327 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %328 = "stablehlo.add"(%327, %326) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %329 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
      %330 = "stablehlo.multiply"(%312, %329) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %331 = "stablehlo.multiply"(%330, %328) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %332 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %333 = "stablehlo.add"(%332, %331) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %334 = "stablehlo.constant"() <{value = dense<-0.166666672> : tensor<f32>}> : () -> tensor<f32>
      %335 = "stablehlo.multiply"(%312, %334) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %336 = "stablehlo.multiply"(%335, %333) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %337 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %338 = "stablehlo.add"(%337, %336) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %339 = "stablehlo.multiply"(%311, %338) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %340 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %341 = "stablehlo.and"(%310, %340) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %342 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %343 = "stablehlo.compare"(%341, %342) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %344 = "stablehlo.multiply"(%311, %311) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %345 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %346 = "stablehlo.constant"() <{value = dense<-0.0111111114> : tensor<f32>}> : () -> tensor<f32>
      %347 = "stablehlo.multiply"(%344, %346) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %348 = "stablehlo.multiply"(%347, %345) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %349 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %350 = "stablehlo.add"(%349, %348) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %351 = "stablehlo.constant"() <{value = dense<-0.0178571437> : tensor<f32>}> : () -> tensor<f32>
      %352 = "stablehlo.multiply"(%344, %351) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %353 = "stablehlo.multiply"(%352, %350) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %354 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %355 = "stablehlo.add"(%354, %353) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %356 = "stablehlo.constant"() <{value = dense<-0.0333333351> : tensor<f32>}> : () -> tensor<f32>
      %357 = "stablehlo.multiply"(%344, %356) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %358 = "stablehlo.multiply"(%357, %355) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %359 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %360 = "stablehlo.add"(%359, %358) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %361 = "stablehlo.constant"() <{value = dense<-0.0833333358> : tensor<f32>}> : () -> tensor<f32>
      %362 = "stablehlo.multiply"(%344, %361) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %363 = "stablehlo.multiply"(%362, %360) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %364 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %365 = "stablehlo.add"(%364, %363) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %366 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %367 = "stablehlo.multiply"(%344, %366) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %368 = "stablehlo.multiply"(%367, %365) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %369 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %370 = "stablehlo.add"(%369, %368) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %371 = "stablehlo.select"(%343, %339, %370) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %372 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %373 = "stablehlo.add"(%310, %372) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %374 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
      %375 = "stablehlo.and"(%373, %374) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %376 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
      %377 = "stablehlo.compare"(%375, %376) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %378 = "stablehlo.negate"(%371) : (tensor<f32>) -> tensor<f32>
      %379 = "stablehlo.select"(%377, %378, %371) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%379) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.negate"(%0) : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.multiply"(%0, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.tanh"(%3) : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.subtract"(%5, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.add"(%5, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.multiply"(%6, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.multiply"(%10, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.multiply"(%12, %11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.multiply"(%12, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.multiply"(%14, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.multiply"(%12, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.multiply"(%12, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.multiply"(%18, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.multiply"(%19, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.multiply"(%19, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.negate"(%21) : (tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.add"(%20, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.multiply"(%23, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.multiply"(%24, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.add"(%16, %25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.multiply"(%27, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.multiply"(%27, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.multiply"(%27, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.multiply"(%27, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.multiply"(%18, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.multiply"(%18, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %34 = "stablehlo.negate"(%33) : (tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.multiply"(%34, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.multiply"(%34, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.multiply"(%33, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.multiply"(%33, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.add"(%36, %38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %40 = "stablehlo.multiply"(%39, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.multiply"(%40, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %42 = "stablehlo.multiply"(%14, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.multiply"(%40, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.multiply"(%27, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %45 = "stablehlo.add"(%43, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.multiply"(%45, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %47 = "stablehlo.multiply"(%30, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %48 = "stablehlo.multiply"(%47, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %49 = "stablehlo.add"(%42, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %50 = "stablehlo.add"(%49, %48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %51 = "stablehlo.multiply"(%50, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %52 = "stablehlo.multiply"(%51, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %53 = "stablehlo.multiply"(%51, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %54 = "stablehlo.add"(%37, %53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %55 = "stablehlo.negate"(%54) : (tensor<f32>) -> tensor<f32>
    %56 = "stablehlo.multiply"(%32, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %57 = "stablehlo.multiply"(%32, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %58 = "stablehlo.negate"(%57) : (tensor<f32>) -> tensor<f32>
    %59 = "stablehlo.add"(%35, %52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %60 = "stablehlo.add"(%59, %55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %61 = "stablehlo.add"(%60, %56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %62 = "stablehlo.add"(%61, %58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %63 = "stablehlo.multiply"(%62, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %64 = "stablehlo.multiply"(%63, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %65 = "stablehlo.negate"(%29) : (tensor<f32>) -> tensor<f32>
    %66 = "stablehlo.add"(%31, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %67 = "stablehlo.add"(%66, %64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %68 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.multiply"(%68, %67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %70 = "stablehlo.multiply"(%68, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %71 = "stablehlo.multiply"(%68, %46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %72 = "stablehlo.multiply"(%68, %65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %73 = "stablehlo.negate"(%14) : (tensor<f32>) -> tensor<f32>
    %74 = "stablehlo.multiply"(%14, %63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %75 = "stablehlo.multiply"(%68, %63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %76 = "stablehlo.multiply"(%18, %62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %77 = "stablehlo.multiply"(%34, %32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %78 = "stablehlo.multiply"(%33, %32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %79 = "stablehlo.multiply"(%34, %51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %80 = "stablehlo.multiply"(%33, %51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %81 = "stablehlo.multiply"(%40, %47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %82 = "stablehlo.multiply"(%68, %47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %83 = "stablehlo.multiply"(%47, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %84 = "stablehlo.multiply"(%47, %40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %85 = "stablehlo.multiply"(%68, %40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %86 = "stablehlo.add"(%48, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %87 = "stablehlo.add"(%86, %42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %88 = "stablehlo.multiply"(%87, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %89 = "stablehlo.multiply"(%88, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.multiply"(%88, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %91 = "stablehlo.multiply"(%34, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %92 = "stablehlo.multiply"(%88, %34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %93 = "stablehlo.multiply"(%88, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.multiply"(%33, %34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %95 = "stablehlo.add"(%93, %37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.negate"(%95) : (tensor<f32>) -> tensor<f32>
    %97 = "stablehlo.add"(%90, %35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %98 = "stablehlo.add"(%97, %96) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %99 = "stablehlo.multiply"(%98, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %100 = "stablehlo.multiply"(%98, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %101 = "stablehlo.multiply"(%39, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %102 = "stablehlo.multiply"(%39, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %103 = "stablehlo.add"(%100, %102) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %104 = "stablehlo.multiply"(%103, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.multiply"(%103, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %106 = "stablehlo.multiply"(%103, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %107 = "stablehlo.multiply"(%46, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %108 = "stablehlo.multiply"(%73, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %109 = "stablehlo.add"(%41, %106) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %110 = "stablehlo.add"(%109, %31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %111 = "stablehlo.multiply"(%110, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %112 = "stablehlo.multiply"(%47, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %113 = "stablehlo.multiply"(%50, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %114 = "stablehlo.multiply"(%50, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %115 = "stablehlo.add"(%101, %114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %116 = "stablehlo.negate"(%115) : (tensor<f32>) -> tensor<f32>
    %117 = "stablehlo.multiply"(%116, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %118 = "stablehlo.multiply"(%116, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %119 = "stablehlo.multiply"(%115, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %120 = "stablehlo.multiply"(%115, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %121 = "stablehlo.add"(%91, %94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %122 = "stablehlo.add"(%121, %118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %123 = "stablehlo.add"(%122, %120) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %124 = "stablehlo.multiply"(%123, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %125 = "stablehlo.multiply"(%124, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %126 = "stablehlo.multiply"(%124, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %127 = "stablehlo.multiply"(%124, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %128 = "stablehlo.add"(%41, %85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %129 = "stablehlo.add"(%128, %127) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %130 = "stablehlo.multiply"(%129, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %131 = "stablehlo.multiply"(%108, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %132 = "stablehlo.multiply"(%131, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %133 = "stablehlo.multiply"(%131, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %134 = "stablehlo.add"(%82, %83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %135 = "stablehlo.add"(%134, %83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %136 = "stablehlo.add"(%135, %133) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %137 = "stablehlo.multiply"(%136, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %138 = "stablehlo.multiply"(%137, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %139 = "stablehlo.multiply"(%137, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %140 = "stablehlo.add"(%80, %89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %141 = "stablehlo.add"(%140, %119) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %142 = "stablehlo.add"(%141, %139) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %143 = "stablehlo.negate"(%142) : (tensor<f32>) -> tensor<f32>
    %144 = "stablehlo.add"(%99, %113) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %145 = "stablehlo.multiply"(%144, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %146 = "stablehlo.multiply"(%144, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %147 = "stablehlo.add"(%78, %146) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %148 = "stablehlo.negate"(%147) : (tensor<f32>) -> tensor<f32>
    %149 = "stablehlo.multiply"(%76, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %150 = "stablehlo.multiply"(%76, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %151 = "stablehlo.negate"(%150) : (tensor<f32>) -> tensor<f32>
    %152 = "stablehlo.add"(%77, %79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %153 = "stablehlo.add"(%152, %92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %154 = "stablehlo.add"(%153, %117) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %155 = "stablehlo.add"(%154, %138) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %156 = "stablehlo.add"(%155, %143) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %157 = "stablehlo.add"(%156, %145) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %158 = "stablehlo.add"(%157, %148) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %159 = "stablehlo.add"(%158, %149) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %160 = "stablehlo.add"(%159, %151) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %161 = "stablehlo.multiply"(%160, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %162 = "stablehlo.multiply"(%161, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %163 = "stablehlo.multiply"(%161, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %164 = "stablehlo.negate"(%107) : (tensor<f32>) -> tensor<f32>
    %165 = "stablehlo.multiply"(%72, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %166 = "stablehlo.multiply"(%164, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %167 = "stablehlo.negate"(%71) : (tensor<f32>) -> tensor<f32>
    %168 = "stablehlo.multiply"(%167, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %169 = "stablehlo.multiply"(%130, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %170 = "stablehlo.negate"(%70) : (tensor<f32>) -> tensor<f32>
    %171 = "stablehlo.multiply"(%170, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %172 = "stablehlo.multiply"(%111, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %173 = "stablehlo.multiply"(%69, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %174 = "stablehlo.add"(%75, %104) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %175 = "stablehlo.add"(%174, %125) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %176 = "stablehlo.add"(%175, %163) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %177 = "stablehlo.multiply"(%176, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %178 = "stablehlo.add"(%74, %81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %179 = "stablehlo.add"(%178, %84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %180 = "stablehlo.add"(%179, %105) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %181 = "stablehlo.add"(%180, %112) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %182 = "stablehlo.add"(%181, %126) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %183 = "stablehlo.add"(%182, %132) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %184 = "stablehlo.add"(%183, %162) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %185 = "stablehlo.add"(%184, %165) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %186 = "stablehlo.add"(%185, %166) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %187 = "stablehlo.add"(%186, %168) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %188 = "stablehlo.add"(%187, %169) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %189 = "stablehlo.add"(%188, %171) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %190 = "stablehlo.add"(%189, %172) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %191 = "stablehlo.add"(%190, %173) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %192 = "stablehlo.add"(%191, %177) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %192 : tensor<f32>
  }
}
