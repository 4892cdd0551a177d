use super::{ModuleKind, Outcome};

pub(super) fn check(attribute: &str, source: &str, expected: &[&str]) {
    let found = Outcome::of(attribute, source).mistakes();
    assert_eq!(found, expected, "in the source:\n{source}");
}

/// A module with a program `P` and, in line 2, these items.
fn with_items(items: &str) -> String {
    format!("mod m {{ struct P; impl P {{}}\n{items}\n}}")
}

/// A program `P` with, in line 2, these fields.
fn with_fields(fields: &str) -> String {
    format!("mod m {{ impl P {{}} struct P {{\n{fields}\n}} }}")
}

/// A program `P` with, in line 2, these items of its `impl`.
fn with_procedures(items: &str) -> String {
    format!("mod m {{ struct P; impl P {{\n{items}\n}} }}")
}

#[test]
fn structure() {
    for (source, expected) in [
        (
            "struct P;",
            "1:1 structure: `#[program]` belongs on a module, not on `struct` => write `#[program] mod name { … }` around the program",
        ),
        (
            "pub mod m;",
            "1:9 structure: the program `m` has no body => write the module in braces: `#[program]` cannot read other files",
        ),
        (
            "mod m {}",
            "1:1 structure: the module has no program => add `pub struct Name;` and `impl Name { … }` with its procedures",
        ),
        (
            "mod m { struct A; }",
            "1:16 structure: the module has no program: the struct `A` has no `impl` => add `impl A { … }` with the program's procedures",
        ),
        (
            "mod m { struct A; struct B; }",
            "1:26 structure: the module has no program: none of the structs `A`, `B` has an `impl` => add `impl B { … }` with the program's procedures",
        ),
        (
            "mod m { struct A; struct B; impl A {} impl B {} }",
            "1:44 structure: a module has one program, and both `A` and `B` have an `impl` => write the functions of `B` as kernels, or give it a module of its own",
        ),
        (
            "mod m { struct Kernel; impl Kernal {} }",
            "1:29 structure: there is no struct `Kernal` in this module => there is a struct with a similar name: `Kernel`",
        ),
        (
            "mod m { impl Kernel {} }",
            "1:14 structure: there is no struct `Kernel` in this module => add `pub struct Kernel;`",
        ),
        (
            "mod m { struct P; impl Default for P {} impl P {} }",
            "1:19 unsupported: an `impl` of a trait is not part of the language => write the functions into the program's own `impl`, or as kernels",
        ),
        (
            "mod m { struct P<T>(T); impl P {} }",
            "1:17 unsupported: a program with generic parameters is not part of the language => write the types and dimensions out\n1:20 unsupported: a tuple struct is not part of the language => give the fields names: `{ a: …, b: … }`",
        ),
    ] {
        check("", source, &expected.split('\n').collect::<Vec<_>>());
    }
}

#[test]
fn items() {
    for (item, expected) in [
        (
            "enum E { A }",
            "2:1 unsupported: an `enum` is not part of the language => use a struct, or an integer tensor that tells the cases apart",
        ),
        (
            "pub trait T {}",
            "2:5 unsupported: a `trait` is not part of the language => write kernels, generic over `T: Float`",
        ),
        (
            "static X: f32 = 1.0;",
            "2:1 unsupported: a `static` is not part of the language => use a `const`, or a field of the program for what changes",
        ),
        (
            "union U { a: f32 }",
            "2:1 unsupported: a `union` is not part of the language => use a struct",
        ),
        (
            "mod inner {}",
            "2:1 unsupported: a module inside a program is not part of the language => write its items into the program's module",
        ),
        (
            "extern \"C\" {}",
            "2:1 unsupported: an `extern` block is not part of the language => move it out of the program's module",
        ),
        (
            "call!();",
            "2:5 unsupported: a macro in place of an item is not part of the language => define and call it outside the program",
        ),
        (
            "fn f() {}",
            "2:4 structure: the function `f` is not a kernel => add `#[kernel]`",
        ),
        (
            "#[kernal] fn f() {}",
            "2:3 attribute: the attribute `kernal` has no effect here => there is an attribute with a similar name: `kernel`",
        ),
        (
            "#[kernel] fn f(&self) {}",
            "2:17 structure: the kernel `f` cannot take `self` => take the values it needs as parameters, or move it into the `impl`",
        ),
        (
            "#[kernel] fn f();",
            "2:14 syntax: the function `f` has no body => write `{ … }` instead of the semicolon",
        ),
        (
            "#[kernel(mlir = \"return\")] fn f() {}",
            "2:10 attribute: a kernel that is written as MLIR has no other body => write a semicolon instead of `{ … }`",
        ),
        (
            "#[kernel(mlri = \"return\")] fn f() {}",
            "2:10 attribute: `#[kernel]` has no option `mlri` => there is an option with a similar name: `mlir`",
        ),
        (
            "#[kernel] use a::m::*;",
            "2:21 unsupported: an import of everything is not part of the language => name the kernels and trees: `use path::{a, b};`",
        ),
        (
            "#[kernel] use a::m::{self};",
            "2:22 structure: an import from a kernel module needs a name => name what is used: `use path::{a, b};`",
        ),
        (
            "#[kernel] use a::m::T as _;",
            "2:21 structure: an import from a kernel module needs a name => name what is used: `use path::{a, b};`",
        ),
        (
            "#[kernel] use {f};",
            "2:16 structure: `f` is not in a kernel module => name the module that has it: `use path::to::module::f;`",
        ),
        (
            "#[kernel] use super::super::{f};",
            "2:30 structure: `super` is not a kernel module => name the module that has it: `use path::to::module::f;`",
        ),
        (
            "#[kernel(mlir = \"return\")] use a::m::f;",
            "2:10 attribute: `#[kernel]` has no option `mlir` => it has no options here",
        ),
        (
            "#[kernel] async fn f() {}",
            "2:11 unsupported: `async fn` is not part of the language => leave it out",
        ),
        (
            "#[kernel] const fn f() {}",
            "2:11 unsupported: `const fn` is not part of the language => leave it out",
        ),
        (
            "#[kernel] unsafe fn f() {}",
            "2:11 unsupported: `unsafe fn` is not part of the language => leave it out",
        ),
        (
            "#[kernel] fn f<'a>(x: &'a str) {}",
            "2:17 unsupported: a lifetime is not part of the language => leave it out\n2:25 unsupported: a lifetime is not part of the language => leave it out",
        ),
        (
            "#[kernel] fn f<T>(x: T) where T: Float {}",
            "2:25 unsupported: a `where` clause is not part of the language => write the bound at the parameter: `T: Float`",
        ),
        (
            "#[kernel] fn f<const N: u8>() {}",
            "2:25 unsupported: a constant parameter of this type is not part of the language => write `usize`, or take a static parameter",
        ),
        (
            "#[cfg(test)] struct T;",
            "2:1 unsupported: `cfg` inside a program is not part of the language => put it on the whole module, or write a second program",
        ),
        (
            "#[inline] #[test] #[kernel] fn f() {}",
            "2:13 attribute: the attribute `test` has no effect here => remove it",
        ),
        (
            "struct T { #[global] x: f32 }",
            "2:12 attribute: `#[global]` belongs on a field of the program",
        ),
        (
            "struct T { #[param(key)] x: f32 }",
            "2:12 attribute: `#[param]` takes the key of the field in parameter archives => write `#[param(\"key\")]`",
        ),
    ] {
        check(
            "",
            &with_items(item),
            &expected.split('\n').collect::<Vec<_>>(),
        );
    }
}

#[test]
fn procedures() {
    for (item, expected) in [
        (
            "pub fn new() {}",
            "2:8 structure: the procedure `new` does not take `self` => take `&self`, or move it out of the `impl` and add `#[kernel]`",
        ),
        (
            "pub fn f(self) {}",
            "2:10 unsupported: `self` by value is not part of the language => take `&self`, or `&mut self` to store globals",
        ),
        (
            "fn f(self: &Self) {}",
            "2:6 unsupported: a type for `self` is not part of the language => take `&self`, or `&mut self` to store globals",
        ),
        (
            "pub fn f(&self, (a, b): T) {}",
            "2:17 unsupported: a parameter of an exported procedure needs a name => give it a name and destructure it with `let` in the body",
        ),
        (
            "#[kernel] fn f(&self) {}",
            "2:1 attribute: `#[kernel]` belongs on a function of the module that takes no `self`, or a `use`",
        ),
        (
            "#[program(opt = \"size\")] pub fn f(&self) {}",
            "2:1 attribute: `#[program]` belongs on a module => options are those of a whole program: what needs others is a \
             program of its own, which shares kernels by `#[kernel] use` and weights by the same archive",
        ),
        (
            "const N: usize = 1;",
            "2:1 unsupported: an associated constant is not part of the language => move it out of the `impl`",
        ),
        (
            "pub fn f(&self);",
            "2:8 syntax: the function `f` has no body => write `{ … }` instead of the semicolon",
        ),
    ] {
        check("", &with_procedures(item), &[expected]);
    }
}

#[test]
fn globals() {
    for (field, expected) in [
        (
            "x: f32",
            "2:1 attribute: the field `x` of the program needs `#[global]` => add `#[global]` for zeros, or `#[global(init = …)]` for other values",
        ),
        (
            "#[globl(uninit)] x: f32",
            "2:3 attribute: the attribute `globl` has no effect here => there is an attribute with a similar name: `global`",
        ),
        (
            "#[global(imutable)] x: f32",
            "2:10 attribute: `#[global]` has no option `imutable` => there is an option with a similar name: `immutable`",
        ),
        (
            "#[global(shared)] x: f32",
            "2:10 attribute: `#[global]` has no option `shared` => the options are `init`, `uninit`, `parameter`, `immutable`, `alias`",
        ),
        (
            "#[global(init = 1, init = 2)] x: f32",
            "2:20 attribute: the option `init` is given twice",
        ),
        (
            "#[global] #[global] x: f32",
            "2:11 attribute: `#[global]` is given twice => put all options into one attribute",
        ),
        (
            "#[global(init = 1, uninit)] x: f32",
            "2:20 attribute: the options `init` and `uninit` contradict each other: a global gets its first value from one place",
        ),
        (
            "#[global(immutable, uninit)] x: f32",
            "2:10 attribute: the options `uninit` and `immutable` contradict each other: nothing could ever store its value",
        ),
        (
            "#[global(init)] x: f32",
            "2:10 attribute: the option `init` takes an expression => write `init = zeros()`",
        ),
        (
            "#[global(uninit = true)] x: f32",
            "2:19 attribute: the option `uninit` takes no value => write `uninit` alone",
        ),
        (
            "#[global(parameter = 3)] x: f32",
            "2:22 attribute: the option `parameter` takes a string => write `parameter = \"scope\"`",
        ),
        (
            "#[global(alias = f(x))] x: f32",
            "2:18 attribute: the option `alias` takes the path of an earlier global => write `alias = params.x`",
        ),
        (
            "#[global = 1] x: f32",
            "2:10 attribute: `#[global]` takes its options in parentheses",
        ),
        (
            "#[param(\"a\")] #[global] x: f32",
            "2:9 attribute: the global `x` is not supplied from an archive \
             => write `#[global(parameter = \"scope\")]`, or leave out `#[param]`",
        ),
        (
            "#[global(init = )] x: f32",
            "2:17 syntax: unexpected end of input, expected an expression",
        ),
    ] {
        check("", &with_fields(field), &[expected]);
    }
}

#[test]
fn program_options() {
    for (attribute, expected) in [
        (
            "nam = \"x\"",
            "1:1 attribute: `#[program]` has no option `nam` => there is an option with a similar name: `name`",
        ),
        (
            "name = x",
            "1:8 attribute: the option `name` takes a string => write `name = \"my_program\"`",
        ),
        (
            "name = \"1 2\"",
            "1:8 attribute: `1 2` cannot name a module => use ASCII letters, digits and `_`, starting with a letter",
        ),
        (
            "targets = \"cpu\"",
            "1:11 attribute: the option `targets` takes a list of strings => write `targets = [\"cpu\"]`",
        ),
        (
            "targets = [\"cpu\", 1]",
            "1:19 attribute: `targets` lists strings => write `targets = [\"cpu\"]`",
        ),
        (
            "emit = [\"c\"]",
            "1:9 attribute: there is no output `c`: programs are also compiled to `vm-c`",
        ),
        (
            "opt = \"fast\"",
            "1:7 attribute: there is no preset `fast`: programs are optimised for `speed` or `size`",
        ),
        (
            "opt = 3",
            "1:7 attribute: the option `opt` takes a string => write `opt = \"size\"`",
        ),
        (
            "flags = [\"iree\"]",
            "1:10 attribute: `iree` is not a flag of the IREE compiler => flags start with `--`, and each is a string of its own",
        ),
    ] {
        check(attribute, &with_items(""), &[expected]);
    }
}

#[test]
fn all_mistakes_are_found_at_once() {
    let source = "mod m {
    enum E {}
    struct P { x: f32 }
    impl P {
        fn f(&self) {
            match x {}
            y?;
            let a: *const u8 = b\"\";
        }
    }
}";
    let lines: Vec<_> = Outcome::of("nme = 1", source)
        .mistakes()
        .iter()
        .filter_map(|mistake| mistake.split(' ').next().map(str::to_owned))
        .collect();
    assert_eq!(
        lines,
        ["1:1", "2:5", "3:16", "6:13", "7:14", "8:20", "8:32"]
    );
}

#[test]
fn kernel_modules() {
    for (items, expected) in [
        (
            "fn f(x: Tensor<f32>) -> Tensor<f32> { x } #[kernel] pub fn g() {} struct T { x: Tensor<f32> }",
            None,
        ),
        (
            "#[kernel] use super::m::f; const N: usize = 3; type A = Tensor<f32>;",
            None,
        ),
        (
            "pub struct T; impl T { pub fn f(&self) {} }",
            Some(
                "2:15 structure: a kernel module has no program, and so no `impl` => write the functions as kernels, without `self`",
            ),
        ),
        (
            "fn f(&self) {}",
            Some(
                "2:7 structure: the kernel `f` cannot take `self` => take the values it needs as parameters, or move it into the `impl`",
            ),
        ),
        (
            "struct T { #[global] x: Tensor<f32> }",
            Some("2:12 attribute: `#[global]` belongs on a field of the program"),
        ),
    ] {
        let outcome = Outcome::of_kind(ModuleKind::Kernels, "", &format!("mod m {{\n{items}\n}}"));
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(outcome.mistakes(), expected, "in the source: {items}");
    }
    let says = |attribute: &str, source: &str| {
        Outcome::of_kind(ModuleKind::Kernels, attribute, source).mistakes()
    };
    assert_eq!(
        says("", "pub mod m;"),
        [
            "1:9 structure: the kernel module `m` has no body => write the module in braces: `#[kernel]` cannot read other files"
        ]
    );
    assert_eq!(
        says("name = \"m\"", "mod m {}"),
        ["1:1 attribute: `#[kernel]` on a module has no options"]
    );
}
