// A checksum, bit by bit.
// N = 30
// below 256: x
pub fn checksum<const N: usize>(&self, x: Tensor<u32, N>) -> Tensor<u32> {
    let (c, _) = scan(
        full::<u32>(4294967295),
        x,
        |c: Tensor<u32>, b: Tensor<u32>| {
            let mut c = c ^ b;
            for _ in 0..8 {
                c = (c >> 1)
                    ^ select((c & 1) == 1, full::<u32>(3988292384), full::<u32>(0));
            }
            (c, c)
        },
    );
    !c
}
