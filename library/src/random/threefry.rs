//! The block cipher that random bits come from.

use crate::term::Term;

/// What the third word of the key schedule is combined with ([Salmon et al.
/// 2011](https://doi.org/10.1145/2063384.2063405), as are the rotations).
const PARITY: i128 = 0x1BD1_1BDA;

const EVEN: [u32; 4] = [13, 15, 26, 6];
const ODD: [u32; 4] = [17, 29, 16, 24];

/// Threefry-2x32 with 20 rounds: two words of 32 random bits for each pair of counters. The words of the
/// key are scalars.
pub(super) fn threefry<'x, V: Clone>(
    [first, second]: [Term<'x, V>; 2],
    [left, right]: [&Term<'x, V>; 2],
) -> [Term<'x, V>; 2] {
    let third = &first ^ &second ^ PARITY;
    let mut left = inject(left, &first);
    let mut right = inject(right, &second);
    let mut schedule = [second, third, first];
    for (step, rotations) in (1..).zip([EVEN, ODD, EVEN, ODD, EVEN]) {
        for by in rotations {
            left = left + &right;
            right = &left ^ rotate(&right, by);
        }
        let [word, next, _] = &schedule;
        left = inject(&left, word);
        right = inject(&right, &(next + step));
        schedule.rotate_left(1);
    }
    [left, right]
}

/// Adds a word of the key everywhere.
fn inject<'x, V: Clone>(to: &Term<'x, V>, word: &Term<'x, V>) -> Term<'x, V> {
    to + word.broadcast_like(to)
}

/// The bits moved up, those that leave at the top coming in at the bottom.
fn rotate<'x, V: Clone>(word: &Term<'x, V>, by: u32) -> Term<'x, V> {
    let down = u32::BITS - by;
    (word << i128::from(by)) | (word >> i128::from(down))
}
