use super::{
    attributed,
    data::DataSyntax,
    lexer::TokenKind,
    parser::{Parser, Result},
    syntax::{At, OpSyntax, OperationSyntax, RegionSyntax},
};
use crate::op::{
    ArgReduce, BinaryOp, Broadcast, CompareOp, DotGeneral, DynamicSlice, ExtremumKind, Fourier,
    Iota, Observation, Op, Reduce, ReduceKind, Size, Slice, Transpose, UnaryOp,
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};

/// Reads an operation.
pub(super) fn parse(parser: &mut Parser<'_>) -> Result<OperationSyntax> {
    let results = match parser.peek() {
        TokenKind::Value(_) => {
            let results = parser.items(Parser::value)?;
            parser.mark('=')?;
            results
        }
        _ => Vec::new(),
    };
    let draft = Draft::parse(parser)?;
    let position = parser.position();
    let types = match parser.eat_mark(':') {
        true => parser.items(Parser::tensor_type)?,
        false => Vec::new(),
    };
    if types.len() != results.len() {
        let (results, types) = (results.len(), types.len());
        return Err(position.error(format!("{results} results have {types} types")));
    }
    let mut regions = Vec::new();
    while parser.eat_word("region") {
        regions.push(nested(parser)?);
    }
    let (operation, operands) = draft.finish(types.first())?;
    Ok(OperationSyntax {
        operation,
        operands,
        results: results.into_iter().zip(types).collect(),
        regions,
    })
}

fn nested(parser: &mut Parser<'_>) -> Result<RegionSyntax> {
    parser.mark('(')?;
    let parameters = parser.list(')', Parser::typed_value)?;
    parser.mark('{')?;
    parser.region(parameters)
}

/// What stands before the types of the results, on which attributes depend.
struct Draft {
    name: At<String>,
    symbol: Option<At<String>>,
    data: Option<DataSyntax>,
    operands: Vec<At<usize>>,
    attributed: Option<Op>,
    lists: Lists,
    explicit: Explicit,
}

/// The axes and sizes of an operation.
#[derive(Default)]
struct Lists {
    /// Axes, steps and counts.
    numbers: [Vec<usize>; 4],
    /// Sizes and places.
    extents: [Vec<Extent>; 2],
}

/// What stands behind `as`.
enum Explicit {
    Nothing,
    DType(DType),
    Shape(Shape),
    Type(TensorType),
    Signature(Vec<TensorType>, Vec<TensorType>),
}

impl Draft {
    fn parse(parser: &mut Parser<'_>) -> Result<Self> {
        let position = parser.position();
        let item = parser.word("an operation or `return`")?;
        let name = At { position, item };
        let symbol = match name.item.as_str() {
            "call" | "global_load" | "global_store" | "trace" | "assert" => Some(parser.symbol()?),
            _ => None,
        };
        let data = match name.item.as_str() {
            "constant" => Some(parser.data()?),
            _ => None,
        };
        let operands = match parser.peek() {
            TokenKind::Value(_) if !parser.at_results() => parser.items(Parser::value)?,
            _ => Vec::new(),
        };
        Ok(Self {
            attributed: attributed::parse(parser, &name.item)?,
            lists: lists(parser, &name.item)?,
            explicit: Explicit::parse(parser)?,
            name,
            symbol,
            data,
            operands,
        })
    }

    fn finish(self, result: Option<&TensorType>) -> Result<(OpSyntax, Vec<At<usize>>)> {
        let operation = match (self.symbol, self.data) {
            (Some(text), _) if matches!(self.name.item.as_str(), "trace" | "assert") => {
                self.explicit.nothing(&self.name)?;
                OpSyntax::Known(observed(&self.name.item, text.item, &self.lists))
            }
            (Some(symbol), _) => reference(&self.name, symbol, self.explicit)?,
            (None, Some(data)) => {
                let ty = self.explicit.ty(&self.name, result)?;
                OpSyntax::Known(Op::Constant(data.constant(ty)?))
            }
            (None, None) => {
                let op = match self.attributed {
                    Some(op) => self.explicit.nothing(&self.name).map(|()| op)?,
                    None => plain(&self.name, self.lists, self.explicit, result)?,
                };
                OpSyntax::Known(op)
            }
        };
        Ok((operation, self.operands))
    }
}

/// Reads the axes and sizes of an operation.
fn lists(parser: &mut Parser<'_>, name: &str) -> Result<Lists> {
    let mut lists = Lists::default();
    let [first, second, third, fourth] = &mut lists.numbers;
    let [start, limit] = &mut lists.extents;
    match name {
        "iota" | "arg_maximum" | "arg_minimum" | "concatenate" => {
            parser.keyword("axis")?;
            first.push(parser.count()?);
        }
        "trace" | "assert" => {
            parser.keyword("site")?;
            first.push(parser.count()?);
        }
        "transpose" => *first = list_behind(parser, "permutation", Parser::count)?,
        "size" => *start = list_behind(parser, "of", Parser::extent)?,
        "slice" => {
            *start = list_behind(parser, "start", Parser::extent)?;
            *limit = list_behind(parser, "limit", Parser::extent)?;
            *first = list_behind(parser, "stride", Parser::count)?;
        }
        "dynamic_slice" => *start = list_behind(parser, "sizes", Parser::extent)?,
        "dot_general" => {
            *first = list_behind(parser, "batch", Parser::count)?;
            *second = list_behind(parser, "x", Parser::count)?;
            *third = list_behind(parser, "contract", Parser::count)?;
            *fourth = list_behind(parser, "x", Parser::count)?;
        }
        _ if name == "broadcast" || reduce_kind(name).is_some() => {
            *first = list_behind(parser, "axes", Parser::count)?;
        }
        _ => {}
    }
    Ok(lists)
}

fn list_behind<'t, T>(
    parser: &mut Parser<'t>,
    keyword: &str,
    item: fn(&mut Parser<'t>) -> Result<T>,
) -> Result<Vec<T>> {
    parser.keyword(keyword)?;
    parser.mark('[')?;
    parser.list(']', item)
}

impl Explicit {
    fn parse(parser: &mut Parser<'_>) -> Result<Self> {
        if !parser.eat_word("as") {
            return Ok(Self::Nothing);
        }
        if parser.eat_mark('[') {
            let dims: Vec<Dim> = parser.list(']', Parser::dim)?;
            return Ok(Self::Shape(Shape::new(dims)));
        }
        if parser.eat_mark('(') {
            let parameters = parser.list(')', Parser::tensor_type)?;
            if !parser.eat(&TokenKind::Arrow) {
                return parser.expected("`->`");
            }
            parser.mark('(')?;
            let results = parser.list(')', Parser::tensor_type)?;
            return Ok(Self::Signature(parameters, results));
        }
        match parser.peek() {
            TokenKind::Word(word) if word == "Tensor" => Ok(Self::Type(parser.tensor_type()?)),
            _ => Ok(Self::DType(parser.dtype()?)),
        }
    }

    fn nothing(&self, name: &At<String>) -> Result<()> {
        match self {
            Self::Nothing => Ok(()),
            _ => Err(wrong(name)),
        }
    }

    fn ty(self, name: &At<String>, result: Option<&TensorType>) -> Result<TensorType> {
        match (self, result) {
            (Self::Type(ty), _) => Ok(ty),
            (Self::Nothing, Some(ty)) => Ok(ty.clone()),
            _ => Err(wrong(name)),
        }
    }

    fn shape(self, name: &At<String>, result: Option<&TensorType>) -> Result<Shape> {
        match (self, result) {
            (Self::Shape(shape), _) => Ok(shape),
            (Self::Nothing, Some(ty)) => Ok(ty.shape.clone()),
            _ => Err(wrong(name)),
        }
    }

    fn dtype(self, name: &At<String>, result: Option<&TensorType>) -> Result<DType> {
        match (self, result) {
            (Self::DType(dtype), _) => Ok(dtype),
            (Self::Nothing, Some(ty)) => Ok(ty.dtype),
            _ => Err(wrong(name)),
        }
    }
}

fn wrong(name: &At<String>) -> super::ParseError {
    let message = format!(
        "`{}` has another attribute, or none, behind `as`",
        name.item
    );
    name.position.error(message)
}

/// An operation that refers to a function or global.
fn reference(name: &At<String>, symbol: At<String>, explicit: Explicit) -> Result<OpSyntax> {
    let ty = match explicit {
        Explicit::Signature(parameters, results) if name.item == "call" => {
            let types = Some((parameters, results));
            return Ok(OpSyntax::Call {
                callee: symbol,
                types,
            });
        }
        Explicit::Nothing => None,
        Explicit::Type(ty) => Some(ty),
        _ => return Err(wrong(name)),
    };
    match (name.item.as_str(), ty) {
        ("global_load", ty) => Ok(OpSyntax::Load(symbol, ty)),
        ("global_store", ty) => Ok(OpSyntax::Store(symbol, ty)),
        (_, None) => Ok(OpSyntax::Call {
            callee: symbol,
            types: None,
        }),
        (_, Some(_)) => Err(wrong(name)),
    }
}

/// An operation that the host hears of.
fn observed(name: &str, text: String, lists: &Lists) -> Op {
    let [sites, ..] = &lists.numbers;
    let site = sites.first().copied().unwrap_or_default();
    let observation = Observation { text, site };
    match name {
        "trace" => Op::Trace(observation),
        _ => Op::Assert(observation),
    }
}

/// An operation that refers to nothing but its operands.
fn plain(
    name: &At<String>,
    lists: Lists,
    explicit: Explicit,
    result: Option<&TensorType>,
) -> Result<Op> {
    let [first, second, third, fourth] = lists.numbers;
    let [start, limit] = lists.extents;
    let axis = first.first().copied().unwrap_or_default();
    let op = match name.item.as_str() {
        "iota" => {
            let ty = explicit.ty(name, result)?;
            return Ok(Op::Iota(Iota { ty, axis }));
        }
        "convert" => return Ok(Op::Convert(explicit.dtype(name, result)?)),
        "bitcast" => return Ok(Op::Bitcast(explicit.dtype(name, result)?)),
        "broadcast" => {
            let (shape, axes) = (explicit.shape(name, result)?, first);
            return Ok(Op::Broadcast(Broadcast { shape, axes }));
        }
        "reshape" => return Ok(Op::Reshape(explicit.shape(name, result)?)),
        "transpose" => Op::Transpose(Transpose { permutation: first }),
        "dot_general" => {
            return Ok(Op::DotGeneral(DotGeneral {
                batch: (first, second),
                contract: (third, fourth),
                dtype: explicit.dtype(name, result)?,
            }));
        }
        "slice" => Op::Slice(Slice {
            start,
            limit,
            stride: first,
        }),
        "dynamic_slice" => {
            let sizes: Option<Vec<_>> = start.into_iter().map(Dim::from_extent).collect();
            let sizes = Shape::new(sizes.ok_or_else(|| wrong(name))?);
            Op::DynamicSlice(DynamicSlice { sizes })
        }
        "size" => {
            let extent = start.into_iter().next().ok_or_else(|| wrong(name))?;
            let dtype = explicit.dtype(name, result)?;
            return Ok(Op::Size(Size { extent, dtype }));
        }
        "dynamic_update_slice" => Op::DynamicUpdateSlice,
        "concatenate" => Op::Concatenate(axis),
        "if" => Op::If,
        "while" => Op::While,
        "select" => Op::Select,
        other => match family(other, axis, first) {
            Some(op) => op,
            None => {
                let message = format!("there is no operation `{other}`");
                return Err(name.position.error(message));
            }
        },
    };
    explicit.nothing(name)?;
    Ok(op)
}

/// An operation of a family, whose members have their names from the family.
fn family(name: &str, axis: usize, axes: Vec<usize>) -> Option<Op> {
    fn find<T: Copy>(all: &[T], name: &str, name_of: fn(T) -> &'static str) -> Option<T> {
        all.iter().copied().find(|item| name_of(*item) == name)
    }
    let arg = [ExtremumKind::Maximum, ExtremumKind::Minimum];
    None.or_else(|| find(Fourier::ALL, name, Fourier::name).map(Op::Fourier))
        .or_else(|| find(UnaryOp::ALL, name, UnaryOp::name).map(Op::Unary))
        .or_else(|| find(BinaryOp::ALL, name, BinaryOp::name).map(Op::Binary))
        .or_else(|| find(CompareOp::ALL, name, CompareOp::name).map(Op::Compare))
        .or_else(|| {
            let kind = find(&arg, name, ExtremumKind::name)?;
            Some(Op::ArgReduce(ArgReduce { kind, axis }))
        })
        .or_else(|| {
            let kind = reduce_kind(name)?;
            Some(Op::Reduce(Reduce { kind, axes }))
        })
}

fn reduce_kind(name: &str) -> Option<ReduceKind> {
    let mut all = ReduceKind::ALL.iter().copied();
    all.find(|kind| kind.name() == name)
}
