//! Has the program write.

use crate::{options, training, writer::Writer};
use anyhow::Result;
use std::io::{self, Write as _};

/// Goes on with a prompt.
pub(crate) fn write(mut program: Writer, options: &options::Write) -> Result<()> {
    training::resume(&mut program, &options.model)?;
    print!("{}", options.prompt);
    let options::Write {
        prompt,
        length,
        temperature,
        seed,
        ..
    } = options;
    go_on(&mut program, prompt, *length, *temperature, *seed)
}

/// Prints so many bytes that follow a prompt, as they come.
pub(crate) fn go_on(
    program: &mut Writer,
    prompt: &str,
    length: usize,
    temperature: f32,
    seed: u32,
) -> Result<()> {
    let mut output = io::stdout().lock();
    continued(
        program,
        prompt.as_bytes(),
        temperature,
        seed,
        length,
        |byte| {
            output.write_all(&[byte])?;
            Ok(output.flush()?)
        },
    )?;
    Ok(writeln!(output)?)
}

/// The bytes that follow a prompt.
pub(crate) fn continued(
    program: &mut Writer,
    prompt: &[u8],
    temperature: f32,
    seed: u32,
    length: usize,
    mut written: impl FnMut(u8) -> Result<()>,
) -> Result<()> {
    program.restart(seed)?;
    let mut next = b'\n'.into();
    for byte in prompt {
        next = program.next(i32::from(*byte), temperature)?.to_scalar()?;
    }
    for _ in 0..length {
        written(next as u8)?;
        next = program.next(next, temperature)?.to_scalar()?;
    }
    Ok(())
}
