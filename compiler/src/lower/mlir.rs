//! Functions that are written as MLIR. Their text goes into that of the module as it is.

use super::{
    Lowering,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    structure,
};
use crate::span::SpanId;
use iree_abi::TensorType;
use iree_dsl_ir::{
    Module,
    op::{Mlir, Op, mlir_type},
};

/// A function that is written as MLIR.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    /// Its name in the module.
    pub symbol: String,
    /// Where the text stands in the user's source.
    pub span: SpanId,
    op: &'a Mlir,
    parameters: Vec<TensorType>,
}

impl Text<'_> {
    /// The function, to stand in a module.
    pub fn function(&self) -> String {
        format!("{} {{\n{}\n  }}\n", self.header("private"), self.op.text)
    }

    /// A module with nothing else in it.
    pub fn module(&self) -> String {
        let function = self.function();
        let function = function.replacen("private", "public", 1);
        format!("module {{\n{function}}}\n")
    }

    /// The line of the text that a line of a module is that has the function. Both count from one.
    pub fn line(&self, module: &str, line: usize) -> Option<usize> {
        let name = format!("@{}(", self.symbol);
        let starts = |line: &str| {
            let function = line.trim_start().strip_prefix("func.func ");
            function.is_some_and(|function| {
                let mut words = function.split(' ');
                words.nth(1).is_some_and(|word| word.starts_with(&name))
            })
        };
        let header = module.lines().position(starts)? + 1;
        let line = line.checked_sub(header).filter(|line| *line > 0)?;
        (line <= self.op.text.split('\n').count()).then_some(line)
    }

    fn header(&self, visibility: &str) -> String {
        let arguments = self.op.arguments.iter().zip(&self.parameters);
        let arguments = arguments.map(|(name, ty)| format!("%{name}: {}", mlir_type(ty)));
        let arguments: Vec<_> = arguments.collect();
        let results: Vec<_> = self.op.results.iter().map(mlir_type).collect();
        format!(
            "  func.func {visibility} @{}({}) -> ({})",
            self.symbol,
            arguments.join(", "),
            results.join(", ")
        )
    }
}

/// The functions of a module that are written as MLIR, each once.
pub fn texts(module: &Module) -> Vec<Text<'_>> {
    let mut texts: Vec<Text<'_>> = Vec::new();
    for (_, function) in module.functions.iter() {
        for (_, operation) in function.operations.iter() {
            let Op::Mlir(op) = &operation.op else {
                continue;
            };
            let parameters = function.types(&operation.operands).unwrap_or_default();
            if find(&texts, op, &parameters).is_some() {
                continue;
            }
            // No function of the language has a point in its name.
            let base = format!("{}.mlir", function.name);
            let same = texts.iter().filter(|text| text.symbol.starts_with(&base));
            let symbol = match same.count() {
                0 => base,
                count => format!("{base}_{}", count + 1),
            };
            texts.push(Text {
                symbol,
                span: operation.span,
                op,
                parameters,
            });
        }
    }
    texts
}

fn find<'t, 'a>(texts: &'t [Text<'a>], op: &Mlir, types: &[TensorType]) -> Option<&'t Text<'a>> {
    let mut texts = texts.iter();
    texts.find(|text| text.op == op && text.parameters == types)
}

pub(super) fn lower<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &Mlir,
    operands: &[Tensor<'c, 'b>],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let types: Vec<_> = operands.iter().map(|operand| operand.ty.clone()).collect();
    let text = find(&lowering.texts, op, &types);
    let text = text.ok_or(LowerCause::Lost("a function written as MLIR"))?;
    let results = structure::call_unresolved(emitter, &text.symbol, operands, op.results.clone())?;
    for result in &results {
        emitter.require_sizes(result)?;
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::types;
    use iree_abi::DType;
    use iree_dialects::prelude::Location;
    use iree_dsl_ir::text;

    #[test]
    fn types_are_spelled_as_mlir_does() {
        let context = iree_dialects::context();
        for dtype in DType::ALL {
            for shape in [&[][..], &[3, 4]] {
                let ty = TensorType::new(dtype, shape);
                let location = Location::unknown(&context);
                let spelled = types::tensor(&context, &ty, location).expect("a type");
                assert_eq!(mlir_type(&ty), spelled.to_string());
            }
        }
    }

    #[test]
    fn lines_of_texts_are_found_in_modules() {
        let module = text::parse(
            "module @m {
               func public @f(%0: Tensor<f32>) -> Tensor<f32> {
                 %1 = mlir %0 arguments [x] results [Tensor<f32>] text \"return %x\n: tensor<f32>\" : Tensor<f32>
                 %2 = mlir %1 arguments [x] results [Tensor<f32>] text \"return %x\n: tensor<f32>\" : Tensor<f32>
                 %3 = mlir %2 arguments [y] results [Tensor<f32>] text \"return %y\n: tensor<f32>\" : Tensor<f32>
                 return %3
               }
             }",
        );
        let module = module.expect("it is a module");
        let texts = texts(&module);
        let symbols: Vec<_> = texts.iter().map(|text| text.symbol.as_str()).collect();
        assert_eq!(symbols, ["f.mlir", "f.mlir_2"]);
        let alone = texts[1].module();
        let lines: Vec<_> = (0..8).map(|line| texts[1].line(&alone, line)).collect();
        let found = [None, None, None, Some(1), Some(2), None, None, None];
        assert_eq!(lines, found);
        assert_eq!(texts[0].line(&alone, 3), None);
    }
}
