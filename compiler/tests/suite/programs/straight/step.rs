use super::size::Size;
use iree_abi::DType;
use std::fmt::Write;

/// The type of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Type {
    pub(super) dtype: DType,
    pub(super) sizes: Vec<Size>,
}

impl Type {
    pub(super) fn new(dtype: DType, sizes: &[Size]) -> Self {
        let sizes = sizes.to_vec();
        Self { dtype, sizes }
    }

    pub(super) fn rank(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("Tensor<{}", self.dtype.name());
        for size in &self.sizes {
            write!(text, ", {size}").expect("a string takes all");
        }
        text + ">"
    }
}

/// A part of a tensor along an axis.
#[derive(Clone, Debug)]
pub(super) enum Part {
    All,
    /// From a place on to before another, in steps; of `None` to the end.
    Range(usize, Option<usize>, usize),
    /// All from the end on, in steps.
    Backwards(usize),
    /// All but so many at the end.
    Less(usize),
    At(usize),
}

/// What a value is computed by. Operands are given beside it.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// `x.name()` of real numbers, integers or truth values.
    Unary(&'static str),
    Powi(i32),
    Negate,
    Not,
    /// `x + y` or `x.name(y)`.
    Binary(&'static str),
    /// The same with a number as the second operand.
    WithNumber(&'static str, f64),
    /// The same with the number first: `2.0 - x`.
    NumberFirst(&'static str, f64),
    Compare(&'static str),
    CompareNumber(&'static str, f64),
    Select,
    Clamp(f64, f64),
    MulAdd,
    Complex,
    /// `re`, `im` or `abs` of complex numbers.
    PartOfComplex(&'static str),
    Cast,
    /// `sum` and the like; `None` for all axes.
    Reduce(&'static str, Option<Vec<usize>>),
    /// `reduce` with exclusive or.
    ReduceXor(usize),
    /// `softmax`, `cumsum`, `sort` and the like.
    Along(&'static str, usize),
    InsertAxis(usize),
    RemoveAxis(usize),
    SwapAxes(usize, usize),
    Transpose,
    Permute(Vec<usize>),
    Reshape(String),
    BroadcastTo,
    Slice(Vec<Part>),
    Reverse(Vec<usize>),
    Roll(isize, usize),
    Repeat(usize, usize),
    Tile(Vec<usize>),
    Pad {
        low: Vec<isize>,
        high: Vec<isize>,
        interior: Vec<usize>,
        value: f64,
    },
    Concatenate(usize),
    Stack(usize),
    Triangle(&'static str, isize),
    /// `x[i]` with a scalar tensor.
    AtIndex,
    /// `zeros_like`, `ones_like`.
    Like(&'static str),
    FullLike(f64),
    /// `full::<…>(…)`, `iota::<…>(…)`, `eye::<…>()`.
    Full(f64),
    Iota(usize),
    Eye,
    Outer,
    Dot,
    Matmul,
    /// Letters for the axes of the operands, and of the result.
    Einsum(String),
    Take(usize),
    TakeAlongAxis(usize),
    ScatterAdd(usize),
    OneHot(usize),
    /// `let mut t = x; t[…] = y;`, or `+=` and the like; a number if there is one operand.
    Assign {
        parts: Vec<Part>,
        operator: &'static str,
        number: Option<f64>,
    },
    /// `t[i] = y`, with an index known at the call only.
    AssignAt,
    /// `map` over the first axis with a closure.
    MapRows(&'static str),
    /// The carries of a `scan` that adds rows.
    ScanRows,
}

impl Operation {
    /// Whether its value does not depend on those of its operands.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self, Self::Like(_) | Self::FullLike(_))
    }

    /// Whether a part of the first operand is replaced.
    pub(super) fn changes_in_part(&self) -> bool {
        matches!(
            self,
            Self::Assign { .. } | Self::AssignAt | Self::ScatterAdd(_)
        )
    }
}

/// A value that is computed.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) operation: Operation,
    pub(super) operands: Vec<usize>,
    pub(super) ty: Type,
}

/// Whether an operation is written between its operands.
pub(super) fn is_infix(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_alphabetic())
}

pub(super) fn literal(dtype: DType, number: f64) -> String {
    match dtype.is_float() || dtype.is_complex() {
        true => format!("{number:?}"),
        false => format!("{number}"),
    }
}

/// As an element type needs it where there is nothing else to tell it.
fn complex_literal(dtype: DType, number: f64) -> String {
    literal(dtype, number)
}

pub(super) fn parts_text(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::All => "..".to_owned(),
        Part::Range(0, None, step) => format!("..;{step}"),
        Part::Range(start, None, 1) => format!("{start}.."),
        Part::Range(start, None, step) => format!("{start}..;{step}"),
        Part::Range(start, Some(end), 1) => format!("{start}..{end}"),
        Part::Range(start, Some(end), step) => format!("{start}..{end};{step}"),
        Part::Backwards(step) => format!("..;-{step}"),
        Part::Less(by) => format!("..-{by}"),
        Part::At(index) => index.to_string(),
    };
    let parts: Vec<_> = parts.iter().map(part).collect();
    format!("s![{}]", parts.join(", "))
}

pub(super) fn sizes_text(sizes: &[Size]) -> String {
    let sizes: Vec<_> = sizes.iter().map(ToString::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

fn generic(ty: &Type) -> String {
    let sizes = ty.sizes.iter().map(|size| format!(", {size}"));
    let sizes: String = sizes.collect();
    format!("::<{}{sizes}>", ty.dtype.name())
}

impl Step {
    /// The statements that give the value its name.
    pub(super) fn text(&self, name: &str, operands: &[String], types: &[&Type]) -> String {
        match &self.operation {
            Operation::Assign {
                parts,
                operator,
                number,
            } => {
                let value = match number {
                    Some(number) => literal(self.ty.dtype, *number),
                    None => operands[1].clone(),
                };
                let (x, parts) = (&operands[0], parts_text(parts));
                format!("let mut {name} = {x};\n{name}[{parts}] {operator} {value};")
            }
            Operation::AssignAt => {
                let [x, index, value] = [0, 1, 2].map(|number| &operands[number]);
                format!("let mut {name} = {x};\n{name}[{index}] = {value};")
            }
            Operation::ScanRows => {
                let x = &operands[0];
                format!(
                    "let (last_{name}, {name}) = scan({x}[0], {x}, |carry, row| (carry + row, carry));"
                )
            }
            _ => format!("let {name} = {};", self.expression(operands, types)),
        }
    }

    fn expression(&self, operands: &[String], types: &[&Type]) -> String {
        let dtype = types.first().map_or(self.ty.dtype, |ty| ty.dtype);
        let x = operands.first().map_or("", String::as_str);
        let y = operands.get(1).map_or("", String::as_str);
        let number = |number: &f64| complex_literal(dtype, *number);
        let binary = |name: &str, x: &str, y: &str| match is_infix(name) {
            true => format!("{x} {name} {y}"),
            false => format!("{x}.{name}({y})"),
        };
        match &self.operation {
            Operation::Unary(name) | Operation::PartOfComplex(name) => format!("{x}.{name}()"),
            Operation::Powi(power) => format!("{x}.powi({power})"),
            Operation::Negate => format!("-{x}"),
            Operation::Not => format!("!{x}"),
            Operation::Binary(name) | Operation::Compare(name) => binary(name, x, y),
            Operation::WithNumber(name, by) | Operation::CompareNumber(name, by) => {
                binary(name, x, &number(by))
            }
            Operation::NumberFirst(name, by) => binary(name, &number(by), x),
            Operation::Select => format!("select({x}, {y}, {})", operands[2]),
            Operation::Clamp(low, high) => format!("{x}.clamp({}, {})", number(low), number(high)),
            Operation::MulAdd => format!("{x}.mul_add({y}, {})", operands[2]),
            Operation::Complex => format!("complex({x}, {y})"),
            Operation::Cast => format!("{x}.cast::<{}>()", self.ty.dtype.name()),
            Operation::Reduce(name, None) => format!("{x}.{name}()"),
            Operation::Reduce(name, Some(axes)) => match axes[..] {
                [axis] => format!("{x}.{name}_axis({axis})"),
                _ => format!("{x}.{name}_axis({axes:?})"),
            },
            Operation::ReduceXor(axis) => format!("{x}.reduce(0, {axis}, |a, b| a ^ b)"),
            Operation::Along(name, axis) => format!("{x}.{name}({axis})"),
            Operation::InsertAxis(axis) => format!("{x}.insert_axis({axis})"),
            Operation::RemoveAxis(axis) => format!("{x}.remove_axis({axis})"),
            Operation::SwapAxes(one, other) => format!("{x}.swap_axes({one}, {other})"),
            Operation::Transpose => format!("{x}.t()"),
            Operation::Permute(axes) => format!("{x}.permute({axes:?})"),
            Operation::Reshape(sizes) => format!("{x}.reshape([{sizes}])"),
            Operation::BroadcastTo => format!("{x}.broadcast_to({})", sizes_text(&self.ty.sizes)),
            Operation::Slice(parts) => format!("{x}[{}]", parts_text(parts)),
            Operation::Reverse(axes) => match axes[..] {
                [axis] => format!("{x}.reverse({axis})"),
                _ => format!("{x}.reverse({axes:?})"),
            },
            Operation::Roll(by, axis) => format!("{x}.roll({by}, {axis})"),
            Operation::Repeat(times, axis) => format!("{x}.repeat({times}, {axis})"),
            Operation::Tile(times) => format!("{x}.tile({times:?})"),
            Operation::Pad {
                low,
                high,
                interior,
                value,
            } => {
                let interior = match interior.iter().all(|count| *count == 0) {
                    true => String::new(),
                    false => format!(", interior = {interior:?}"),
                };
                let value = match dtype {
                    DType::Bool => (*value != 0.0).to_string(),
                    _ => number(value),
                };
                format!("pad!({x}, low = {low:?}, high = {high:?}{interior}, value = {value})")
            }
            Operation::Concatenate(axis) => {
                format!("concatenate([{}], {axis})", operands.join(", "))
            }
            Operation::Stack(axis) => format!("stack([{}], {axis})", operands.join(", ")),
            Operation::Triangle(name, by) => format!("{x}.{name}({by})"),
            Operation::AtIndex => format!("{x}[{y}]"),
            Operation::Like(name) => format!("{name}({x})"),
            Operation::FullLike(by) => format!("full_like({x}, {})", number(by)),
            Operation::Full(by) => format!("full{}({})", generic(&self.ty), number(by)),
            Operation::Iota(axis) => format!("iota{}({axis})", generic(&self.ty)),
            Operation::Eye => format!("eye{}()", generic(&self.ty)),
            Operation::Outer => format!("{x}.outer({y})"),
            Operation::Dot => format!("{x}.dot({y})"),
            Operation::Matmul => format!("{x}.matmul({y})"),
            Operation::Einsum(letters) => {
                format!("einsum!(\"{letters}\", {})", operands.join(", "))
            }
            Operation::Take(axis) => format!("{x}.take({y}, {axis})"),
            Operation::TakeAlongAxis(axis) => format!("{x}.take_along_axis({y}, {axis})"),
            Operation::ScatterAdd(axis) => {
                format!("{x}.scatter_add({y}, {}, {axis})", operands[2])
            }
            Operation::OneHot(classes) => {
                format!("{x}.one_hot::<{}, {classes}>()", self.ty.dtype.name())
            }
            Operation::MapRows(name) => format!("map({x}, |row| {})", row_text(name)),
            Operation::Assign { .. } | Operation::AssignAt | Operation::ScanRows => String::new(),
        }
    }
}

/// What `map` does with a row.
fn row_text(name: &str) -> &'static str {
    match name {
        "sum" => "row.sum()",
        "centred" => "row - row.mean()",
        "scaled" => "row * row.sum()",
        "reverse" => "row.reverse(0)",
        _ => "row.cumsum(0)",
    }
}
