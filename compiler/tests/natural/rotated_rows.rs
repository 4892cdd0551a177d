// Pairs of rows that become their sums and differences, and rows that others are subtracted from: parts of a tensor that
// begin where loops say.
// N = 9
pub fn rotated_rows<const N: usize>(
    &self,
    a: Tensor<f64, N, N>,
    b: Tensor<f64, N, N>,
) -> (Tensor<f64, N, N>, Tensor<f64, N, N>) {
    let (mut a, mut b) = (a, b);
    for p in 0..N {
        for q in 0..N {
            if q <= p {
                continue;
            }
            let rp = a[p];
            let rq = a[q];
            a[p] = rp - rq;
            a[q] = rp + rq;
        }
    }
    for p in 0..N {
        for q in 0..N {
            b[p] = b[p] - b[q];
        }
    }
    (a, b)
}
