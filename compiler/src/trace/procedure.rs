//! Procedures: exported ones become functions of the module, all become part of their callers.

use super::{
    builder::FunctionBuilder,
    frame::{Frame, Identity},
    function::Written,
    generics::Generics,
    requirements,
    size::told_sizes,
    statics::StaticType,
    tracer::Tracer,
    types::{GenericValue, Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, FunctionKind, GenericKind, Receiver, Visibility},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{
    DType, Dim, Extent, FunctionSignature, Leaf, Parameter, Requirement, Shape, TensorType,
};
use iree_dsl_ir::{GlobalId, Linkage};

impl Tracer<'_> {
    /// Traces every procedure. Those that are not exported are traced on their own too, so that their
    /// mistakes are found without a caller, and are not kept.
    pub(crate) fn procedures(&mut self) -> Vec<FunctionSignature> {
        let ast = self.ast;
        let mut signatures = Vec::new();
        for (index, procedure) in ast.procedures.iter().enumerate() {
            let exported = procedure.visibility == Visibility::Exported;
            let signature = self.procedure(index, procedure, exported);
            if exported {
                signatures.extend(signature);
            }
        }
        self.check_uninitialized();
        signatures
    }

    /// Reports a program that does nothing: no procedure can be called, and there is no state.
    pub(crate) fn check_callable(&mut self) {
        let ast = self.ast;
        let Some(program) = ast.program.as_ref().filter(|it| it.globals.is_empty()) else {
            return;
        };
        let mut procedures = ast.procedures.iter();
        if self.error_count() > 0 || procedures.any(|it| it.visibility == Visibility::Exported) {
            return;
        }
        let name = ast.procedures.first().map_or(&program.name, |it| &it.name);
        let message = format!(
            "nothing of the program `{}` can be called",
            program.name.name
        );
        let help = match ast.procedures.is_empty() {
            true => {
                "write a procedure: `pub fn f(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> { … }`"
            }
            false => "make it a procedure that the host calls: `pub fn`",
        };
        self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
    }

    fn procedure(
        &mut self,
        index: usize,
        procedure: &ast::Function,
        exported: bool,
    ) -> Option<FunctionSignature> {
        if !exported && procedure.generics.iter().any(is_type) {
            // Its element types follow from a call.
            return None;
        }
        let before = self.error_count();
        let generics = self.run_time_generics(procedure);
        let (types, result) = self.boundary_types(procedure, &generics);
        self.check_told(procedure, &types);
        let linkage = match exported {
            true => Linkage::Public,
            false => Linkage::Private,
        };
        let name = procedure.name.name.as_str();
        let builder = FunctionBuilder::new(name, linkage, procedure.span);
        let identity = Identity::Procedure(index);
        let kept = self.ir.functions.len();
        let (value, builder) = self.in_function(builder, |tracer| {
            let (generics, result) = (generics.clone(), result.clone());
            let frame = Frame::of(identity, procedure, generics, result, SpanId::CALL_SITE);
            let parameters = procedure.parameters.iter().zip(&types);
            let arguments = parameters.map(|(parameter, ty)| tracer.parameter_value(parameter, ty));
            let arguments = arguments.collect();
            tracer.run(frame, procedure, arguments)
        });
        // What was reported for another procedure, such as a kernel that both call, is not told again.
        if value.is_poisoned() && self.error_count() == 0 {
            let message = format!("internal error: tracing lost the result of `{name}`");
            self.error(Code::Internal, procedure.name.span, message);
        }
        let failed = self.error_count() > before || value.is_poisoned();
        let result = match failed {
            true => result,
            false => value.ty(),
        };
        let mut requirements = Vec::new();
        if !failed && exported {
            requirements = self.keep(value, builder);
        } else if !exported {
            let stored = builder.stored();
            self.mark_stored(&stored);
            self.forget_functions_from(kept);
        }
        let mut signature = signature(procedure, &types, &result);
        signature.requirements = requirements;
        Some(signature)
    }

    /// Keeps a function, and returns what must hold of the sizes in its calls.
    fn keep(&mut self, value: Value, mut builder: FunctionBuilder) -> Vec<Requirement> {
        let required = std::mem::take(&mut builder.requirements);
        let Ok((function, stored)) = self.finished(builder, &value.tensors()) else {
            return Vec::new();
        };
        self.mark_stored(&stored);
        let requirements = requirements::of(&function, required);
        self.ir.functions.push(function);
        requirements
    }

    fn mark_stored(&mut self, globals: &[GlobalId]) {
        for global in globals {
            if let Some(global) = self.ir.globals.get_mut(*global) {
                global.mutable = true;
            }
        }
    }

    /// The dimensions of a procedure that is called from the host: each is a size with its name.
    fn run_time_generics(&mut self, procedure: &ast::Function) -> Generics {
        let mut generics = Generics::default();
        for generic in &procedure.generics {
            let name = &generic.name.name;
            let value = match generic.kind {
                GenericKind::Dimension => GenericValue::Dimension(Extent::named(name)),
                // Reported where it is declared.
                GenericKind::Dimensions => GenericValue::Poison,
                GenericKind::Type(_) => {
                    let message = "an exported procedure has certain element types and trees";
                    let diagnostic = Diagnostic::new(Code::Unsupported, generic.name.span, message);
                    self.report(diagnostic.help(
                        "only dimensions can be generic here: `const N: usize`; kernels can be generic over types",
                    ));
                    GenericValue::Poison
                }
            };
            generics.bind(name, value);
        }
        generics
    }

    /// The types of the parameters, where each `_` is a size of its own, and of the result.
    fn boundary_types(
        &mut self,
        procedure: &ast::Function,
        generics: &Generics,
    ) -> (Vec<Type>, Type) {
        let mut frame = Frame::outermost(procedure.module);
        frame.generics = generics.clone();
        self.in_frame(frame, |tracer| {
            let parameters = procedure.parameters.iter().enumerate();
            let parameters = parameters.map(|(index, parameter)| {
                let ty = tracer.resolve(&parameter.ty);
                let ty = tracer.check_boundary(ty, parameter.ty.span);
                with_own_sizes(&ty, parameter, index)
            });
            let parameters = parameters.collect();
            let result = match &procedure.result {
                Some(ty) => {
                    let resolved = tracer.resolve(ty);
                    tracer.check_boundary(resolved, ty.span)
                }
                None => Type::unit(),
            };
            (parameters, result)
        })
    }

    /// Reports dimensions that no argument tells.
    fn check_told(&mut self, procedure: &ast::Function, types: &[Type]) {
        if types.iter().any(Type::is_poisoned) {
            return;
        }
        let tensors: Vec<_> = types.iter().flat_map(Type::tensors).collect();
        let told = told_sizes(&tensors);
        for generic in procedure
            .generics
            .iter()
            .filter(|generic| !is_type(generic))
        {
            let name = &generic.name.name;
            if !told.contains(name) {
                let mut extents = tensors.iter().filter_map(|ty| ty.shape.extents()).flatten();
                let help = match extents.any(|extent| extent.names().contains(&name.as_str())) {
                    true => format!(
                        "a dimension tells a size if it is that size times a number, plus numbers and sizes that are known, as `{{ 8 * {name} + 1 }}`"
                    ),
                    false => {
                        format!("use it for a dimension of a parameter: `Tensor<f32, {name}>`")
                    }
                };
                let message = format!("no argument tells what `{name}` is");
                let diagnostic = Diagnostic::new(Code::CannotInfer, generic.name.span, message);
                self.report(diagnostic.help(help));
            }
        }
    }

    /// Refuses what cannot cross the boundary of the program.
    fn check_boundary(&mut self, ty: Type, span: SpanId) -> Type {
        if ty.is_run_time() {
            return ty;
        }
        let message =
            format!("a procedure takes and returns tensors and trees of tensors, found `{ty}`");
        let diagnostic = Diagnostic::new(Code::UnknownType, span, message);
        let leaves = ty.leaves();
        let number = leaves.into_iter().find_map(|(_, leaf)| match leaf {
            TypeLeaf::Static(element) => Some(*element),
            _ => None,
        });
        self.report(match number {
            Some(number) => diagnostic.help(scalar_help(number)),
            None => diagnostic,
        });
        Type::POISON
    }

    fn parameter_value(&mut self, parameter: &ast::Parameter, ty: &Type) -> Value {
        ty.map_with_path(&mut |path, leaf| match leaf {
            TypeLeaf::Tensor(ty) => self.builder.parameter_leaf(parameter, path, ty),
            _ => ValueLeaf::Poison,
        })
    }

    /// The value of `self.name(arguments)`: the procedure becomes part of its caller.
    pub(crate) fn call_procedure(
        &mut self,
        index: usize,
        procedure: &ast::Function,
        call: &Written<'_>,
    ) -> Value {
        let FunctionKind::Procedure(receiver) = procedure.kind else {
            return Value::POISON;
        };
        let name = &procedure.name.name;
        if receiver == Receiver::Exclusive && self.frame.receiver == Some(Receiver::Shared) {
            let message = format!(
                "cannot call `{name}`, which takes `&mut self`, from a procedure that takes `&self`"
            );
            let diagnostic = Diagnostic::new(Code::ImmutableStore, call.span, message);
            return self.report(diagnostic.help("take `&mut self`"));
        }
        let identity = Identity::Procedure(index);
        let Some(entered) = self.enter(identity, procedure, call) else {
            return Value::POISON;
        };
        let (generics, result) = (entered.generics, entered.result);
        let frame = Frame::of(identity, procedure, generics, result, call.span);
        self.run(frame, procedure, entered.arguments)
    }
}

/// Whether a generic parameter is a type.
const fn is_type(generic: &ast::Generic) -> bool {
    matches!(generic.kind, GenericKind::Type(_) | GenericKind::Dimensions)
}

/// The type with a size of its own, which is named after its place, for each `_`.
fn with_own_sizes(ty: &Type, parameter: &ast::Parameter, index: usize) -> Type {
    let root = match parameter.name() {
        Some(name) => name.to_owned(),
        None => format!("argument{index}"),
    };
    ty.map_with_path(&mut |path, leaf| {
        let TypeLeaf::Tensor(ty) = leaf else {
            return leaf.clone();
        };
        let dims = ty.shape.dims().iter().enumerate();
        let dims = dims.map(|(axis, dim)| match dim {
            Dim::Any => Dim::named(format!("{}.{axis}", iree_abi::join_path(&root, path))),
            dim => dim.clone(),
        });
        TypeLeaf::Tensor(TensorType::new(ty.dtype, Shape::new(dims.collect())))
    })
}

/// What to write instead of a number's type.
pub(crate) fn scalar_help(ty: StaticType) -> String {
    let element = ty.default_dtype().unwrap_or(DType::I64);
    format!("a scalar is a tensor without dimensions: `Tensor<{element}>`")
}

fn signature(procedure: &ast::Function, types: &[Type], result: &Type) -> FunctionSignature {
    let parameters = procedure.parameters.iter().zip(types);
    let parameters = parameters.map(|(parameter, ty)| Parameter {
        name: parameter.name().unwrap_or_default().to_owned(),
        leaves: leaves(ty),
    });
    FunctionSignature {
        name: procedure.name.name.clone(),
        parameters: parameters.collect(),
        results: leaves(result),
        requirements: Vec::new(),
    }
}

fn leaves(ty: &Type) -> Vec<Leaf> {
    let leaves = ty.leaves().into_iter();
    let tensors = leaves.filter_map(|(path, leaf)| match leaf {
        TypeLeaf::Tensor(ty) => Some(Leaf {
            path,
            ty: ty.clone(),
        }),
        _ => None,
    });
    tensors.collect()
}
