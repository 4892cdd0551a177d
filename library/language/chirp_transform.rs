// The chirp of a place is the root of unity of its square, modulo the order, so that angles are exact.
// They are computed in `f64`: what `f32` loses would add up.
|x, n, sign, inverse, narrow, radix_2| {
    let length = zeros::<i32>() + (n as i32);
    let mut m = ones::<i32>() * 2;
    while m < length * 2 - 1 {
        m = m * 2;
    }
    let root = |turns, order| {
        let angle = turns as f64 / (order as f64) * 6.283185307179586;
        complex(narrow(angle.cos()), narrow(angle.sin()))
    };
    let place = iota::<i32, { 4 * n }>(0);
    let roots = root(place, -m);
    let own = iota::<i64, { n }>(0);
    let order = (length as i64) * 2;
    let chirp = root(own * own % order, order * sign);
    let distance = place.minimum(m - place);
    let echo = chirp.take(distance, 0).conj();
    let echo = select((distance >= 0) & (distance < length), echo, zeros_like(echo));
    let zero = zeros_like(x);
    let long = concatenate([x * chirp, zero, zero, zero], 1);
    let echo = radix_2(echo.insert_axis(0), roots, m, n);
    let product = radix_2(long, roots, m, n) * echo;
    let long = radix_2(product.conj(), roots, m, n).conj();
    let count = if inverse { (m as f64) * (length as f64) } else { m as f64 };
    let scale = narrow(1.0 / count);
    long[s![.., ..n]] * chirp * complex(scale, zeros_like(scale))
}
