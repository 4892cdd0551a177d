//! Kernels: instantiated once for each combination of argument types and static arguments.

use super::{
    builder::FunctionBuilder,
    frame::{Flow, Frame, Identity},
    generics::Generics,
    procedure::argument_place,
    scope::Scopes,
    tracer::Tracer,
    tree::Tree,
    types::{GenericValue, Type, TypeLeaf},
    unify::Unify,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{self, GenericArgument, GenericKind, ModuleId},
    diagnostic::{Code, Diagnostic},
    ir::{FunctionId, Linkage},
    op::{Call, Op},
    span::SpanId,
};
use iree_abi::{DType, Requirement, TensorType};
use std::collections::{BTreeMap, BTreeSet};

/// The instances of kernels that exist so far.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    by_key: BTreeMap<Key, Instance>,
    names: BTreeSet<String>,
}

/// What distinguishes two instances.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kernel: usize,
    generics: String,
    arguments: String,
}

#[derive(Clone, Debug)]
enum Instance {
    /// The function, and the types of its result.
    Function(FunctionId, Type, Vec<Requirement>),
    /// Its mistakes were reported.
    Failed,
}

impl Instances {
    /// Forgets the instances whose functions come at or after this index.
    pub(crate) fn forget_from(&mut self, index: usize) {
        self.by_key.retain(|_, instance| match instance {
            Instance::Function(id, ..) => id.index() < index,
            Instance::Failed => true,
        });
    }

    /// Forgets the instances whose mistakes were taken back.
    pub(crate) fn forget_failures(&mut self) {
        self.by_key
            .retain(|_, instance| !matches!(instance, Instance::Failed));
    }

    /// Takes a name, so that nothing else gets it.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// A name that nothing else in the module has: `linear_f32_3x4`.
    pub(crate) fn fresh_name(&mut self, base: String) -> String {
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// A call of a kernel as written.
pub(crate) struct KernelCall<'c> {
    /// The kernel's index.
    pub(crate) index: usize,
    /// What stands between the angle brackets.
    pub(crate) generics: &'c [GenericArgument],
    /// The arguments.
    pub(crate) arguments: Vec<(Value, SpanId)>,
    /// The type that the result should have.
    pub(crate) expected: Option<&'c Type>,
    /// Where the kernel is named.
    pub(crate) span: SpanId,
}

/// What tells the generic parameters of a kernel or procedure at a call.
pub(crate) struct Written<'c> {
    /// What stands between the angle brackets.
    pub(crate) generics: &'c [GenericArgument],
    /// The arguments.
    pub(crate) arguments: &'c [(Value, SpanId)],
    /// The type that the result should have.
    pub(crate) expected: Option<&'c Type>,
    /// The call.
    pub(crate) span: SpanId,
}

impl Tracer<'_> {
    /// The value of a call of a kernel.
    pub(crate) fn call_kernel(&mut self, call: KernelCall<'_>) -> Value {
        let ast = self.ast;
        let Some(kernel) = ast.kernels.get(call.index) else {
            return Value::POISON;
        };
        let name = kernel.name.name.as_str();
        if self.refuse_recursion(Identity::Kernel(call.index), "kernel", name, call.span)
            || !self.check_argument_count(name, kernel.parameters.len(), &call.arguments, call.span)
        {
            return Value::POISON;
        }
        if call.arguments.iter().any(|(value, _)| value.is_poisoned()) {
            return Value::POISON;
        }
        let written = Written {
            generics: call.generics,
            arguments: &call.arguments,
            expected: call.expected,
            span: call.span,
        };
        let Some(generics) = self.infer_generics(kernel, &written) else {
            return Value::POISON;
        };
        let mut frame = Frame::outermost(kernel.module);
        frame.generics = generics.clone();
        let (types, result) = self.in_frame(frame, |tracer| tracer.function_types(kernel));
        let arguments = kernel.parameters.iter().zip(types).zip(call.arguments);
        let arguments = arguments.map(|((parameter, ty), (value, span))| {
            self.conform(value, &ty, span, &argument_place(parameter, name))
        });
        let arguments: Vec<_> = arguments.collect();
        if arguments.iter().any(Value::is_poisoned) {
            return Value::POISON;
        }
        if needs_caller(&generics, &arguments) {
            let frame = kernel_frame(call.index, kernel, generics, result, call.span);
            return self.inline_kernel(frame, kernel, arguments);
        }
        self.call_instance(call.index, kernel, generics, result, &arguments, call.span)
    }

    /// Traces a kernel into its caller: closures see the caller's values.
    fn inline_kernel(
        &mut self,
        frame: Frame,
        kernel: &ast::Function,
        arguments: Vec<Value>,
    ) -> Value {
        self.in_frame(frame, |tracer| {
            for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
                tracer.bind(&parameter.pattern, argument);
            }
            tracer.body(kernel)
        })
    }

    pub(crate) fn function_types(&mut self, kernel: &ast::Function) -> (Vec<Type>, Type) {
        let parameters = kernel.parameters.iter();
        let types = parameters
            .map(|parameter| self.resolve(&parameter.ty))
            .collect();
        let result = match &kernel.result {
            Some(ty) => self.resolve(ty),
            None => Type::unit(),
        };
        (types, result)
    }

    fn call_instance(
        &mut self,
        index: usize,
        kernel: &ast::Function,
        generics: Generics,
        result: Type,
        arguments: &[Value],
        span: SpanId,
    ) -> Value {
        let key = key(index, &generics, arguments);
        let instance = match self.instances.by_key.get(&key) {
            Some(instance) => instance.clone(),
            None => {
                let instance = self.instantiate(index, kernel, generics, result, arguments, span);
                self.instances.by_key.insert(key, instance.clone());
                instance
            }
        };
        match instance {
            Instance::Function(callee, result, requirements) => {
                self.builder.require(requirements);
                self.emit_call(callee, &result, arguments, span)
            }
            Instance::Failed => Value::POISON,
        }
    }

    fn instantiate(
        &mut self,
        index: usize,
        kernel: &ast::Function,
        generics: Generics,
        result: Type,
        arguments: &[Value],
        span: SpanId,
    ) -> Instance {
        let before = self.error_count();
        let name = self.instances.fresh_name(instance_name(kernel, arguments));
        let builder = FunctionBuilder::new(name, Linkage::Private, kernel.span);
        let alone = kernel.generics.is_empty()
            && arguments.iter().all(|argument| argument.ty().is_run_time());
        let called_at = if alone { SpanId::CALL_SITE } else { span };
        let frame = kernel_frame(index, kernel, generics, result.clone(), called_at);
        let (value, builder) = self.in_function(builder, |tracer| {
            tracer.in_frame(frame, |tracer| {
                for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
                    let value = tracer.instance_parameter(parameter, argument);
                    tracer.bind(&parameter.pattern, value);
                }
                tracer.body(kernel)
            })
        });
        if self.error_count() > before || value.is_poisoned() {
            return Instance::Failed;
        }
        let requirements = builder.requirements.clone();
        match builder.finish(&tensors(&value)) {
            Ok((function, _)) => {
                let id = self.ir.functions.push(function);
                Instance::Function(id, value.ty(), requirements)
            }
            Err(_) => Instance::Failed,
        }
    }

    /// The parameter inside the kernel: a tensor becomes one of its own, what is static stays.
    fn instance_parameter(&mut self, parameter: &ast::Parameter, argument: &Value) -> Value {
        let name = match &parameter.pattern.kind {
            ast::PatternKind::Ident { name, .. } => name.name.as_str(),
            _ => "",
        };
        let mut paths = argument.leaves().into_iter();
        argument.map(&mut |leaf| {
            let path = paths.next().map(|(path, _)| path).unwrap_or_default();
            match leaf {
                ValueLeaf::Tensor(tensor) => {
                    let name = iree_abi::join_path(name, &path);
                    ValueLeaf::Tensor(self.builder.parameter(name, &tensor.ty))
                }
                other => other.clone(),
            }
        })
    }

    fn emit_call(
        &mut self,
        callee: FunctionId,
        result: &Type,
        arguments: &[Value],
        span: SpanId,
    ) -> Value {
        let operands: Vec<Tensor> = arguments.iter().flat_map(tensors).collect();
        let operands: Vec<&Tensor> = operands.iter().collect();
        let call = Call {
            callee,
            parameters: operands.iter().map(|tensor| tensor.ty.clone()).collect(),
            results: types(result),
        };
        let mut results = match self.builder.emit(Op::Call(call), &operands, span) {
            Ok(results) => results.into_iter(),
            Err(error) => return self.error(Code::Internal, span, error.to_string()),
        };
        result.map(&mut |_| match results.next() {
            Some(tensor) => ValueLeaf::Tensor(tensor),
            None => ValueLeaf::Poison,
        })
    }

    /// Traces the kernels of the module that are not generic and take tensors only, so that their mistakes
    /// are found without a caller. Those of other modules are traced where these are compiled.
    pub(crate) fn unused_kernels(&mut self) {
        let ast = self.ast;
        let kept = self.ir.functions.len();
        for (index, kernel) in ast.kernels.iter().enumerate() {
            if kernel.module != ModuleId::ROOT || !kernel.generics.is_empty() {
                continue;
            }
            let frame = Frame::outermost(kernel.module);
            let (types, result) = self.in_frame(frame, |tracer| tracer.function_types(kernel));
            if !types.iter().all(Type::is_run_time) {
                continue;
            }
            self.in_function(FunctionBuilder::scratch(), |tracer| {
                let arguments = types.iter().map(|ty| tracer.symbol(ty));
                let arguments: Vec<_> = arguments.collect();
                let key = key(index, &Generics::default(), &arguments);
                if !tracer.instances.by_key.contains_key(&key)
                    && !arguments.iter().any(Value::is_poisoned)
                {
                    let generics = Generics::default();
                    let span = SpanId::CALL_SITE;
                    tracer.instantiate(index, kernel, generics, result, &arguments, span);
                }
            });
        }
        self.forget_functions_from(kept);
    }

    fn symbol(&mut self, ty: &Type) -> Value {
        ty.map(&mut |leaf| match leaf {
            TypeLeaf::Tensor(ty) => ValueLeaf::Tensor(self.builder.parameter("", ty)),
            _ => ValueLeaf::Poison,
        })
    }

    /// Drops the functions at and after this index, which were traced for their mistakes only.
    pub(crate) fn forget_functions_from(&mut self, index: usize) {
        self.ir.functions.truncate(index);
        self.instances.forget_from(index);
    }

    /// The values of the arguments of a kernel or procedure as written. What builds tensors takes its type from the
    /// parameter, as far as generic arguments and earlier arguments tell what that is.
    pub(crate) fn call_arguments(
        &mut self,
        function: &ast::Function,
        generics: &[GenericArgument],
        arguments: &[ast::Expr],
    ) -> Flow<Vec<(Value, SpanId)>> {
        let ast = self.ast;
        let (module, parameters) = (function.module, &function.generics);
        let unify = Unify {
            ast,
            module,
            parameters,
        };
        let mut known = Generics::default();
        for (parameter, argument) in parameters.iter().zip(generics) {
            if !is_inferred(argument) {
                let value = self.generic_argument(parameter, argument);
                known.bind(&parameter.name.name, value);
            }
        }
        let mut values = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let parameter = function.parameters.get(position);
            let expected = match parameter {
                Some(parameter) if unify.is_bound(&parameter.ty, &known) => {
                    let mut frame = Frame::outermost(module);
                    frame.generics = known.clone();
                    Some(self.in_frame(frame, |tracer| tracer.resolve(&parameter.ty)))
                }
                _ => None,
            };
            let value = self.expr(argument, expected.as_ref())?;
            if let Some(parameter) = parameter {
                unify.ty(&parameter.ty, &value.ty(), &mut known);
            }
            values.push((value, argument.span));
        }
        Ok(values)
    }

    /// What the generic parameters stand for; `None` if it was reported that one cannot be known.
    pub(crate) fn infer_generics(
        &mut self,
        kernel: &ast::Function,
        call: &Written<'_>,
    ) -> Option<Generics> {
        let mut generics = Generics::default();
        let name = &kernel.name.name;
        if !call.generics.is_empty() && call.generics.len() != kernel.generics.len() {
            let expected = super::resolve::count(kernel.generics.len(), "generic argument");
            let message = format!("`{name}` takes {expected}, found {}", call.generics.len());
            self.error(Code::ArgumentCount, call.span, message);
            return None;
        }
        for (parameter, argument) in kernel.generics.iter().zip(call.generics) {
            if !is_inferred(argument) {
                let value = self.generic_argument(parameter, argument);
                generics.bind(&parameter.name.name, value);
            }
        }
        let unify = Unify {
            ast: self.ast,
            module: kernel.module,
            parameters: &kernel.generics,
        };
        for (parameter, (value, _)) in kernel.parameters.iter().zip(call.arguments) {
            unify.ty(&parameter.ty, &value.ty(), &mut generics);
        }
        if let (Some(result), Some(expected)) = (&kernel.result, call.expected)
            && expected.is_known()
        {
            unify.ty(result, expected, &mut generics);
        }
        for (parameter, (value, _)) in kernel.parameters.iter().zip(call.arguments) {
            unify.literal(&parameter.ty, value, &mut generics);
        }
        self.check_generics(kernel, &generics, call.span)
            .then_some(generics)
    }

    /// The type of a literal of a generic tree, from the types of its fields.
    pub(crate) fn infer_tree_type(
        &mut self,
        tree: &ast::TreeStruct,
        fields: &[(std::rc::Rc<str>, Value)],
        span: SpanId,
    ) -> Option<Type> {
        let unify = Unify {
            ast: self.ast,
            module: tree.module,
            parameters: &tree.generics,
        };
        let mut generics = Generics::default();
        for (field, (_, value)) in tree.fields.iter().zip(fields) {
            unify.ty(&field.ty, &value.ty(), &mut generics);
        }
        for (field, (_, value)) in tree.fields.iter().zip(fields) {
            unify.literal(&field.ty, value, &mut generics);
        }
        let name = &tree.name.name;
        let mut arguments = Vec::new();
        for parameter in &tree.generics {
            let Some(value) = generics.get(&parameter.name.name) else {
                let message = format!(
                    "cannot infer `{}` of `{name}` from its fields",
                    parameter.name.name
                );
                let help = format!("name it: `{name}::<…> {{ … }}`");
                self.report(Diagnostic::new(Code::CannotInfer, span, message).help(help));
                return None;
            };
            arguments.push(value.to_string());
        }
        let mut frame = Frame::outermost(tree.module);
        frame.generics = generics;
        let arguments = format!("<{}>", arguments.join(", "));
        Some(self.in_frame(frame, |tracer| tracer.resolve_tree(tree, arguments)))
    }

    fn check_generics(
        &mut self,
        kernel: &ast::Function,
        generics: &Generics,
        span: SpanId,
    ) -> bool {
        let name = &kernel.name.name;
        for parameter in &kernel.generics {
            let generic = &parameter.name.name;
            match (generics.get(generic), &parameter.kind) {
                (None, _) => {
                    let message =
                        format!("cannot infer `{generic}` of `{name}` from its arguments");
                    let help = format!("name it: `{name}::<…>(…)`");
                    self.report(Diagnostic::new(Code::CannotInfer, span, message).help(help));
                    return false;
                }
                (Some(GenericValue::Poison), _) => return false,
                (Some(GenericValue::Element(dtype)), GenericKind::Type(bounds)) => {
                    let unmet = bounds
                        .iter()
                        .find(|bound| !satisfies(*dtype, &bound.text()));
                    if let Some(bound) = unmet {
                        let message = format!(
                            "`{name}` needs `{generic}: {}`, found `{dtype}`",
                            bound.text()
                        );
                        self.error(Code::DTypeMismatch, span, message);
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }
}

fn kernel_frame(
    index: usize,
    kernel: &ast::Function,
    generics: Generics,
    result: Type,
    span: SpanId,
) -> Frame {
    Frame {
        description: describe(kernel, &generics),
        identity: Identity::Kernel(index),
        module: kernel.module,
        called_at: span,
        scopes: Scopes::default(),
        generics,
        result,
        receiver: None,
        captured: 0,
        breakables: Vec::new(),
    }
}

/// Whether a kernel must become part of its caller: closures see the caller's values, and sizes may come
/// from what the kernel does not get.
fn needs_caller(generics: &Generics, arguments: &[Value]) -> bool {
    let leaves = arguments.iter().flat_map(Tree::leaves);
    let leaves: Vec<_> = leaves.map(|(_, leaf)| leaf).collect();
    let mut told = BTreeSet::new();
    let mut used = BTreeSet::new();
    for leaf in &leaves {
        match leaf {
            ValueLeaf::Callable(_) => return true,
            ValueLeaf::Tensor(tensor) => {
                let extents = tensor.ty.shape.extents().unwrap_or_default();
                for extent in extents {
                    told.extend(extent.as_name().map(str::to_owned));
                    used.extend(extent.names().into_iter().map(str::to_owned));
                }
            }
            ValueLeaf::Size(extent) => {
                used.extend(extent.names().into_iter().map(str::to_owned));
            }
            _ => {}
        }
    }
    for (_, value) in generics.iter() {
        if let GenericValue::Dimension(extent) = value {
            used.extend(extent.names().into_iter().map(str::to_owned));
        }
    }
    !used.is_subset(&told)
}

/// Whether `_` stands for a generic argument.
fn is_inferred(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::Type(ty) if matches!(ty.kind, ast::TypeKind::Infer))
}

/// Whether an element type is in the family that a bound names.
fn satisfies(dtype: DType, bound: &str) -> bool {
    match bound.rsplit("::").next().unwrap_or(bound) {
        "Float" => dtype.is_float(),
        "Int" => dtype.is_integer(),
        "Num" => dtype != DType::Bool,
        _ => true,
    }
}

fn key(kernel: usize, generics: &Generics, arguments: &[Value]) -> Key {
    let generics: Vec<_> = generics
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let arguments: Vec<_> = arguments.iter().flat_map(describe_leaves).collect();
    Key {
        kernel,
        generics: generics.join(","),
        arguments: arguments.join(","),
    }
}

/// Types of tensors and values of everything static: what an instance depends on.
fn describe_leaves(value: &Value) -> Vec<String> {
    let leaves = value.leaves().into_iter();
    let describe = |(path, leaf): (String, &ValueLeaf)| match leaf {
        ValueLeaf::Tensor(tensor) => format!("{path}:{}", tensor.ty),
        ValueLeaf::Static(number) => format!("{path}:{number}:{}", number.ty),
        ValueLeaf::Size(extent) => format!("{path}:{extent}"),
        ValueLeaf::Text(text) => format!("{path}:{text:?}"),
        ValueLeaf::Element(dtype) => format!("{path}:{dtype}"),
        ValueLeaf::Range(start, end) => format!("{path}:{start}..{end}"),
        ValueLeaf::Callable(_) | ValueLeaf::Rounds(..) | ValueLeaf::Poison => format!("{path}:_"),
    };
    leaves.map(describe).collect()
}

/// `linear_f32_3x4`: the kernel's name and each distinct type among its arguments.
fn instance_name(kernel: &ast::Function, arguments: &[Value]) -> String {
    let mut parts = vec![kernel.name.name.clone()];
    for (_, leaf) in arguments.iter().flat_map(Tree::leaves) {
        let part = match leaf {
            ValueLeaf::Tensor(tensor) => mangle(&tensor.ty),
            ValueLeaf::Static(number) => number.to_string(),
            ValueLeaf::Size(extent) => extent.to_string(),
            _ => continue,
        };
        let part: String = part
            .chars()
            .map(|letter| {
                if letter.is_ascii_alphanumeric() {
                    letter
                } else {
                    '_'
                }
            })
            .collect();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join("_")
}

fn mangle(ty: &TensorType) -> String {
    let dims: Vec<_> = ty.shape.dims().iter().map(ToString::to_string).collect();
    let dtype = match ty.dtype {
        DType::C64 => "c64",
        DType::C128 => "c128",
        other => other.name(),
    };
    match dims.is_empty() {
        true => dtype.to_owned(),
        false => format!("{dtype}_{}", dims.join("x")),
    }
}

fn describe(kernel: &ast::Function, generics: &Generics) -> String {
    let name = &kernel.name.name;
    let values: Vec<_> = generics
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match values.is_empty() {
        true => format!("the kernel `{name}`"),
        false => format!("the kernel `{name}` with {}", values.join(", ")),
    }
}

fn tensors(value: &Value) -> Vec<Tensor> {
    let leaves = value.leaves().into_iter();
    let tensors = leaves.filter_map(|(_, leaf)| match leaf {
        ValueLeaf::Tensor(tensor) => Some(tensor.clone()),
        _ => None,
    });
    tensors.collect()
}

fn types(ty: &Type) -> Vec<TensorType> {
    let leaves = ty.leaves().into_iter();
    let tensors = leaves.filter_map(|(_, leaf)| match leaf {
        TypeLeaf::Tensor(ty) => Some(ty.clone()),
        _ => None,
    });
    tensors.collect()
}
