// Tensors that start with the same numbers of 64 bits and more, and change in several ways.
// N = 5
pub fn fillings_changed_twice<const N: usize>(
    &self,
    x: Tensor<Complex<f32>, 4>,
    y: Tensor<f64, 4>,
    z: Tensor<Complex<f64>, N>,
) -> (
    (Tensor<Complex<f32>, 4>, Tensor<Complex<f32>, 4>),
    (Tensor<Complex<f32>, 4>, Tensor<Complex<f32>, 4>),
    (Tensor<f64, 4>, Tensor<f64, 4>),
    (Tensor<Complex<f64>, 4>, Tensor<Complex<f64>, 4>),
) {
    let last = iota::<i32, 4>().max();
    let same = ones::<Complex<f32>, 4>();
    let mut changed = same;
    changed[last] = x[0];
    let none = zeros::<Complex<f32>, 4>();
    let places = iota::<i32, 4>().reverse(0);
    let sums = (none.scatter_add(places, x, 0), none.scatter_add(places - 1, x * 2.0, 0));
    let one = ones::<f64, 4>();
    let mut other = one;
    other[last] = y[0];
    let (mut left, mut right) = (ones::<Complex<f64>, 4>(), ones::<Complex<f64>, 4>());
    if y[0] > 0.0 {
        left[last - 1] = z[0];
    } else {
        right[last] = z[0] * 2.0;
    }
    ((changed, same), sums, (other, one), (left, right))
}
