// Which rows and which columns have one that is true, or only such: of truth values, the greatest is that one is, the least that all are.
pub fn truths_along_two_axes(
    &self,
    x: Tensor<bool, 5, 7>,
    y: Tensor<bool, 5, 1>,
) -> (Tensor<bool, 7, 7>, Tensor<bool, 7, 7>, Tensor<bool, 7, 7>, Tensor<bool, 5, 7>, Tensor<bool, 5, 7>) {
    let one = x.any_axis(0).insert_axis(0) | x.max_axis(0).insert_axis(1);
    let all = x.all_axis(0).insert_axis(0) & x.min_axis(0).insert_axis(1);
    let either = (x | y).all_axis(0).insert_axis(0) | x.maximum(y).all_axis(0).insert_axis(1);
    let mut changed = x | y;
    changed[s![0, ..]] = false;
    (one, all, either, changed, x.maximum(y))
}
