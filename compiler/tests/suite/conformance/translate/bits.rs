//! Bits, of which the language has those of one number as an integer.

use super::super::statement::Statement;
use iree_abi::DType;

pub(super) fn translate(statement: &Statement<'_>) -> Option<String> {
    match (statement.op, statement.operands.as_slice()) {
        ("bitcast_convert", [x]) => bitcast(statement, x),
        ("mulhi", [x, y]) => upper_half(statement, x, y),
        _ => None,
    }
}

fn bitcast(statement: &Statement<'_>, x: &str) -> Option<String> {
    let from = statement.operand_types.first()?.dtype;
    let to = statement.result_types.first()?.dtype;
    let halves = |part: &str| {
        let bits = format!("{x}.{part}().to_bits()");
        format!("stack([{bits} as u32, ({bits} >> 32) as u32], 0).from_bits::<f32>()")
    };
    Some(match (from, to) {
        (DType::Bool, DType::I64) => format!("(({x} as i64) << iota::<i64, 64>()).sum()"),
        (DType::F64, DType::Bool) => format!("({x}.to_bits() >> iota::<u64, 64>()) & 1 == 1"),
        (DType::I64, DType::F64) => format!("({x} as u64).from_bits::<f64>()"),
        (DType::C128, DType::C64) => {
            let (re, im) = (halves("re"), halves("im"));
            let pair = |part: &str| format!("({part})[0], ({part})[1]");
            format!("stack([complex({}), complex({})], 0)", pair(&re), pair(&im))
        }
        _ => return None,
    })
}

/// The upper half of products, which have twice the bits.
fn upper_half(statement: &Statement<'_>, x: &str, y: &str) -> Option<String> {
    let dtype = statement.operand_types.first()?.dtype;
    let wide = match dtype {
        DType::I8 => "i16",
        DType::I16 => "i32",
        DType::I32 => "i64",
        DType::U8 => "u16",
        DType::U16 => "u32",
        DType::U32 => "u64",
        _ => return Some(format!("upper_half({x}, {y})")),
    };
    let width = 8 * dtype.size();
    Some(format!(
        "(({x} as {wide} * {y} as {wide}) >> {width}) as {dtype}"
    ))
}
