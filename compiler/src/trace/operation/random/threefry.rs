use super::writer::Writer;
use crate::trace::value::Tensor;

/// What the third word of the key schedule is combined with ([Salmon et al.
/// 2011](https://doi.org/10.1145/2063384.2063405), as are the rotations).
const PARITY: i128 = 0x1BD1_1BDA;

const EVEN: [u32; 4] = [13, 15, 26, 6];
const ODD: [u32; 4] = [17, 29, 16, 24];

/// Threefry-2x32 with 20 rounds: two words of 32 random bits for each pair of counters. The words of the
/// key are scalars.
pub(super) fn threefry(
    writer: &mut Writer<'_, '_>,
    [first, second]: [Tensor; 2],
    counters: [&Tensor; 2],
) -> Option<[Tensor; 2]> {
    let parity = writer.integer(PARITY, &first.ty)?;
    let third = writer.xor(&first, &second)?;
    let third = writer.xor(&third, &parity)?;
    let [left, right] = counters;
    let mut left = inject(writer, left, &first)?;
    let mut right = inject(writer, right, &second)?;
    let mut schedule = [second, third, first];
    for (step, rotations) in (1..).zip([EVEN, ODD, EVEN, ODD, EVEN]) {
        for by in rotations {
            left = writer.add(&left, &right)?;
            right = rotate(writer, &right, by)?;
            right = writer.xor(&left, &right)?;
        }
        let [word, next, _] = &schedule;
        left = inject(writer, &left, word)?;
        let step = writer.integer(step, &next.ty)?;
        let next = writer.add(next, &step)?;
        right = inject(writer, &right, &next)?;
        schedule.rotate_left(1);
    }
    Some([left, right])
}

/// Adds a word of the key everywhere.
fn inject(writer: &mut Writer<'_, '_>, to: &Tensor, word: &Tensor) -> Option<Tensor> {
    let word = writer.broadcast(word, &to.ty.shape)?;
    writer.add(to, &word)
}

/// The bits moved up, those that leave at the top coming in at the bottom.
fn rotate(writer: &mut Writer<'_, '_>, word: &Tensor, by: u32) -> Option<Tensor> {
    let up = writer.shift_left(word, by)?;
    let down = writer.shift_right(word, u32::BITS - by)?;
    writer.or(&up, &down)
}
