use super::emit::{Emitter, Result, Tensor};

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    mask: &Tensor<'c, 'b>,
    on_true: &Tensor<'c, 'b>,
    on_false: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    emitter.select(mask, on_true, on_false)
}
