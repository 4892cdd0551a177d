// Applies `step` to the numbers below `n` and a state.
|n, state, step| {
    let mut state = state;
    for j in 0..n {
        state = step(j as i32, state);
    }
    state
}
