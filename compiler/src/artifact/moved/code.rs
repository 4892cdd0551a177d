//! Reads the code of a function.

use super::isa::{self, Field, Set};
use std::ops::Range;

/// Set in a register with a reference.
const REFERENCE: u16 = 0x8000;

/// Set where a reference is moved out of its register.
pub(super) const MOVE: u16 = 0x4000;

/// A register with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Register(u16);

impl Register {
    fn of(bits: u16) -> Option<Self> {
        (bits & REFERENCE != 0).then_some(Self(bits & !(REFERENCE | MOVE)))
    }
}

/// A register that a block is handed from another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    /// Where the register that it comes from stands in the code.
    pub(super) place: usize,
    pub(super) from: Option<Register>,
    pub(super) to: Option<Register>,
    pub(super) is_moved: bool,
}

/// A way from an instruction to a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// Where the block begins in the function.
    pub(super) target: usize,
    /// What it is handed, one after the other.
    pub(super) arguments: Vec<Argument>,
}

/// What an instruction does with references.
#[derive(Clone, Debug, Default)]
pub(super) struct Instruction {
    /// Where it begins in the function.
    pub(super) start: usize,
    pub(super) reads: Vec<Register>,
    pub(super) writes: Vec<Register>,
    pub(super) edges: Vec<Edge>,
    /// Whether the function ends here.
    pub(super) ends: bool,
}

/// The instructions of a function, if all are known.
pub(super) fn read(bytes: &[u8], function: Range<usize>) -> Option<Vec<Instruction>> {
    let bytes = bytes.get(..function.end)?;
    let mut reader = Reader {
        bytes,
        next: function.start,
    };
    let mut instructions = Vec::new();
    while reader.next < function.end {
        let start = reader.next - function.start;
        instructions.push(reader.instruction(start)?);
    }
    Some(instructions)
}

struct Reader<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Reader<'_> {
    fn instruction(&mut self, start: usize) -> Option<Instruction> {
        let first = self.byte()?;
        let (set, code) = match Set::prefixed(first) {
            Some(set) => (set, self.byte()?),
            None => (Set::Core, first),
        };
        let mut instruction = Instruction {
            start,
            ends: set == Set::Core && [isa::RETURN, isa::FAIL].contains(&code),
            ..Instruction::default()
        };
        for field in set.fields(code)? {
            self.field(*field, &mut instruction)?;
        }
        Some(instruction)
    }

    fn field(&mut self, field: Field, instruction: &mut Instruction) -> Option<()> {
        match field {
            Field::Number => self.skip(2)?,
            Field::Read => instruction.reads.push(self.reference()?),
            Field::Write => instruction.writes.push(self.reference()?),
            Field::Word => self.skip(4)?,
            Field::Long => self.skip(8)?,
            Field::Text => {
                let length = self.short()?;
                self.skip(length.into())?;
            }
            Field::Sizes => drop(self.registers()?),
            Field::Operands => instruction.reads.extend(self.registers()?),
            Field::Results => instruction.writes.extend(self.registers()?),
            Field::Target => {
                let target = self.target()?;
                instruction.edges.push(target);
            }
            Field::Arguments => instruction.edges.last_mut()?.arguments = self.arguments()?,
            Field::Cases => {
                for _ in 0..self.short()? {
                    let mut case = self.target()?;
                    case.arguments = self.arguments()?;
                    instruction.edges.push(case);
                }
            }
        }
        Some(())
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.next = self.next.checked_add(count)?;
        (self.next <= self.bytes.len()).then_some(())
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let found = self.bytes.get(self.next..)?.first_chunk()?;
        self.next += N;
        Some(*found)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn reference(&mut self) -> Option<Register> {
        Register::of(self.short()? | REFERENCE)
    }

    /// Lists begin at even places.
    fn count(&mut self) -> Option<u16> {
        self.next += self.next % 2;
        self.short()
    }

    fn registers(&mut self) -> Option<Vec<Register>> {
        let mut registers = Vec::new();
        for _ in 0..self.count()? {
            registers.extend(Register::of(self.short()?));
        }
        Some(registers)
    }

    fn target(&mut self) -> Option<Edge> {
        let target = u32::from_le_bytes(self.take()?);
        Some(Edge {
            target: usize::try_from(target).ok()?,
            arguments: Vec::new(),
        })
    }

    fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        for _ in 0..self.count()? {
            let place = self.next;
            let (from, to) = (self.short()?, self.short()?);
            arguments.push(Argument {
                place,
                from: Register::of(from),
                to: Register::of(to),
                is_moved: from & MOVE != 0,
            });
        }
        Some(arguments)
    }
}
