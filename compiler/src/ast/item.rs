use super::{
    Block, Emit, Expr, GenericArgument, Ident, Import, ModuleId, Path, Pattern, PatternKind,
    Preset, Type,
};
use crate::span::SpanId;

/// A `#[program] mod` or a `#[kernel] mod`.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name.
    pub name: Ident,
    /// The options of the attribute.
    pub options: Options,
    /// The program; `None` in a kernel module, or where it is missing, which was reported.
    pub program: Option<ProgramStruct>,
    /// The other structs.
    pub trees: Vec<TreeStruct>,
    /// The constants.
    pub consts: Vec<Const>,
    /// The type aliases.
    pub aliases: Vec<TypeAlias>,
    /// The kernels.
    pub kernels: Vec<Function>,
    /// The functions of the `impl`.
    pub procedures: Vec<Function>,
    /// What is imported from kernel modules.
    pub imports: Vec<Import>,
}

/// The options of `#[program(…)]`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `name = "…"`: the module's name in IREE.
    pub name: Option<(String, SpanId)>,
    /// `targets = ["cpu", …]`.
    pub targets: Vec<(String, SpanId)>,
    /// `opt = "size"`: what to optimise for.
    pub opt: Option<Preset>,
    /// `emit = ["vm-c"]`: what else it is compiled to.
    pub emit: Vec<Emit>,
    /// `flags = ["--iree-…"]`.
    pub flags: Vec<(String, SpanId)>,
}

/// The struct that has the `impl`.
#[derive(Clone, Debug)]
pub struct ProgramStruct {
    /// Its name.
    pub name: Ident,
    /// Its fields.
    pub globals: Vec<Global>,
}

/// A field of the program.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Where its value comes from.
    pub init: GlobalInit,
    /// Whether a store is a mistake.
    pub immutable: bool,
    /// `#[param("…")]`: what stands for its name in parameter archives.
    pub parameter: Option<(String, SpanId)>,
    /// Where the field stands.
    pub span: SpanId,
}

/// Where the first value of a global comes from.
#[derive(Clone, Debug)]
pub enum GlobalInit {
    /// Zero everywhere.
    Zero,
    /// `init = …`.
    Value(Expr),
    /// `uninit`: from a store.
    Uninit,
    /// `parameter = "scope"`: from an archive, when the program is loaded.
    Parameter(String, SpanId),
    /// `alias = a.b.0`: it is (a part of) an earlier global.
    Alias(Expr),
    /// Something that was reported already.
    Error,
}

/// A struct of tensors.
#[derive(Clone, Debug)]
pub struct TreeStruct {
    /// Its name.
    pub name: Ident,
    /// The module that it is in.
    pub module: ModuleId,
    /// Whether other modules can import it.
    pub visibility: Visibility,
    /// Its generic parameters.
    pub generics: Vec<Generic>,
    /// Its fields.
    pub fields: Vec<TreeField>,
    /// Where it stands.
    pub span: SpanId,
}

/// A field of a tree.
#[derive(Clone, Debug)]
pub struct TreeField {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// `#[param("…")]`: what stands for its name in parameter archives.
    pub parameter: Option<(String, SpanId)>,
}

/// A generic parameter.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Its name.
    pub name: Ident,
    /// What it stands for.
    pub kind: GenericKind,
    /// Its argument where none is given; only trees have some.
    pub default: Option<GenericArgument>,
}

/// What a generic parameter stands for.
#[derive(Clone, Debug)]
pub enum GenericKind {
    /// `const N: usize`.
    Dimension,
    /// `B: Dims`, any number of dimensions; only kernels have some.
    Dimensions,
    /// `T: Float`; the bounds as written. Without bounds it may be a tree.
    Type(Vec<Path>),
}

/// `const NAME: Type = value;`.
#[derive(Clone, Debug)]
pub struct Const {
    /// Its name.
    pub name: Ident,
    /// The module that it is in.
    pub module: ModuleId,
    /// Whether other modules can import it.
    pub visibility: Visibility,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Expr,
}

/// `type Name<G> = Type;`.
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// Its name.
    pub name: Ident,
    /// The module that it is in.
    pub module: ModuleId,
    /// Whether other modules can import it.
    pub visibility: Visibility,
    /// Its generic parameters.
    pub generics: Vec<Generic>,
    /// What it stands for.
    pub ty: Type,
}

/// A kernel or a procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// The module that it is in.
    pub module: ModuleId,
    /// Whether other modules can import it.
    pub visibility: Visibility,
    /// What it is.
    pub kind: FunctionKind,
    /// Its generic parameters.
    pub generics: Vec<Generic>,
    /// Its parameters, without `self`.
    pub parameters: Vec<Parameter>,
    /// The declared result; `None` for the unit type.
    pub result: Option<Type>,
    /// What it computes.
    pub body: Body,
    /// The kernels that its derivative is computed with, instead of following what it does.
    pub rule: Option<Rule>,
    /// Its name and parameters, without the body.
    pub span: SpanId,
}

/// The kernels that a derivative is computed with.
#[derive(Clone, Debug)]
pub enum Rule {
    /// `jvp = f`: of the arguments and their tangents, returns the result and its tangent.
    Jvp(Ident),
    /// `vjp = (keep, back)`: of the arguments, returns the result and what is kept; of that and a cotangent of the result,
    /// returns those of the arguments.
    Vjp(Ident, Ident),
}

/// What a function computes.
#[derive(Clone, Debug)]
pub enum Body {
    /// `{ … }`.
    Block(Block),
    /// `#[kernel(mlir = "…")]`.
    Mlir(MlirText),
    /// `#[import]`: whatever the host computes.
    Import,
}

/// What a kernel computes, as MLIR.
#[derive(Clone, Debug)]
pub struct MlirText {
    /// The operations of the function, the last one a `return`.
    pub text: String,
    /// Where the text stands.
    pub span: SpanId,
    /// For each of its lines, how many lines of the source it stands below the start of the text.
    pub lines: Vec<usize>,
}

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// A pure function.
    Kernel,
    /// A function of the program.
    Procedure(Receiver),
}

/// How a procedure takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// `&self`.
    Shared,
    /// `&mut self`.
    Exclusive,
}

/// Whether an item is seen outside its module: a procedure by the host, anything else by modules that
/// import it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// `pub`.
    Exported,
    /// Not `pub`.
    Private,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// What it is bound to; exported procedures have plain names.
    pub pattern: Pattern,
    /// Its type.
    pub ty: Type,
}

impl Parameter {
    /// Its name; `None` for a pattern that takes it apart.
    pub fn name(&self) -> Option<&str> {
        match &self.pattern.kind {
            PatternKind::Ident { name, .. } => Some(&name.name),
            _ => None,
        }
    }
}
