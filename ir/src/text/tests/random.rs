use crate::{
    Constant, ConstantData, Function, Global, GlobalInit, Linkage, Module, Operation,
    ParameterName, Value, ValueId,
    op::{
        ArgReduce, ArgSort, BinaryOp, Broadcast, Call, CompareOp, Convolution, Cumulate,
        DotGeneral, ExtremumKind, Fourier, Gather, GlobalAccess, Iota, Mlir, Op, Pad, Reduce,
        ReduceKind, ReduceWindow, Scatter, ScatterKind, Slice, Solve, Transpose, UnaryOp,
        WindowKind, WindowStep,
    },
    span::SpanId,
    text::parse,
    verify::verify,
};
use iree_abi::{DType, Extent, Shape, TensorType};
use proptest::prelude::*;

/// Random numbers that choices are made with.
#[derive(Clone, Debug)]
struct Choices {
    numbers: Vec<u8>,
    next: usize,
}

impl Choices {
    fn below(&mut self, end: usize) -> usize {
        let number = self.numbers.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        usize::from(number) % end.max(1)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn shape(&mut self) -> Shape {
        let rank = self.below(4);
        let sizes: Vec<_> = (0..rank).map(|_| self.below(4)).collect();
        Shape::from(sizes.as_slice())
    }

    fn ty(&mut self) -> TensorType {
        TensorType::new(self.one(&DType::ALL), self.shape())
    }

    fn constant(&mut self, ty: &TensorType) -> Constant {
        let sizes = ty.shape.known().expect("the sizes are known");
        let size = ty.dtype.size();
        let splat = self.below(2) == 0;
        let count = if splat { 1 } else { sizes.iter().product() };
        let bytes = (0..size * count).map(|_| self.below(256) as u8).collect();
        let data = match splat {
            true => ConstantData::Splat(bytes),
            false => ConstantData::Dense(bytes),
        };
        Constant {
            ty: ty.clone(),
            data,
        }
    }

    fn axes(&mut self) -> Vec<usize> {
        (0..self.below(4)).map(|_| self.below(4)).collect()
    }
}

/// A module of random globals and functions, whose operations are those that happen to be valid.
fn module(choices: &mut Choices) -> Module {
    let mut module = Module::new(choices.one(&["m", "a.b", "with \"quotes\"", "ünïcode"]));
    for index in 0..choices.below(4) {
        let ty = choices.ty();
        let init = match choices.below(3) {
            0 => GlobalInit::Uninitialized,
            1 => GlobalInit::Parameter(ParameterName {
                scope: choices.one(&["model", "a b"]).to_owned(),
                key: format!("{}.{index}", choices.one(&["layers", "with \"quotes\""])),
            }),
            _ => GlobalInit::Constant(choices.constant(&ty)),
        };
        module.globals.push(Global {
            name: format!("g.{index}"),
            ty,
            mutable: choices.below(2) == 0,
            init,
            span: SpanId::CALL_SITE,
        });
    }
    for index in 0..=choices.below(3) {
        let function = function(choices, &module, format!("f{index}"));
        let init = initialised_by(&function);
        let id = module.functions.push(function);
        if let Some(ty) = init {
            module.globals.push(Global {
                name: format!("made.{index}"),
                ty,
                mutable: false,
                init: GlobalInit::Function(id, 0),
                span: SpanId::CALL_SITE,
            });
        }
    }
    module
}

/// The type of the global that a function can initialise.
fn initialised_by(function: &Function) -> Option<TensorType> {
    let pure = |op: &Op| !matches!(op, Op::GlobalLoad(_) | Op::GlobalStore(_) | Op::Call(_));
    let mut operations = function.operations.iter();
    let alone = function.body.parameters.is_empty() && operations.all(|(_, step)| pure(&step.op));
    let first = function.body.results.first().filter(|_| alone)?;
    function.ty(*first).cloned()
}

fn function(choices: &mut Choices, module: &Module, name: String) -> Function {
    let linkage = choices.one(&[Linkage::Public, Linkage::Private]);
    let mut function = Function::new(name, linkage, SpanId::CALL_SITE);
    let mut values = Vec::new();
    for _ in 0..choices.below(3) {
        let ty = choices.ty();
        let value = function.values.push(Value { ty });
        function.body.parameters.push(value);
        let name = choices.one(&["x", "params.0.w", "", "a b"]);
        function.parameter_names.push(name.to_owned());
        values.push(value);
    }
    for _ in 0..choices.below(24) {
        let operands: Vec<ValueId> = match values.len() {
            0 => Vec::new(),
            count => (0..choices.below(4))
                .map(|_| values[choices.below(count)])
                .collect(),
        };
        let types = function.types(&operands).expect("the values exist");
        let op = operation(choices, module, &types);
        let Ok(results) = op.infer(&types, &[]) else {
            continue;
        };
        let results = results
            .into_iter()
            .map(|ty| function.values.push(Value { ty }));
        let results: Vec<_> = results.collect();
        values.extend(&results);
        let step = function.operations.push(Operation {
            op,
            operands,
            results,
            regions: Vec::new(),
            span: SpanId::CALL_SITE,
        });
        function.body.operations.push(step);
    }
    for _ in 0..choices.below(3).min(values.len()) {
        let result = choices.one(&values);
        function.body.results.push(result);
    }
    function
}

fn operation(choices: &mut Choices, module: &Module, operands: &[TensorType]) -> Op {
    let operand = operands.first().cloned().unwrap_or_else(|| choices.ty());
    let rank = operand.shape.rank();
    match choices.below(30) {
        0 => {
            let ty = choices.ty();
            Op::Constant(choices.constant(&ty))
        }
        1 => Op::Iota(Iota {
            ty: choices.ty(),
            axis: choices.below(3),
        }),
        2 => Op::Unary(choices.one(UnaryOp::ALL)),
        3 | 4 => Op::Binary(choices.one(BinaryOp::ALL)),
        5 => Op::Compare(choices.one(CompareOp::ALL)),
        6 => Op::Select,
        7 => Op::Convert(choices.one(&DType::ALL)),
        8 => Op::Broadcast(Broadcast {
            shape: choices.shape(),
            axes: (0..rank).collect(),
        }),
        9 => Op::Reshape(choices.shape()),
        10 => Op::Transpose(Transpose {
            permutation: (0..rank).rev().collect(),
        }),
        11 => Op::DotGeneral(DotGeneral {
            batch: (Vec::new(), Vec::new()),
            contract: (Vec::new(), Vec::new()),
            dtype: choices.one(&[operand.dtype, DType::F64]),
        }),
        12 => Op::Reduce(Reduce {
            kind: choices.one(ReduceKind::ALL),
            axes: choices.axes(),
        }),
        13 => Op::ArgReduce(ArgReduce {
            kind: choices.one(&[ExtremumKind::Maximum, ExtremumKind::Minimum]),
            axis: choices.below(3),
        }),
        14 => Op::Slice(Slice {
            start: vec![Extent::from(0); rank],
            limit: vec![Extent::from(choices.below(3)); rank],
            stride: vec![1 + choices.below(2); rank],
        }),
        15 => Op::Concatenate(choices.below(3)),
        16 => Op::Pad(Pad {
            low: vec![choices.below(3) as i64 - 1; rank],
            high: vec![choices.below(3) as i64; rank],
            interior: vec![choices.below(2); rank],
        }),
        17 => Op::Reverse(choices.axes()),
        18 => Op::Fourier(choices.one(Fourier::ALL)),
        19 => Op::ReduceWindow(ReduceWindow {
            kind: choices.one(WindowKind::ALL),
            sizes: vec![1 + choices.below(2); rank],
            steps: (0..rank).map(|_| step(choices)).collect(),
        }),
        20 => Op::Convolution(Convolution {
            steps: (2..rank).map(|_| step(choices)).collect(),
            groups: 1 + choices.below(2),
            input: (0..rank).collect(),
            kernel: (0..rank).rev().collect(),
            output: (0..rank).collect(),
        }),
        21 => Op::Gather(Gather {
            axes: choices.axes(),
        }),
        22 => Op::Scatter(Scatter {
            kind: choices.one(ScatterKind::ALL),
            axes: choices.axes(),
        }),
        23 => Op::ArgSort(ArgSort {
            axis: choices.below(3),
            descending: choices.one(&[false, true]),
        }),
        24 => Op::Cumulate(Cumulate {
            kind: choices.one(Cumulate::KINDS),
            axis: choices.below(3),
        }),
        25 => Op::Mlir(Mlir {
            text: choices
                .one(&["", "return", "%1 = \"a\\nb\"\n  return"])
                .to_owned(),
            arguments: (0..operands.len()).map(|at| format!("x.{at} y")).collect(),
            results: (0..choices.below(3)).map(|_| choices.ty()).collect(),
        }),
        26 => Op::Cholesky,
        27 => Op::Solve(choices.one(Solve::ALL)),
        28 => call(choices, module).unwrap_or(Op::DynamicUpdateSlice),
        _ => access(choices, module).unwrap_or(Op::Select),
    }
}

fn step(choices: &mut Choices) -> WindowStep {
    let mut count = || 1 + choices.below(2);
    WindowStep {
        stride: count(),
        dilation: count(),
        input_dilation: count(),
        padding: (count() as i64 - 2, count() as i64),
    }
}

fn call(choices: &mut Choices, module: &Module) -> Option<Op> {
    let functions: Vec<_> = module.functions.iter().collect();
    let (callee, function) = functions.get(choices.below(functions.len()))?;
    Some(Op::Call(Call {
        callee: *callee,
        parameters: function.types(&function.body.parameters)?,
        results: function.types(&function.body.results)?,
    }))
}

fn access(choices: &mut Choices, module: &Module) -> Option<Op> {
    let globals: Vec<_> = module.globals.iter().collect();
    let (id, global) = globals.get(choices.below(globals.len()))?;
    let access = GlobalAccess {
        global: *id,
        ty: global.ty.clone(),
    };
    match choices.below(2) {
        0 if global.mutable => Some(Op::GlobalStore(access)),
        _ => Some(Op::GlobalLoad(access)),
    }
}

fn any_module() -> impl Strategy<Value = Module> {
    let numbers = prop::collection::vec(any::<u8>(), 0..600);
    numbers.prop_map(|numbers| module(&mut Choices { numbers, next: 0 }))
}

/// A text with some of its parts removed, repeated or replaced.
fn damaged(text: &str, damages: &[(usize, usize, char)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (place, length, character) in damages {
        let start = place % (characters.len() + 1);
        let end = (start + length % 5).min(characters.len());
        let replacement = match length % 3 {
            0 => characters[start..end].repeat(2),
            1 => vec![*character],
            _ => Vec::new(),
        };
        characters.splice(start..end, replacement);
    }
    characters.into_iter().collect()
}

proptest! {
    #[test]
    fn random_modules_read_back(module in any_module()) {
        let text = module.to_string();
        prop_assert_eq!(parse(&text), Ok(module.clone()), "{}", text);
        prop_assert!(verify(module).is_ok(), "{}", text);
    }

    #[test]
    fn damaged_text_is_an_error_or_another_module(
        module in any_module(),
        damages in prop::collection::vec((any::<usize>(), 0_usize..20, any::<char>()), 1..6),
    ) {
        for text in [module.to_string().as_str(), super::EVERYTHING] {
            let text = damaged(text, &damages);
            if let Ok(module) = parse(&text) {
                prop_assert_eq!(parse(&module.to_string()), Ok(module));
            }
        }
    }
}
