//! What keeps references from dangling, rule by rule.
//!
//! Every rule below has a program that obeys it, and the same program with the rule broken, which does not compile. They are
//! tests of this crate.
//!
//! | what | lives no longer than |
//! |---|---|
//! | a module, a type, an attribute, a location | the context |
//! | an operation, a block, a region, a value, a view, a builder, an iterator | the module that it is in |
//! | what a function of [`edit`](crate::edit()) or a pass gets | the call of that function |
//!
//! What can only be known while the program runs is an [`Error::Edit`](crate::Error::Edit): a value of another module as an
//! operand, an operation that would be moved into itself, and erasing what is still used.
//!
//! Outside of these rules are operations, blocks and regions of melior that are in no module yet, as
//! [`Block::new`](melior::ir::Block::new) makes them: melior lets values of such a block outlive it, and
//! [`Module::new`](melior::ir::Module::new) the context, which [`module`](crate::module()) does not. A [`Builder`](crate::Builder) builds
//! inside of the module from the start, and refuses values that are not there.
//!
//! # The context comes first
//!
//! ```
//! use iree_dialects::prelude::*;
//! let context = iree_dialects::context();
//! let module = iree_dialects::module(Location::unknown(&context));
//! drop(module);
//! drop(context);
//! ```
//! ```compile_fail,E0505
//! use iree_dialects::prelude::*;
//! let context = iree_dialects::context();
//! let module = iree_dialects::module(Location::unknown(&context));
//! drop(context);
//! drop(module);
//! ```
//!
//! # Nothing of a module outlives it
//!
//! ```
//! use iree_dialects::{parse, prelude::*};
//! let context = iree_dialects::context();
//! let module = parse(&context, "func.func @f() { return }").unwrap();
//! let function = module.as_operation().descendants().next().unwrap();
//! let _name = function.to_string();
//! drop(module);
//! ```
//! ```compile_fail,E0505
//! use iree_dialects::{parse, prelude::*};
//! let context = iree_dialects::context();
//! let module = parse(&context, "func.func @f() { return }").unwrap();
//! let function = module.as_operation().descendants().next().unwrap();
//! drop(module);
//! let _name = function.to_string();
//! ```
//!
//! Neither do views and values:
//!
//! ```compile_fail,E0515
//! use iree_dialects::{func, parse, prelude::*};
//! fn argument<'c>(context: &'c Context) -> Value<'c, 'c> {
//!     let module = parse(context, "func.func @f(%a: i32) { return }").unwrap();
//!     let function = module.as_operation().descendants().next().unwrap();
//!     let function = function.cast::<func::FuncOperation>().unwrap();
//!     let block = function.body().unwrap().blocks().next().unwrap();
//!     block.arguments()[0]
//! }
//! ```
//!
//! # Builders end before their module
//!
//! ```
//! use iree_dialects::{func, prelude::*};
//! let context = iree_dialects::context();
//! let location = Location::unknown(&context);
//! let module = iree_dialects::module(location);
//! let builder = Builder::at_end(module.body(), location);
//! func::define(&builder, "f", [], |_, []| Ok([])).unwrap();
//! drop(module);
//! ```
//! ```compile_fail,E0505
//! use iree_dialects::{func, prelude::*};
//! let context = iree_dialects::context();
//! let location = Location::unknown(&context);
//! let module = iree_dialects::module(location);
//! let builder = Builder::at_end(module.body(), location);
//! drop(module);
//! func::define(&builder, "f", [], |_, []| Ok([])).unwrap();
//! ```
//!
//! # Nobody holds on to a module while something of it is erased
//!
//! ```
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! let function = module.as_operation().descendants().next().unwrap();
//! let _name = function.to_string();
//! edit(&mut module, |editor| {
//!     let function = editor.root().descendants().next().unwrap();
//!     editor.erase(function)
//! })
//! .unwrap();
//! assert_eq!(module.as_operation().descendants().count(), 0);
//! ```
//! ```compile_fail,E0502
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! let function = module.as_operation().descendants().next().unwrap();
//! edit(&mut module, |editor| {
//!     let function = editor.root().descendants().next().unwrap();
//!     editor.erase(function)
//! })
//! .unwrap();
//! let _name = function.to_string();
//! ```
//!
//! # Nothing leaves an edit
//!
//! Not as its result:
//!
//! ```compile_fail
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! let function = edit(&mut module, |editor| Ok::<_, Error>(editor.root())).unwrap();
//! ```
//!
//! nor through a variable:
//!
//! ```compile_fail,E0521
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! let mut kept = None;
//! edit(&mut module, |editor| {
//!     kept = Some(editor.root());
//!     Ok::<_, Error>(())
//! })
//! .unwrap();
//! ```
//!
//! # An edit does not erase what another edits
//!
//! ```compile_fail,E0499
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! edit(&mut module, |_| edit(&mut module, |_| Ok::<_, Error>(()))).unwrap();
//! ```
//!
//! # An edit changes its own module alone
//!
//! ```compile_fail,E0597
//! use iree_dialects::{edit, parse, prelude::*};
//! let context = iree_dialects::context();
//! let mut module = parse(&context, "func.func @f() { return }").unwrap();
//! let other = parse(&context, "func.func @f() { return }").unwrap();
//! let function = other.as_operation().descendants().next().unwrap();
//! edit(&mut module, |editor| editor.erase(function)).unwrap();
//! ```
