|a, n| {
    let diagonal = iota::<i32, { n }, { n }>(0) == iota::<i32, { n }, { n }>(1);
    select(diagonal, zeros_like(a) + 1.0, zeros_like(a))
}
