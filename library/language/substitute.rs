// One row of the solution after the other, whose products are taken from the rest. What is left of rows
// that are solved is not read.
|a, b, n, lower, unit, rounds| {
    let step = |k, (rest, x)| {
        let mut x = x;
        let i = if lower { k } else { (n as i32) - 1 - k };
        let row = rest[s![.., i, ..]];
        let row = if unit { row } else { row / a[s![.., i, i]].insert_axis(1) };
        x[s![.., i, ..]] = row;
        (rest - a[s![.., .., i]].insert_axis(2) * row.insert_axis(1), x)
    };
    let (_, x) = rounds(n, (b, zeros_like(b)), step);
    x
}
