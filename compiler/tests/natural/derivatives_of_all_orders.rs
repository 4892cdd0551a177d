// A function and its first five derivatives, of one number and of several.
// N = 9
pub fn derivatives_of_all_orders<const N: usize>(&self, x: Tensor<f32>, y: Tensor<f64, N>, z: Tensor<f64, 30>) -> ([Tensor<f32>; 6], [Tensor<f64, N>; 6], [Tensor<f64, 30>; 6]) {
    let f = |x| (x.exp() * x).tanh() / (x.cosh() + 1.0);
    let f1 = |x| grad(f)(x);
    let f2 = |x| grad(f1)(x);
    let f3 = |x| grad(f2)(x);
    let f4 = |x| grad(f3)(x);
    let f5 = |x| grad(f4)(x);
    let of_one = [f(x), f1(x), f2(x), f3(x), f4(x), f5(x)];
    let of_unknown = [vmap(f)(y), vmap(f1)(y), vmap(f2)(y), vmap(f3)(y), vmap(f4)(y), vmap(f5)(y)];
    (of_one, of_unknown, [vmap(f)(z), vmap(f1)(z), vmap(f2)(z), vmap(f3)(z), vmap(f4)(z), vmap(f5)(z)])
}
