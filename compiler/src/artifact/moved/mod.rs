//! Has what branches hand on moved.
//!
//! Where a branch hands a buffer to each of the blocks that it may go on in, as at the end of an iteration, IREE 3.13 moves it
//! out of its register on the way that is named last only. On the others it is copied, and as the compiler is to know
//! better, the virtual machine releases nothing when a function returns: each call kept buffers for good. So the code is read once
//! more, and what no block needs any longer is moved on all ways.
//! Defect `buffers-of-branches-are-not-released`.
//!
//! What is not understood is left as it is.

mod code;
mod isa;
mod liveness;
mod module;

use code::MOVE;
use liveness::Liveness;
use std::{fs, io, ops::Range, path::Path};

/// Mends what the IREE compiler has written to a file. Returns what is in the file now.
pub(super) fn mend(vmfb: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(vmfb)?;
    if move_all(&mut bytes) {
        fs::write(vmfb, &bytes)?;
    }
    Ok(bytes)
}

/// Whether anything is moved that was not.
fn move_all(bytes: &mut [u8]) -> bool {
    let functions = module::functions(bytes).unwrap_or_default().into_iter();
    let copied = functions.filter_map(|function| copied(bytes, function));
    let copied: Vec<_> = copied.flatten().collect();
    for place in &copied {
        // The second byte of a register is its high one.
        if let Some(byte) = bytes.get_mut(place + 1) {
            *byte |= MOVE.to_le_bytes()[1];
        }
    }
    !copied.is_empty() && module::sum_up(bytes).is_some()
}

/// Where registers stand that should be moved from.
fn copied(bytes: &[u8], function: Range<usize>) -> Option<Vec<usize>> {
    let instructions = code::read(bytes, function)?;
    let edges = || instructions.iter().flat_map(|it| &it.edges);
    if edges().all(|edge| {
        edge.arguments
            .iter()
            .all(|it| it.from.is_none() || it.is_moved)
    }) {
        return Some(Vec::new());
    }
    let liveness = Liveness::of(&instructions)?;
    let mut places = Vec::new();
    for edge in edges() {
        places.extend(liveness.kept(edge)?.map(|argument| argument.place));
    }
    Some(places)
}

#[cfg(test)]
mod tests;
