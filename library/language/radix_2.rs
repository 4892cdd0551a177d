// Transforms rows of `4 * n` numbers, of which the first `m` count, a power of two from 2 on; `roots` are the powers
// of a root of unity of that order. In each round, pairs of transforms become one of twice the length, put
// where nothing has to be reordered, as Stockham has it. There are fewer rounds than an `i32` has bits, which
// derivatives need to know.
|rows, roots, m, n| {
    let place = iota::<i32, { 4 * n }>(0);
    let mut rows = rows;
    let mut half = ones::<i32>();
    for _ in range(0, 31) {
        let twist = roots.take(place % half * (m / (half * 2)), 0);
        let first = place / (half * 2) * half + place % half;
        let a = rows.take(first, 1);
        let b = rows.take(first + m / 2, 1) * twist;
        rows = select(place / half % 2 == 0, a + b, a - b);
        half = half * 2;
        if half >= m {
            break;
        }
    }
    rows
}
