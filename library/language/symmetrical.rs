// The same matrices, whose derivative is that of their symmetrical part.
|a, conjugate| {
    let half = (a + conjugate(a.swap_axes(1, 2))) * 0.5;
    a.stop_gradient() + (half - half.stop_gradient())
}
