// One column of the factor after the other, whose products are taken from the rest.
|a, n, root, conjugate, rounds| {
    let rows = iota::<i32, { n }>(0);
    let step = |j, (rest, factor)| {
        let mut factor = factor;
        let column = rest[s![.., .., j]];
        let column = column / root(column[s![.., j]]).insert_axis(1);
        let column = select(rows < j, zeros_like(column), column);
        factor[s![.., .., j]] = column;
        (rest - column.insert_axis(2) * conjugate(column).insert_axis(1), factor)
    };
    let (_, factor) = rounds(n, (a, zeros_like(a)), step);
    factor
}
