//! Standard output, in colour on terminals only.

use std::{
    fmt,
    io::{self, Write},
    process,
};

/// Writes a line as `println!` does, and ends the process quietly when nobody reads any more.
macro_rules! say {
    ($($arguments:tt)*) => {
        $crate::output::line(format_args!($($arguments)*))
    };
}

pub(crate) use say;

/// How many columns the terminal has that standard output is, if it is one.
pub(crate) fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0))
}

/// Writes a line; see [`say!`].
pub(crate) fn line(text: fmt::Arguments<'_>) {
    finish(writeln!(anstream::stdout().lock(), "{text}"));
}

/// Writes a whole text.
pub(crate) fn text(text: &str) {
    finish(anstream::stdout().lock().write_all(text.as_bytes()));
}

fn finish(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        // Such as `head`, when it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            anstream::eprintln!("error: cannot write the output: {error}");
            process::exit(1);
        }
    }
}
