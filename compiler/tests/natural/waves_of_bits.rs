// Two states that change places, of bits and of bytes, and a generator of random numbers.
pub fn waves_of_bits(
    &self,
    seed: Tensor<u32, 40>,
    steps: Tensor<i32>,
) -> (
    Tensor<u32, 40>,
    Tensor<u32, 40>,
    Tensor<bool, 40>,
    Tensor<i32>,
) {
    let mut now = seed;
    let mut before = seed.reverse(0);
    let mut seen = seed == 0;
    let mut n = 0;
    while n < steps {
        let mixed = now ^ (now << 13);
        let mixed = mixed ^ (mixed >> 17);
        let next = (mixed ^ (mixed << 5)) + before.roll(1, 0);
        before = now;
        now = next;
        seen = seen | (next % 7 == 0);
        n += 1;
    }
    (now, before, seen, n)
}
