use super::*;

const BLOCK: u8 = 0x79;
const BRANCH: u8 = 0x57;
const RETURN: u8 = 0x5a;
const FAIL: u8 = 0x5b;
const REFERENCE: u16 = 0x8000;

/// The code of a function while it is written.
#[derive(Default)]
struct Code(Vec<u8>);

impl Code {
    fn block(&mut self) -> u32 {
        self.0.push(BLOCK);
        self.0.len() as u32 - 1
    }

    fn list(&mut self, numbers: &[u16], count: usize) {
        self.0.resize(self.0.len().next_multiple_of(2), 0);
        self.0.extend((count as u16).to_le_bytes());
        self.0
            .extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
    }

    /// Goes on in one of two blocks, each of which takes in its first register what is in another one.
    fn branch(&mut self, blocks: [u32; 2], from: [u16; 2]) {
        self.0.extend([BRANCH, 0, 0]);
        for (block, from) in blocks.into_iter().zip(from) {
            self.0.extend(block.to_le_bytes());
            self.list(&[from, REFERENCE], 1);
        }
    }

    /// Ends with the status in the first register, and no message.
    fn fails(&mut self) {
        self.0.extend([FAIL, 0, 0, 0, 0]);
    }

    fn returns(&mut self, registers: &[u16]) {
        self.0.push(RETURN);
        self.list(registers, registers.len());
    }
}

/// A function that hands what is in a register to either of two blocks, which return registers.
fn function(from: [u16; 2], returned: [&[u16]; 2]) -> Vec<u8> {
    branching(
        from,
        returned.map(|registers| move |code: &mut Code| code.returns(registers)),
    )
}

/// A function that hands what is in a register to either of two blocks with these ends.
fn branching<E: Fn(&mut Code)>(from: [u16; 2], ends: [E; 2]) -> Vec<u8> {
    let blocks = |blocks: [u32; 2]| {
        let mut code = Code::default();
        code.block();
        code.branch(blocks, from);
        let blocks = ends.each_ref().map(|end| {
            let block = code.block();
            end(&mut code);
            block
        });
        (code.0, blocks)
    };
    let (_, places) = blocks([0, 0]);
    blocks(places).0
}

/// The registers that should be moved from, as they stand in the code.
fn moved(code: &[u8]) -> Vec<u16> {
    let places = copied(code, 0..code.len()).unwrap();
    let register = |place: usize| u16::from_le_bytes([code[place], code[place + 1]]);
    places.into_iter().map(register).collect()
}

const FIRST: u16 = REFERENCE;
const SECOND: u16 = REFERENCE | 1;

#[test]
fn what_no_block_needs_is_moved_on_each_way() {
    let last_only = [SECOND, SECOND | MOVE];
    assert_eq!(moved(&function(last_only, [&[FIRST], &[FIRST]])), [SECOND]);
    let neither = [SECOND, SECOND];
    assert_eq!(
        moved(&function(neither, [&[FIRST], &[FIRST]])),
        [SECOND, SECOND]
    );
}

#[test]
fn what_a_block_still_reads_is_copied_on_the_way_to_it() {
    let neither = [SECOND, SECOND];
    assert_eq!(
        moved(&function(neither, [&[FIRST, SECOND], &[FIRST]])),
        [SECOND]
    );
    assert!(moved(&function(neither, [&[SECOND], &[SECOND, FIRST]])).is_empty());
}

#[test]
fn what_fails_needs_nothing_of_the_block_behind_it() {
    let ends: [fn(&mut Code); 2] = [Code::fails, |code| code.returns(&[FIRST, SECOND])];
    assert_eq!(moved(&branching([SECOND, SECOND], ends)), [SECOND]);
}

#[test]
fn what_is_handed_on_in_its_own_register_stays_there() {
    assert!(moved(&function([FIRST, FIRST], [&[FIRST], &[FIRST]])).is_empty());
}

#[test]
fn code_that_is_not_understood_is_left_as_it_is() {
    assert!(copied(&[0xff], 0..1).is_none());
    let code = function([SECOND, SECOND], [&[FIRST], &[FIRST]]);
    for end in 1..code.len() {
        assert!(copied(&code, 0..end).is_none_or(|places| places.iter().all(|it| it + 1 < end)));
    }
    for bytes in [&b""[..], b"PK\x03\x04", &[0x50; 100]] {
        assert!(module::functions(bytes).is_none());
    }
}
