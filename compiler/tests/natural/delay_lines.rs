// Lines of samples that are shifted by one, filters of them, and a generator whose key is made anew.
pub fn delay_lines(
    &self,
    samples: Tensor<f32, 40>,
    taps: Tensor<f32, 5>,
    key: Tensor<u32, 2>,
) -> (
    Tensor<f32, 40>,
    Tensor<f32, 5>,
    Tensor<f32, 8>,
    Tensor<u32, 2>,
) {
    let start = (zeros::<f32, 5>(), samples[s![..8]], key);
    let (ends, filtered) = scan(start, samples, |state, sample| {
        let (line, ring, key) = state;
        let line = concatenate([sample.insert_axis(0), line[s![..-1]]], 0);
        let ring = ring.roll(1, 0);
        (
            (line, ring, random::fold_in(key, 3)),
            line.dot(taps) + ring[0],
        )
    });
    let (line, ring, key) = ends;
    (filtered, line, ring, key)
}
