|a, n, rounds, eliminate| {
    let (m, sign) = eliminate(a, n, rounds);
    einsum!("bii->bi", m).prod_axis(1) * sign
}
