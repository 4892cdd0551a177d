//! Ctrl-C.

use anyhow::{Context, Result};
use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether the user pressed Ctrl-C.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Lets training end after what is under way on the first Ctrl-C, and at once on the second.
pub(crate) fn catch() -> Result<Interrupt> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            // What a shell reports for a process that SIGINT ended.
            process::exit(130);
        }
    })
    .context("cannot catch Ctrl-C")?;
    Ok(Interrupt(flag))
}
