//! The instances of kernels: which exist, what distinguishes them, and how they are called.

use super::{
    generics::Generics,
    tree::Tree,
    types::Type,
    value::{Value, ValueLeaf},
};
use crate::ast;
use iree_abi::{DType, Requirement, TensorType};
use iree_dsl_ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

/// The instances of kernels that exist so far.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    by_key: BTreeMap<Key, Instance>,
    names: BTreeSet<String>,
}

/// What distinguishes two instances.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    kernel: usize,
    generics: String,
    arguments: String,
}

impl Key {
    /// The key of a kernel for these generic arguments and arguments.
    pub(crate) fn new(kernel: usize, generics: &Generics, arguments: &[Value]) -> Self {
        let generics = generics.iter();
        let generics: Vec<_> = generics
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let arguments: Vec<_> = arguments.iter().flat_map(describe_leaves).collect();
        Self {
            kernel,
            generics: generics.join(","),
            arguments: arguments.join(","),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Instance {
    /// The function, the type of its result, and what must hold of sizes at its calls.
    Function(FunctionId, Type, Vec<Requirement>),
    /// Its mistakes were reported.
    Failed,
}

impl Instances {
    /// The instance with this key.
    pub(crate) fn get(&self, key: &Key) -> Option<&Instance> {
        self.by_key.get(key)
    }

    /// Keeps an instance.
    pub(crate) fn insert(&mut self, key: Key, instance: Instance) {
        self.by_key.insert(key, instance);
    }

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
        ValueLeaf::Callable(_)
        | ValueLeaf::Iterations(..)
        | ValueLeaf::Deferred(_)
        | ValueLeaf::Poison => format!("{path}:_"),
    };
    leaves.map(describe).collect()
}

/// `linear_f32_3x4`: the kernel's name and each distinct type among its arguments.
pub(crate) fn instance_name(kernel: &ast::Function, arguments: &[Value]) -> String {
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
