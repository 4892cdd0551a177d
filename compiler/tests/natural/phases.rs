// Gradients of the phases of gates, between which the numbers of a state change places.
pub fn phases(&self, t: Tensor<f64, 2>, z: Tensor<Complex<f64>, 4>) -> Tensor<f64, 2> {
    let places = iota::<i32, 4>().reverse(0);
    grad(|t: Tensor<f64, 2>| {
        let mut state = z;
        for k in 0..2 {
            state = (state * complex(t[k].cos(), t[k].sin())).take(places, 0);
        }
        ((state.re() * state.im()) * arange()).sum()
    })(t)
}
