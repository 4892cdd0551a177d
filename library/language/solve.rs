|a, b, n, rounds, eliminate, substitute| {
    let (m, _) = eliminate(concatenate([a, b], 2), n, rounds);
    substitute(m[s![.., .., ..n]], m[s![.., .., n..]], n, false, false, rounds)
}
