//! The fields of the program: which tensors they are, where they start, and that an alias is a name for
//! what exists already.

use super::{
    builder::FunctionBuilder,
    frame::{Frame, Identity},
    parameters::Parameters,
    procedure::scalar_help,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{self, GlobalInit, ModuleId},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dsl_ir::{self as ir, Constant, ConstantData, GlobalId, Linkage};
use std::collections::BTreeMap;

/// The globals of the program.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    by_name: BTreeMap<String, GlobalTree>,
    /// Those that archives supply.
    pub(crate) parameters: Parameters,
    /// Reads of globals that only a store gives a value, before any store in the same procedure.
    early_reads: Vec<(GlobalId, String, SpanId)>,
}

/// The tensors of a global.
pub(crate) type GlobalTree = Tree<GlobalLeaf>;

/// A tensor of a global.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GlobalLeaf {
    /// Its index in the module; `None` if its declaration was reported.
    pub(crate) id: Option<GlobalId>,
    /// Its type.
    pub(crate) ty: TypeLeaf,
    /// Whether a store is a mistake.
    pub(crate) immutable: bool,
    /// Whether nothing but a store gives it a value.
    pub(crate) uninitialized: bool,
}

impl Globals {
    /// The tensors of the global of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&GlobalTree> {
        self.by_name.get(name)
    }

    /// The names of all globals.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

impl Tracer<'_> {
    /// Declares the globals of the program.
    pub(crate) fn globals(&mut self) {
        let ast = self.ast;
        let Some(program) = &ast.program else { return };
        for (index, global) in program.globals.iter().enumerate() {
            let ty = self.resolve(&global.ty);
            let ty = self.check_global_type(global, ty);
            let tree = match &global.init {
                GlobalInit::Alias(path) => self.alias(path, &ty),
                _ => self.declare(index, global, &ty),
            };
            let name = global.name.name.clone();
            self.globals.by_name.entry(name).or_insert(tree);
        }
    }

    fn check_global_type(&mut self, global: &ast::Global, ty: Type) -> Type {
        if ty.is_open() {
            let message = format!(
                "the global `{}` needs a known size along each axis",
                global.name.name
            );
            let diagnostic = Diagnostic::new(Code::NotStatic, global.ty.span, message);
            self.report(diagnostic.help(
                "write a number or a constant for `_`: a global has its memory from the start",
            ));
            return Type::POISON;
        }
        if ty.is_run_time() {
            return ty;
        }
        let message = format!(
            "the global `{}` must consist of tensors, found `{ty}`",
            global.name.name
        );
        let diagnostic = Diagnostic::new(Code::UnknownType, global.ty.span, message);
        let diagnostic = match &ty {
            Type::Leaf(TypeLeaf::Static(element)) => diagnostic.help(scalar_help(*element)),
            _ => diagnostic,
        };
        self.report(diagnostic);
        Type::POISON
    }

    fn declare(&mut self, index: usize, global: &ast::Global, ty: &Type) -> GlobalTree {
        let initial = self.initial_values(index, global, ty);
        let mut initial = initial.into_iter();
        let name = &global.name.name;
        let mut leaves = ty.leaves().into_iter();
        ty.map(&mut |leaf| {
            let path = leaves.next().map(|(path, _)| path).unwrap_or_default();
            let init = initial.next().flatten();
            let id = match (leaf, init) {
                (TypeLeaf::Tensor(ty), Some(init)) => Some(self.ir.globals.push(ir::Global {
                    name: self.instances.fresh_name(iree_abi::join_path(name, &path)),
                    ty: ty.clone(),
                    mutable: false,
                    init,
                    span: global.span,
                })),
                _ => None,
            };
            GlobalLeaf {
                id,
                ty: leaf.clone(),
                immutable: global.immutable,
                uninitialized: matches!(global.init, GlobalInit::Uninit),
            }
        })
    }

    /// Where each leaf starts; `None` for what was reported.
    fn initial_values(
        &mut self,
        index: usize,
        global: &ast::Global,
        ty: &Type,
    ) -> Vec<Option<ir::GlobalInit>> {
        let leaves = ty.leaves();
        match &global.init {
            GlobalInit::Value(value) => self.initializer(index, global, value, ty),
            GlobalInit::Uninit => vec![Some(ir::GlobalInit::Uninitialized); leaves.len()],
            GlobalInit::Zero => leaves.into_iter().map(|(_, leaf)| zero(leaf)).collect(),
            GlobalInit::Parameter(scope, _) => self.parameters(global, scope, ty),
            GlobalInit::Alias(_) | GlobalInit::Error => vec![None; leaves.len()],
        }
    }

    /// Traces the initial value into a function of its own. Leaves that are constants need no function.
    fn initializer(
        &mut self,
        index: usize,
        global: &ast::Global,
        value: &ast::Expr,
        ty: &Type,
    ) -> Vec<Option<ir::GlobalInit>> {
        let name = self
            .instances
            .fresh_name(format!("{}.init", global.name.name));
        let builder = FunctionBuilder::new(name, Linkage::Private, global.span);
        let (value, builder) = self.in_function(builder, |tracer| {
            let mut frame = Frame::outermost(ModuleId::ROOT);
            frame.identity = Identity::Initializer(index);
            tracer.in_frame(frame, |tracer| {
                let span = value.span;
                let value = tracer.expr(value, Some(ty)).unwrap_or(Value::POISON);
                let place = format!("the initial value of `{}`", global.name.name);
                tracer.conform(value, ty, span, &place)
            })
        });
        let tensors = value.leaves().into_iter().map(|(_, leaf)| match leaf {
            ValueLeaf::Tensor(tensor) => Some(tensor.clone()),
            _ => None,
        });
        match tensors.collect::<Option<Vec<_>>>() {
            Some(tensors) => self.initial_tensors(tensors, builder),
            None => vec![None; ty.leaves().len()],
        }
    }

    fn initial_tensors(
        &mut self,
        tensors: Vec<Tensor>,
        builder: FunctionBuilder,
    ) -> Vec<Option<ir::GlobalInit>> {
        let constants: Vec<_> = tensors
            .iter()
            .map(|tensor| builder.as_constant(tensor).cloned())
            .collect();
        let computed = tensors.iter().zip(&constants);
        let computed = computed.filter(|(_, constant)| constant.is_none());
        let computed: Vec<_> = computed.map(|(tensor, _)| tensor.clone()).collect();
        let function = match computed.is_empty() {
            true => None,
            false => match self.finished(builder, &computed) {
                Ok((function, _)) => Some(self.ir.functions.push(function)),
                Err(_) => None,
            },
        };
        let mut results = 0..;
        let mut init = |constant: Option<Constant>| match constant {
            Some(constant) => Some(ir::GlobalInit::Constant(constant)),
            None => Some(ir::GlobalInit::Function(function?, results.next()?)),
        };
        constants.into_iter().map(&mut init).collect()
    }

    fn alias(&mut self, path: &ast::Expr, ty: &Type) -> GlobalTree {
        let poison = |ty: &Type| {
            ty.map(&mut |leaf| GlobalLeaf {
                id: None,
                ty: leaf.clone(),
                immutable: false,
                uninitialized: false,
            })
        };
        let Some(tree) = self.alias_target(path) else {
            return poison(ty);
        };
        let found = tree.map(&mut |leaf| leaf.ty.clone());
        if conforms(&found, ty) {
            return tree;
        }
        let message = format!("the alias is declared as `{ty}`, but names a `{found}`");
        self.error(Code::Alias, path.span, message);
        poison(ty)
    }

    fn alias_target(&mut self, path: &ast::Expr) -> Option<GlobalTree> {
        match &path.kind {
            ast::ExprKind::Path(name) => self.alias_root(name),
            ast::ExprKind::Field(base, member) => {
                let base = self.alias_target(base)?;
                self.member(&base, member, |tree| tree.map(&mut |leaf| leaf.ty.clone()))
            }
            ast::ExprKind::Index(base, index) => {
                let base = self.alias_target(base)?;
                let position = self.static_size(index, "an index")?;
                self.element(&base, position, index.span)
            }
            ast::ExprKind::Error => None,
            _ => {
                self.error(
                    Code::Alias,
                    path.span,
                    "an alias is a path of fields, `params.x`",
                );
                None
            }
        }
    }

    fn alias_root(&mut self, path: &ast::Path) -> Option<GlobalTree> {
        let name = path.text();
        if let Some(tree) = self.globals.get(&name) {
            return Some(tree.clone());
        }
        let message = format!("the alias names no earlier global: there is no `{name}` before it");
        let mut diagnostic = Diagnostic::new(Code::Alias, path.span, message);
        if let Some(similar) = nearest(&name, self.globals.names()) {
            diagnostic = diagnostic.help(format!(
                "there is a global with a similar name: `{similar}`"
            ));
        }
        self.report(diagnostic);
        None
    }

    /// The value of (a part of) a global at this point.
    pub(crate) fn load(&mut self, tree: &GlobalTree, name: &str, span: SpanId) -> Value {
        tree.map(&mut |leaf| match (leaf.id, &leaf.ty) {
            (Some(id), TypeLeaf::Tensor(ty)) => {
                if leaf.uninitialized && !self.builder.knows_global(id) {
                    self.globals.early_reads.push((id, name.to_owned(), span));
                }
                match self.builder.load_global(id, ty, span) {
                    Ok(tensor) => ValueLeaf::Tensor(tensor),
                    Err(_) => ValueLeaf::Poison,
                }
            }
            _ => ValueLeaf::Poison,
        })
    }

    /// Reports reads of globals that no procedure ever stores.
    pub(crate) fn check_uninitialized(&mut self) {
        for (global, name, span) in std::mem::take(&mut self.globals.early_reads) {
            let stored = self
                .ir
                .globals
                .get(global)
                .is_none_or(|global| global.mutable);
            if !stored {
                let message = format!("the global `{name}` is read, but never stored");
                let diagnostic = Diagnostic::new(Code::Uninitialized, span, message);
                self.report(diagnostic.help("store it in a procedure, or give it an `init`"));
            }
        }
    }

    /// Gives (a part of) a global another value from this point on.
    pub(crate) fn store(&mut self, tree: &GlobalTree, value: &Value, span: SpanId) {
        for ((_, leaf), (_, value)) in tree.leaves().into_iter().zip(value.leaves()) {
            if let (Some(id), ValueLeaf::Tensor(tensor)) = (leaf.id, value) {
                self.builder.store_global(id, tensor.clone(), span);
            }
        }
    }
}

/// Whether the types are equal where nothing was reported.
fn conforms(found: &Type, expected: &Type) -> bool {
    match (found, expected) {
        (Type::Leaf(TypeLeaf::Poison), _) | (_, Type::Leaf(TypeLeaf::Poison)) => true,
        (found, expected) => found == expected,
    }
}

fn zero(leaf: &TypeLeaf) -> Option<ir::GlobalInit> {
    match leaf {
        TypeLeaf::Tensor(ty) => Some(ir::GlobalInit::Constant(zeros(ty))),
        _ => None,
    }
}

fn zeros(ty: &TensorType) -> Constant {
    Constant {
        ty: ty.clone(),
        data: ConstantData::Splat(vec![0; ty.dtype.size()]),
    }
}
