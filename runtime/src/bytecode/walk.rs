//! The operations of a function, one after the other, as IREE's verifier goes through them.

use super::layout;

/// Checks that a function calls none that is not there.
pub(super) fn check(code: &[u8], functions: usize) -> Result<(), String> {
    let mut walk = Walk {
        code,
        functions,
        at: 0,
    };
    // IREE reads no operation that would be the last byte alone.
    while walk.at + 1 < code.len() {
        walk.operation()?;
    }
    Ok(())
}

struct Walk<'a> {
    code: &'a [u8],
    functions: usize,
    at: usize,
}

impl Walk<'_> {
    fn operation(&mut self) -> Result<(), String> {
        let [code] = self.read()?;
        let parts = match code {
            layout::F32 => layout::f32(self.read()?),
            layout::F64 => layout::f64(self.read()?),
            _ => layout::core(code),
        };
        let parts = parts.ok_or_else(|| format!("there is no operation {code}"))?;
        parts.chars().try_for_each(|part| self.part(part))
    }

    fn part(&mut self, part: char) -> Result<(), String> {
        match part {
            'r' => self.skip(2),
            '4' => self.skip(4),
            '8' => self.skip(8),
            's' => {
                let length = self.count()?;
                self.skip(length)
            }
            'l' => self.list(2),
            'b' => self.list(4),
            'c' => {
                for _ in 0..self.count()? {
                    self.part('4')?;
                    self.part('b')?;
                }
                Ok(())
            }
            _ => self.callee(),
        }
    }

    /// Registers, or pairs of them.
    fn list(&mut self, size: usize) -> Result<(), String> {
        self.at = self.at.next_multiple_of(2);
        let length = self.count()?;
        self.skip(length * size)
    }

    /// A function of the module, or an import, which IREE checks.
    fn callee(&mut self) -> Result<(), String> {
        let number = u32::from_le_bytes(self.read()?);
        let is_import = number >> 31 == 1;
        if is_import || (number as usize) < self.functions {
            return Ok(());
        }
        let functions = self.functions;
        Err(format!("it calls function {number}, and has {functions}"))
    }

    fn count(&mut self) -> Result<usize, String> {
        self.read().map(u16::from_le_bytes).map(usize::from)
    }

    fn skip(&mut self, length: usize) -> Result<(), String> {
        self.at += length;
        match self.at <= self.code.len() {
            true => Ok(()),
            false => Err(cut_off()),
        }
    }

    fn read<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], String> {
        let bytes = self.code.get(self.at..).and_then(<[u8]>::first_chunk);
        self.at += SIZE;
        bytes.copied().ok_or_else(cut_off)
    }
}

fn cut_off() -> String {
    "a function ends within an operation".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that calls a function with a register, and returns.
    fn call(number: u32) -> Vec<u8> {
        let mut code = vec![0x79, 0x58];
        code.extend(number.to_le_bytes());
        // An argument, no results, and nothing to return, which is aligned.
        code.extend([1, 0, 0, 0x80, 0, 0, 0x5a, 0, 0, 0]);
        code
    }

    #[test]
    fn calls_are_of_functions_that_are_there() {
        assert_eq!(check(&call(2), 3), Ok(()));
        let error = check(&call(3), 3).unwrap_err();
        assert_eq!(error, "it calls function 3, and has 3");
        // An import, which IREE compares.
        assert_eq!(check(&call(1 << 31 | 9), 3), Ok(()));
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_refused() {
        let code = call(0);
        let cut_off = (3..12).filter(|length| check(&code[..*length], 1).is_err());
        assert_eq!(cut_off.count(), 9);
        let error = check(&[0xff, 0], 1).unwrap_err();
        assert_eq!(error, "there is no operation 255");
    }
}
