//! Functions of the host.

use super::{
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{FunctionSignature, Leaf, Parameter, TensorType, join_path};
use iree_dsl_ir::{
    FunctionId, Linkage, Module,
    op::{Effect, Import, Op},
};
use std::collections::{BTreeMap, BTreeSet};

impl Tracer<'_> {
    /// The value of a function of the host, whose parameters are bound.
    pub(crate) fn import_body(&mut self, function: &ast::Function) -> Value {
        let ty = self.frame.result.clone();
        let Some(results) = self.import_results(function, &ty) else {
            return Value::POISON;
        };
        let Some((names, operands)) = self.import_arguments(function) else {
            return Value::POISON;
        };
        let import = Import {
            name: function.name.name.clone(),
            names,
            parameters: operands.iter().map(|tensor| tensor.ty.clone()).collect(),
            results,
        };
        let span = self.opaque_span(function.span);
        self.emit_tree(Op::Import(import), &operands, &ty, span)
    }

    fn import_results(&mut self, function: &ast::Function, ty: &Type) -> Option<Vec<TensorType>> {
        let span = function.result.as_ref().map_or(function.span, |ty| ty.span);
        let leaves = ty.leaves();
        let types = leaves.iter().map(|(_, leaf)| match leaf {
            TypeLeaf::Tensor(ty) if ty.shape.known().is_some() => Some(ty.clone()),
            _ => None,
        });
        let types: Option<Vec<_>> = types.collect();
        if types.is_none() && *ty != Type::POISON {
            self.not_of_the_host("returns", &ty.to_string(), span);
        }
        types
    }

    fn import_arguments(&mut self, function: &ast::Function) -> Option<(Vec<String>, Vec<Tensor>)> {
        let (mut names, mut operands) = (Vec::new(), Vec::new());
        for parameter in &function.parameters {
            let span = parameter.pattern.span;
            let Some(name) = parameter.name() else {
                let message = "a parameter of a function of the host needs a name";
                self.error(Code::Unsupported, span, message);
                return None;
            };
            let binding = self.frame.scopes.get(name);
            let value = binding.and_then(|binding| binding.value.clone())?;
            for (path, leaf) in value.leaves() {
                match leaf {
                    ValueLeaf::Tensor(tensor) if tensor.ty.shape.known().is_some() => {
                        names.push(join_path(name, &path));
                        operands.push(tensor.clone());
                    }
                    ValueLeaf::Poison => return None,
                    _ => {
                        self.not_of_the_host("takes", &value.ty().to_string(), span);
                        return None;
                    }
                }
            }
        }
        Some((names, operands))
    }

    fn not_of_the_host(&mut self, does: &str, found: &str, span: SpanId) {
        let message =
            format!("a function of the host {does} tensors of known sizes, found `{found}`");
        let diagnostic = Diagnostic::new(Code::Unsupported, span, message);
        self.report(diagnostic.help("write numbers or constants for the sizes"));
    }

    /// The functions of the host that the program calls.
    pub(crate) fn imports(&self) -> Vec<FunctionSignature> {
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for (id, function) in self.ir.functions.iter() {
            if function.linkage == Linkage::Public {
                collect(&self.ir, id, &mut seen, &mut found);
            }
        }
        found.into_values().collect()
    }
}

/// Adds what a function and those that it calls import.
fn collect(
    module: &Module,
    id: FunctionId,
    seen: &mut BTreeSet<FunctionId>,
    found: &mut BTreeMap<String, FunctionSignature>,
) {
    let Some(function) = module.functions.get(id).filter(|_| seen.insert(id)) else {
        return;
    };
    for (_, operation) in function.operations.iter() {
        match operation.op.effect() {
            Effect::CallsHost(import) => {
                found.insert(import.name.clone(), signature(import));
            }
            Effect::Calls(call) => collect(module, call.callee, seen, found),
            Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Regions => {}
            Effect::Shows(_) | Effect::Checks(_) | Effect::Foreign(_) => {}
        }
    }
}

fn signature(import: &Import) -> FunctionSignature {
    let leaf = |ty: &TensorType| Leaf {
        path: String::new(),
        ty: ty.clone(),
    };
    let parameters = import.names.iter().zip(&import.parameters);
    FunctionSignature {
        name: import.name.clone(),
        parameters: parameters
            .map(|(name, ty)| Parameter {
                name: name.clone(),
                leaves: vec![leaf(ty)],
            })
            .collect(),
        results: import.results.iter().map(leaf).collect(),
        requirements: Vec::new(),
    }
}
