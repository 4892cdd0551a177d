use super::super::statement::Statement;
use iree_abi::{DType, DTypeClass};

pub(super) fn translate(statement: &Statement<'_>) -> Option<String> {
    let class = statement.operand_types.first().map(|ty| ty.dtype.class());
    let complex = class == Some(DTypeClass::Complex);
    match statement.operands.as_slice() {
        [x] if complex => complex_unary(statement.op, x).or_else(|| unary(statement, x)),
        [x] => unary(statement, x),
        [x, y] if complex => complex_binary(statement.op, x, y).or_else(|| binary(statement, x, y)),
        [x, y] => binary(statement, x, y),
        [x, y, z] => ternary(statement.op, x, y, z),
        _ => None,
    }
}

fn unary(statement: &Statement<'_>, x: &str) -> Option<String> {
    let method = match statement.op {
        "abs" => "abs",
        "cbrt" => "cbrt",
        "ceil" => "ceil",
        "cosine" => "cos",
        "count_leading_zeros" => "leading_zeros",
        "exponential" => "exp",
        "exponential_minus_one" => "exp_m1",
        "floor" => "floor",
        "is_finite" => "is_finite",
        "log" => "ln",
        "log_plus_one" => "ln_1p",
        "logistic" => "sigmoid",
        "popcnt" => "count_ones",
        "round_nearest_afz" => "round",
        "round_nearest_even" => "round_ties_even",
        "rsqrt" => "rsqrt",
        "sine" => "sin",
        "sqrt" => "sqrt",
        "tan" => "tan",
        "tanh" => "tanh",
        _ => return other_unary(statement, x),
    };
    Some(format!("{x}.{method}()"))
}

fn other_unary(statement: &Statement<'_>, x: &str) -> Option<String> {
    let operand = statement.operand_types.first()?.dtype;
    let result = statement.result_types.last()?.dtype;
    Some(match statement.op {
        "not" => format!("!{x}"),
        "negate" if operand.class() == DTypeClass::Unsigned => format!("zeros_like({x}) - {x}"),
        "negate" => format!("-{x}"),
        // In Rust, zeros have signs.
        "sign" if operand.is_float() => format!("select({x} == 0.0, {x}, {x}.signum())"),
        "sign" => format!("{x}.signum()"),
        "real" if operand.is_complex() => format!("{x}.re()"),
        "real" => x.to_owned(),
        "imag" if operand.is_complex() => format!("{x}.im()"),
        "imag" => format!("zeros_like({x})"),
        "convert" => convert(x, operand, result),
        "reduce_precision" if statement.is("format", "e5m10") => format!("{x} as f16 as {result}"),
        "reduce_precision" if statement.is("format", "e5m0") => format!("reduced({x}, 5, 0)"),
        _ => return None,
    })
}

/// Of complex numbers, the real part is converted.
fn convert(x: &str, from: DType, to: DType) -> String {
    match (from.is_complex(), to) {
        (true, to) if !to.is_complex() => convert(&format!("{x}.re()"), from.real(), to),
        (false, DType::Bool) if from != DType::Bool => format!("{x} != zeros_like({x})"),
        _ => format!("{x} as {to}"),
    }
}

fn complex_unary(op: &str, x: &str) -> Option<String> {
    Some(match op {
        "cbrt" => format!("{x}.powf(1.0 / 3.0)"),
        "sign" => format!("select({x} == zeros_like({x}), {x}, {x} / complex({x}.abs(), 0.0))"),
        _ => return None,
    })
}

fn binary(statement: &Statement<'_>, x: &str, y: &str) -> Option<String> {
    let dtype = statement.operand_types.first()?.dtype;
    let operator = match statement.op {
        "add" if dtype == DType::Bool => "|",
        "multiply" if dtype == DType::Bool => "&",
        "add" => "+",
        "subtract" => "-",
        "multiply" => "*",
        "divide" => "/",
        "remainder" => "%",
        "and" => "&",
        "or" => "|",
        "xor" => "^",
        "shift_left" => "<<",
        "shift_right_arithmetic" => ">>",
        "compare" => comparison(statement)?,
        _ => return other_binary(statement, dtype, x, y),
    };
    Some(format!("{x} {operator} {y}"))
}

fn comparison(statement: &Statement<'_>) -> Option<&'static str> {
    Some(match statement.text.trim().split(',').next()? {
        "EQ" => "==",
        "NE" => "!=",
        "LT" => "<",
        "LE" => "<=",
        "GT" => ">",
        "GE" => ">=",
        _ => return None,
    })
}

fn other_binary(statement: &Statement<'_>, dtype: DType, x: &str, y: &str) -> Option<String> {
    Some(match statement.op {
        "maximum" => format!("{x}.maximum({y})"),
        "minimum" => format!("{x}.minimum({y})"),
        "atan2" => format!("{x}.atan2({y})"),
        "power" if dtype.is_integer() => format!("power({x}, {y})"),
        "power" => format!("{x}.powf({y})"),
        "complex" => format!("complex({x}, {y})"),
        "shift_right_logical" => format!("({x} as u64 >> {y} as u64) as {dtype}"),
        _ => return None,
    })
}

/// Complex numbers have no order in the language; the suite compares real parts, then imaginary parts.
fn complex_binary(op: &str, x: &str, y: &str) -> Option<String> {
    let ordered = |operator| {
        let parts = format!("({x}.re() == {y}.re()) & ({x}.im() {operator} {y}.im())");
        format!("select(({x}.re() {operator} {y}.re()) | {parts}, {x}, {y})")
    };
    Some(match op {
        "maximum" => ordered(">"),
        "minimum" => ordered("<"),
        // -i ln ((x + iy) / |x + iy|)
        "atan2" => {
            let root = format!("({y} * {y} + {x} * {x}).sqrt()");
            let i = format!("complex(zeros_like({x}.re()), zeros_like({x}.re()) + 1.0)");
            format!("-{i} * (({y} + {i} * {x}) / {root}).ln()")
        }
        _ => return None,
    })
}

fn ternary(op: &str, x: &str, y: &str, z: &str) -> Option<String> {
    Some(match op {
        "clamp" => format!("{y}.clamp({x}, {z})"),
        "select" => format!("select({x}, {y}, {z})"),
        _ => return None,
    })
}
