//! The text form of a module, for people and for tests. [`Module`] prints it, [`parse`]
//! reads it.
//!
//! ```text
//! module @counter {
//!   global mutable @count: Tensor<i32> = splat 0
//!
//!   func private @scale(%0 x: Tensor<f32, 3>, %1 by: Tensor<f32>) -> Tensor<f32, 3> {
//!     %2 = broadcast %1 axes [] : Tensor<f32, 3>
//!     %3 = multiply %0, %2 : Tensor<f32, 3>
//!     return %3
//!   }
//! }
//! ```
//!
//! Values are written with their index in the function. The types behind `:` are those of the results;
//! a type or shape that is an attribute is written, behind `as`, only where it differs from them.
//! Spans are not part of the text. What is read back equals what was printed if every value is defined
//! and the operations of each function stand in its arena in the order in which they run.

mod build;
mod data;
mod element;
mod error;
mod lexer;
mod operation;
mod parser;
mod print;
mod printer;
mod reader;
mod syntax;

pub(crate) use element::print_data;
pub use error::ParseError;
pub(crate) use printer::Printer;
pub(crate) use reader::{ReadResult, Reader, done};
pub(crate) use syntax::OpSyntax;

use super::Module;

/// Reads the text form of a module. Every span is [`SpanId::CALL_SITE`](crate::SpanId::CALL_SITE).
///
/// # Errors
///
/// The first place where the text is not a module.
///
/// # Examples
///
/// ```
/// use iree_dsl_ir::text::parse;
///
/// let text = "module @m {\n  global @x: Tensor<f32, 2> = splat 1.5\n}\n";
/// let module = parse(text)?;
/// assert_eq!(module.to_string(), text);
/// assert_eq!(parse("module m").unwrap_err().to_string(), "1:8: expected a symbol, found `m`");
/// # Ok::<(), iree_dsl_ir::text::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = lexer::tokens(text)?;
    let syntax = parser::parse(&tokens)?;
    build::module(&syntax)
}

#[cfg(test)]
mod tests;
