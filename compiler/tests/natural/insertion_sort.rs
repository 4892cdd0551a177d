// Integers in their order, each moved to the front until one before it is less.
pub fn insertion_sort(&self, values: Tensor<i32, 24>) -> (Tensor<i32, 24>, Tensor<i32>) {
    let mut x = values * 7 % 5;
    let mut moves = 0;
    for i in range(1, 24) {
        let mut j = i;
        while j > 0 && x[(j - 1).maximum(0)] > x[j] {
            let before = x[j - 1];
            x[j - 1] = x[j];
            x[j] = before;
            j -= 1;
            moves += 1;
        }
    }
    (x, moves)
}
