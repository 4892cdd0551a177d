// Gaussian elimination with the largest element of each column as its pivot: the upper triangle, and
// -1 to the power of the number of exchanged rows.
|m, n, rounds| {
    let rows = iota::<i32, { n }>(0);
    let step = |j, (m, sign)| {
        let mut m = m;
        let column = m[s![.., .., j]];
        let size = select(rows < j, -1.0, column.abs());
        let pivot = size.argmax_axis(1);
        let here = (rows == pivot.insert_axis(1)).insert_axis(2);
        let row = select(here, m, zeros_like(m)).sum_axis(1);
        m = select(here, m[s![.., j, ..]].insert_axis(1), m);
        m[s![.., j, ..]] = row;
        let divisor = row[s![.., j]];
        let divisor = select(divisor == 0.0, 1.0, divisor);
        let column = m[s![.., .., j]] / divisor.insert_axis(1);
        let factor = select(rows > j, column, zeros_like(column));
        (m - factor.insert_axis(2) * row.insert_axis(1), select(pivot == j, sign, -sign))
    };
    rounds(n, (m, zeros_like(m.sum_axis([1, 2])) + 1.0), step)
}
