//! What goes wrong in compilers of such languages: aliases, order, sizes and numbers at their limits.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod traps {
    const WIDTH: usize = 2;

    pub struct Layer<const N: usize> {
        pub w: Tensor<f32, N>,
        pub b: Tensor<f32>,
    }

    pub struct Traps {
        #[global(init = tensor([1.0, 2.0]))]
        a: Tensor<f32, WIDTH>,
        #[global(init = tensor([3.0, 4.0]))]
        b: Tensor<f32, WIDTH>,
        #[global(alias = a)]
        a_too: Tensor<f32, WIDTH>,
        #[global]
        nested: [(Layer<2>, Tensor<i32>); 2],
        #[global]
        empty: Tensor<f32, 0, 3>,
    }

    impl Traps {
        pub fn swap(&mut self) -> (Tensor<f32, WIDTH>, Tensor<f32, WIDTH>) {
            (self.a, self.b) = (self.b, self.a);
            (self.a_too, self.b)
        }

        pub fn swap_often(&mut self, times: Tensor<i32>) {
            for _ in range(0, times) {
                let old = self.a_too;
                self.a = self.b;
                self.b = old;
            }
        }

        /// The value of a block is read before the store behind it.
        pub fn replace(&mut self, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            let old = { self.a };
            self.a_too = x;
            old
        }

        /// The store of the helper happens before the part is assigned.
        pub fn part_of_what_a_helper_stores(&mut self, value: Tensor<f32>) -> Tensor<f32, WIDTH> {
            self.a[0] = self.fill(value);
            self.a
        }

        fn fill(&mut self, value: Tensor<f32>) -> Tensor<f32> {
            self.a = zeros::<f32, WIDTH>() + value;
            value + 1.0
        }

        pub fn three_shapes(
            &self,
            x: Tensor<f32, 2, 3>,
            y: Tensor<f32, 4>,
        ) -> (Tensor<f32, 2, 3>, Tensor<f32, 4>, Tensor<f32>) {
            (
                double(x),
                double_row(y),
                double_row(y.insert_axis(0).sum_axis(1)).sum(),
            )
        }

        pub fn exchange_nested(
            &mut self,
            new: [(Layer<2>, Tensor<i32>); 2],
        ) -> [(Layer<2>, Tensor<i32>); 2] {
            let old = self.nested;
            self.nested = [new[1], new[0]];
            self.nested[0].0.b += 100.0;
            old
        }

        pub fn nothing_at_all(
            &mut self,
            x: Tensor<f32, 0, 3>,
        ) -> (Tensor<f32, 0, 3>, Tensor<f32, 3>, Tensor<f32>) {
            self.empty = x + 1.0;
            (self.empty, self.empty.sum_axis(0), self.empty.t().sum())
        }

        /// Names of the same variable in blocks within each other.
        pub fn shadows(&self, x: Tensor<f32>) -> Tensor<f32> {
            let y = x;
            let y = {
                let y = y + 1.0;
                let x = y * 10.0;
                x + y
            };
            let mut sum = y;
            for y in 0..3 {
                let y = y as f32;
                sum += y;
            }
            if x > 0.0 {
                let sum = 1000.0;
                let _ = sum;
            }
            sum + y
        }
    }

    #[kernel]
    fn double<const M: usize, const N: usize>(x: Tensor<f32, M, N>) -> Tensor<f32, M, N> {
        x * 2.0
    }

    #[kernel]
    fn double_row<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
        double(x.insert_axis(0)).remove_axis(0)
    }
}

use traps::{Layer, Traps};

fn device() -> Device {
    Device::open("local-sync").unwrap()
}

fn load() -> Traps {
    Traps::load(&device()).unwrap()
}

#[test]
fn globals_are_swapped_at_once() {
    let (a, b) = load().swap().unwrap();
    assert_eq!(a.to_array().unwrap(), array![3.0, 4.0]);
    assert_eq!(b.to_array().unwrap(), array![1.0, 2.0]);
}

#[test]
fn globals_are_swapped_in_a_loop() {
    let mut program = load();
    program.swap_often(5).unwrap();
    let (a, b) = program.swap().unwrap();
    assert_eq!(a.to_array().unwrap(), array![1.0, 2.0]);
    assert_eq!(b.to_array().unwrap(), array![3.0, 4.0]);
    program.swap_often(0).unwrap();
    let old = program.replace([9.0, 9.0]).unwrap();
    assert_eq!(old.to_array().unwrap(), array![1.0, 2.0]);
    assert_eq!(
        program.replace([0.0; 2]).unwrap().to_array().unwrap(),
        array![9.0, 9.0]
    );
}

#[test]
fn a_part_is_assigned_after_its_value_is_known() {
    let mut program = load();
    let found = program.part_of_what_a_helper_stores(7.0).unwrap();
    assert_eq!(found.to_array().unwrap(), array![8.0, 7.0]);
    let found = program.replace([0.0; 2]).unwrap();
    assert_eq!(found.to_array().unwrap(), array![8.0, 7.0]);
}

#[test]
fn a_kernel_runs_at_three_shapes() {
    let x = Array2::from_shape_fn((2, 3), |(row, column)| (row * 3 + column) as f32);
    let y = array![1.0_f32, 2.0, 3.0, 4.0];
    let (one, two, three) = load().three_shapes(&x, &y).unwrap();
    assert_eq!(one.to_array().unwrap(), &x * 2.0);
    assert_eq!(two.to_array().unwrap(), &y * 2.0);
    assert_eq!(three.to_scalar().unwrap(), 20.0);
}

#[test]
fn trees_stand_in_tuples_in_arrays() {
    let device = device();
    let mut program = Traps::load(&device).unwrap();
    let mut program_on = |start: f32| {
        let pair = |start: f32, n: i32| {
            let layer = Layer {
                w: device.upload([start, start + 1.0]).unwrap(),
                b: device.upload(start + 2.0).unwrap(),
            };
            (layer, device.upload(n).unwrap())
        };
        let [(one, m), (two, n)] = [pair(start, 1), pair(start * 2.0, 2)];
        let old = program.exchange_nested([(one, m), (two, n)]).unwrap();
        old.map(|(layer, n)| {
            let w = layer.w.to_array().unwrap().to_vec();
            (w, layer.b.to_scalar().unwrap(), n.to_scalar().unwrap())
        })
    };
    let zero = (vec![0.0, 0.0], 0.0, 0);
    assert_eq!(program_on(10.0), [zero.clone(), zero]);
    let expected = [(vec![20.0, 21.0], 122.0, 2), (vec![10.0, 11.0], 12.0, 1)];
    assert_eq!(program_on(0.0), expected);
}

#[test]
fn an_axis_may_have_no_elements() {
    let (empty, sums, sum) = load().nothing_at_all(&Array2::zeros((0, 3))).unwrap();
    assert_eq!(empty.shape(), [0, 3]);
    assert_eq!(sums.to_array().unwrap(), Array1::<f32>::zeros(3));
    assert_eq!(sum.to_scalar().unwrap(), 0.0);
}

#[test]
fn names_hide_others_in_their_block_only() {
    let found = load().shadows(1.0).unwrap().to_scalar().unwrap();
    // y = 2 * 10 + 2 = 22; the loop adds 0 + 1 + 2.
    assert_eq!(found, 22.0 + 3.0 + 22.0);
}

macro_rules! many {
    ($($name:ident)*; $($parameter:ident)*) => {
        #[program]
        mod many {
            pub struct Many {
                $(#[global] $name: Tensor<f32, 2>,)*
            }

            impl Many {
                pub fn add(&mut self, x: Tensor<f32, 2>) {
                    let mut sum = x;
                    $(
                        sum += 1.0;
                        self.$name += sum;
                    )*
                }

                pub fn ends(&self) -> (Tensor<f32, 2>, Tensor<f32, 2>) {
                    (self.g0, self.g199)
                }

                #[allow(clippy::too_many_arguments)]
                pub fn weighted(&self, $($parameter: Tensor<f32>),*) -> Tensor<f32> {
                    let mut sum = 0.0;
                    $(sum = sum * 0.5 + $parameter;)*
                    sum
                }

                /// Each element is a sum of all parameters.
                #[allow(clippy::too_many_arguments)]
                pub fn joined(
                    &self,
                    $($parameter: Tensor<f32, 2>),*
                ) -> (Tensor<f32, 128>, Tensor<f32, 64, 2>, Tensor<f32>) {
                    let sum = zeros::<f32, 2>() $(+ $parameter)*;
                    (
                        concatenate([$($parameter + sum),*], 0),
                        stack([$($parameter),*], 0),
                        sum.max(),
                    )
                }

                /// Sums of kernels, each of many tensors.
                #[allow(clippy::too_many_arguments)]
                pub fn by_kernels(&self, $($parameter: Tensor<f32, 2>),*) -> Tensor<f32, 2> {
                    let sum = zeros::<f32, 2>() $(+ $parameter)*;
                    add(sum, sum * tensor([1.0, 2.0]) $(* $parameter)*)
                }

                /// Every global becomes an expression of all of them.
                pub fn mix(&mut self) {
                    let sum = zeros::<f32, 2>() $(+ self.$name)*;
                    $(self.$name = self.$name + sum;)*
                }
            }

            #[kernel]
            fn add(x: Tensor<f32, 2>, y: Tensor<f32, 2>) -> Tensor<f32, 2> {
                x + y
            }
        }

        /// Calls it with the number of each parameter.
        fn weighted(program: &many::Many) -> f32 {
            let number = |name: &str| name[1..].parse::<f32>().unwrap();
            let sum = program.weighted($(number(stringify!($parameter))),*);
            sum.unwrap().to_scalar().unwrap()
        }

        /// Calls what joins pairs, with `[number, 1]` for each parameter.
        fn joined(program: &many::Many) -> (Vec<f32>, Vec<f32>, f32) {
            let pair = |name: &str| [name[1..].parse::<f32>().unwrap(), 1.0];
            let (one, other, most) = program.joined($(pair(stringify!($parameter))),*).unwrap();
            (
                one.to_array().unwrap().to_vec(),
                other.to_array().unwrap().into_raw_vec_and_offset().0,
                most.to_scalar().unwrap(),
            )
        }

        /// Calls what kernels add, with ones.
        fn by_kernels(program: &many::Many) -> Vec<f32> {
            let sum = program.by_kernels($({
                let _ = stringify!($parameter);
                [1.0_f32; 2]
            }),*);
            sum.unwrap().to_array().unwrap().to_vec()
        }
    };
}

many! {
    g0 g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12 g13 g14 g15 g16 g17 g18 g19 g20 g21 g22 g23 g24 g25
    g26 g27 g28 g29 g30 g31 g32 g33 g34 g35 g36 g37 g38 g39 g40 g41 g42 g43 g44 g45 g46 g47 g48 g49
    g50 g51 g52 g53 g54 g55 g56 g57 g58 g59 g60 g61 g62 g63 g64 g65 g66 g67 g68 g69 g70 g71 g72 g73
    g74 g75 g76 g77 g78 g79 g80 g81 g82 g83 g84 g85 g86 g87 g88 g89 g90 g91 g92 g93 g94 g95 g96 g97
    g98 g99 g100 g101 g102 g103 g104 g105 g106 g107 g108 g109 g110 g111 g112 g113 g114 g115 g116
    g117 g118 g119 g120 g121 g122 g123 g124 g125 g126 g127 g128 g129 g130 g131 g132 g133 g134 g135
    g136 g137 g138 g139 g140 g141 g142 g143 g144 g145 g146 g147 g148 g149 g150 g151 g152 g153 g154
    g155 g156 g157 g158 g159 g160 g161 g162 g163 g164 g165 g166 g167 g168 g169 g170 g171 g172 g173
    g174 g175 g176 g177 g178 g179 g180 g181 g182 g183 g184 g185 g186 g187 g188 g189 g190 g191 g192
    g193 g194 g195 g196 g197 g198 g199;
    p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25
    p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49
    p50 p51 p52 p53 p54 p55 p56 p57 p58 p59 p60 p61 p62 p63
}

#[test]
fn a_program_may_have_200_globals_and_64_parameters() {
    let mut program = many::Many::load(&device()).unwrap();
    for _ in 0..2 {
        program.add([0.0, 1.0]).unwrap();
    }
    // The sum grows by 1 from one global to the next.
    let (first, last) = program.ends().unwrap();
    assert_eq!(first.to_array().unwrap(), array![2.0, 4.0]);
    assert_eq!(last.to_array().unwrap(), array![400.0, 402.0]);
    let expected = (0..64).fold(0.0_f32, |sum, number| sum * 0.5 + number as f32);
    assert_eq!(weighted(&program), expected);
}

#[test]
fn an_expression_may_be_of_64_parameters() {
    let program = many::Many::load(&device()).unwrap();
    let (one, other, most) = joined(&program);
    let sum = [(0..64).sum::<i32>() as f32, 64.0];
    let pairs = || (0..64).map(|number| [number as f32, 1.0]);
    let expected: Vec<f32> = pairs()
        .flat_map(|[a, b]| [a + sum[0], b + sum[1]])
        .collect();
    assert_eq!(one, expected);
    assert_eq!(other, pairs().flatten().collect::<Vec<_>>());
    assert_eq!(most, sum[0]);
    assert_eq!(by_kernels(&program), [128.0, 192.0]);
}

#[test]
fn an_expression_may_be_of_200_globals() {
    let mut program = many::Many::load(&device()).unwrap();
    program.add([0.0, 1.0]).unwrap();
    program.mix().unwrap();
    // The first global is 1, the last one 200, and their sum is 20,100.
    let (first, last) = program.ends().unwrap();
    assert_eq!(first.to_array().unwrap(), array![20_101.0, 20_302.0]);
    assert_eq!(last.to_array().unwrap(), array![20_300.0, 20_501.0]);
}
