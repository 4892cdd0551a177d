//! Kernels: instantiated once for each combination of argument types and static arguments.

use super::{
    builder::FunctionBuilder,
    frame::{Frame, Identity},
    function::{Entered, Written},
    generics::Generics,
    instance::{Instance, Key, instance_name},
    requirements,
    size::told_sizes,
    tracer::Tracer,
    types::{GenericValue, Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{self, ModuleId},
    span::SpanId,
};
use iree_abi::Extent;
use iree_dsl_ir::{
    FunctionId, Linkage,
    op::{Call, Op},
};

impl Tracer<'_> {
    /// The value of a call of the kernel at this index.
    pub(crate) fn call_kernel(&mut self, index: usize, call: &Written<'_>) -> Value {
        let ast = self.ast;
        let Some(kernel) = ast.kernels.get(index) else {
            return Value::POISON;
        };
        let identity = Identity::Kernel(index);
        let Some(entered) = self.enter(identity, kernel, call) else {
            return Value::POISON;
        };
        if let Some(rule) = kernel.rule.as_ref().filter(|_| self.deriving > 0) {
            return self.call_ruled(index, rule, entered, call);
        }
        // What is differentiated is followed where it stands.
        if self.deriving > 0 || needs_caller(&entered.generics, &entered.arguments) {
            let Entered {
                generics,
                arguments,
                result,
            } = entered;
            let frame = Frame::of(identity, kernel, generics, result, call.span);
            return self.run(frame, kernel, arguments);
        }
        self.call_instance(index, kernel, entered, call.span)
    }

    fn call_instance(
        &mut self,
        index: usize,
        kernel: &ast::Function,
        entered: Entered,
        span: SpanId,
    ) -> Value {
        let arguments = entered.arguments.clone();
        match self.instance(index, kernel, entered, span) {
            Instance::Function(callee, result, requirements) => {
                self.builder.require(requirements);
                self.emit_call(callee, &result, &arguments, span)
            }
            Instance::Failed => Value::POISON,
        }
    }

    /// The instance of a kernel for what a call hands to it.
    pub(crate) fn instance(
        &mut self,
        index: usize,
        kernel: &ast::Function,
        entered: Entered,
        span: SpanId,
    ) -> Instance {
        let key = Key::new(index, &entered.generics, &entered.arguments);
        if let Some(instance) = self.instances.get(&key) {
            return instance.clone();
        }
        // It is the same for all callers, whether they are differentiated or not.
        let deriving = std::mem::take(&mut self.deriving);
        let instance = self.instantiate(index, kernel, entered, span);
        self.deriving = deriving;
        self.instances.insert(key, instance.clone());
        instance
    }

    fn instantiate(
        &mut self,
        index: usize,
        kernel: &ast::Function,
        entered: Entered,
        span: SpanId,
    ) -> Instance {
        let Entered {
            generics,
            arguments,
            result,
        } = entered;
        let before = self.error_count();
        let name = instance_name(kernel, &arguments);
        let name = self.instances.fresh_name(name);
        let builder = FunctionBuilder::new(name, Linkage::Private, kernel.span);
        let alone = kernel.generics.is_empty()
            && arguments.iter().all(|argument| argument.ty().is_run_time());
        let called_at = if alone { SpanId::CALL_SITE } else { span };
        let identity = Identity::Kernel(index);
        let (value, mut builder) = self.in_function(builder, |tracer| {
            let (generics, result) = (generics.clone(), result.clone());
            let frame = Frame::of(identity, kernel, generics, result, called_at);
            let own = kernel.parameters.iter().zip(&arguments);
            let own = own.map(|(parameter, argument)| tracer.own(parameter, argument));
            let own = own.collect();
            tracer.run(frame, kernel, own)
        });
        if self.error_count() > before || value.is_poisoned() {
            return Instance::Failed;
        }
        let required = std::mem::take(&mut builder.requirements);
        match self.finished(builder, &value.tensors()) {
            Ok((function, _)) => {
                let requirements = requirements::of(&function, required);
                let id = self.ir.functions.push(function);
                Instance::Function(id, value.ty(), requirements)
            }
            Err(_) => Instance::Failed,
        }
    }

    /// The parameter inside the kernel: a tensor becomes one of its own, what is static stays.
    fn own(&mut self, parameter: &ast::Parameter, argument: &Value) -> Value {
        argument.map_with_path(&mut |path, leaf| match leaf {
            ValueLeaf::Tensor(tensor) => self.builder.parameter_leaf(parameter, path, &tensor.ty),
            other => other.clone(),
        })
    }

    pub(crate) fn emit_call(
        &mut self,
        callee: FunctionId,
        result: &Type,
        arguments: &[Value],
        span: SpanId,
    ) -> Value {
        let operands: Vec<Tensor> = arguments.iter().flat_map(Value::tensors).collect();
        let call = Call {
            callee,
            parameters: operands.iter().map(|tensor| tensor.ty.clone()).collect(),
            results: result.tensors(),
        };
        self.emit_tree(Op::Call(call), &operands, result, span)
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
            let generics = Generics::default();
            let (types, result) = self.function_types(kernel, &generics);
            if !types.iter().all(Type::is_run_time) {
                continue;
            }
            self.with_builder(FunctionBuilder::scratch(), |tracer| {
                let arguments = types.iter().map(|ty| tracer.symbol(ty));
                let arguments: Vec<_> = arguments.collect();
                let key = Key::new(index, &generics, &arguments);
                if tracer.instances.get(&key).is_none() && !arguments.iter().any(Value::is_poisoned)
                {
                    let entered = Entered {
                        generics,
                        arguments,
                        result,
                    };
                    tracer.instantiate(index, kernel, entered, SpanId::CALL_SITE);
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
}

/// Whether a kernel must become part of its caller: closures see the caller's values, and sizes may come
/// from what the kernel does not get.
pub(crate) fn needs_caller(generics: &Generics, arguments: &[Value]) -> bool {
    let tensors: Vec<_> = arguments.iter().flat_map(Value::tensors).collect();
    let told = told_sizes(tensors.iter().map(|tensor| &tensor.ty));
    let mut used: Vec<Extent> = tensors.iter().flat_map(Tensor::extents).collect();
    for (_, leaf) in arguments.iter().flat_map(Value::leaves) {
        match leaf {
            ValueLeaf::Callable(_) => return true,
            ValueLeaf::Size(extent) => used.push(extent.clone()),
            _ => {}
        }
    }
    used.extend(generics.iter().flat_map(|(_, value)| match value {
        GenericValue::Dimension(extent) => vec![extent.clone()],
        GenericValue::Dimensions(extents) => extents.clone(),
        _ => Vec::new(),
    }));
    let mut names = used.iter().flat_map(Extent::names);
    names.any(|name| !told.contains(name))
}
