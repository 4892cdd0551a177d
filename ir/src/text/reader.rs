//! What operations are read with.

use super::{
    error::ParseError,
    lexer::TokenKind,
    parser::{Parser, Result},
    syntax::{At, OpSyntax},
};
use crate::op::Op;
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use std::str::FromStr;

/// What a family makes of a text: nothing if the name is that of another.
pub(crate) type ReadResult = Result<Option<OpSyntax>>;

/// Reads what stands behind the name of one operation.
pub(crate) struct Reader<'p, 't> {
    pub(super) parser: &'p mut Parser<'t>,
    pub(super) name: At<String>,
    /// Whether types of results follow.
    pub(super) has_results: bool,
    pub(super) operands: Vec<At<usize>>,
}

impl<'t> Reader<'_, 't> {
    /// Whether the operation has a name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.item == name
    }

    /// The one of several that has the name of the operation.
    pub(crate) fn member<T: Copy>(&self, all: &[T], name: impl Fn(T) -> &'static str) -> Option<T> {
        all.iter().copied().find(|item| self.is(name(*item)))
    }

    /// An operation without attributes, if it is of this name.
    pub(crate) fn plain(&mut self, name: &str, op: Op) -> ReadResult {
        match self.is(name) {
            true => self.bare(op),
            false => Ok(None),
        }
    }

    /// An operation without attributes.
    pub(crate) fn bare(&mut self, op: Op) -> ReadResult {
        self.operands()?;
        done(op)
    }

    /// Reads the operands.
    pub(crate) fn operands(&mut self) -> Result<()> {
        if matches!(self.parser.peek(), TokenKind::Value(_)) && !self.parser.at_results() {
            self.operands = self.parser.items(Parser::value)?;
        }
        Ok(())
    }

    /// Reads `@name`.
    pub(crate) fn symbol(&mut self) -> Result<At<String>> {
        self.parser.symbol()
    }

    /// Reads the elements of a constant, and its type.
    pub(crate) fn constant(&mut self) -> Result<crate::Constant> {
        let data = self.parser.data()?;
        self.operands()?;
        data.constant(self.ty()?)
    }

    /// Reads a name, in quotes or not.
    pub(crate) fn word(&mut self, keyword: &str) -> Result<String> {
        self.parser.keyword(keyword)?;
        self.parser.name()
    }

    /// Reads an attribute that is a number.
    pub(crate) fn number<T: FromStr>(&mut self, keyword: &str) -> Result<T> {
        self.parser.keyword(keyword)?;
        self.parser.count()
    }

    /// Reads an attribute that is a list of numbers.
    pub(crate) fn list<T: FromStr>(&mut self, keyword: &str) -> Result<Vec<T>> {
        self.items(keyword, Parser::count)
    }

    /// Reads an attribute that is a list of numbers and names.
    pub(crate) fn extents(&mut self, keyword: &str) -> Result<Vec<Extent>> {
        self.items(keyword, Parser::extent)
    }

    /// Reads an attribute that is a shape.
    pub(crate) fn dims(&mut self, keyword: &str) -> Result<Shape> {
        let dims: Vec<Dim> = self.items(keyword, Parser::dim)?;
        Ok(Shape::new(dims))
    }

    /// Reads an attribute that is a list of names.
    pub(crate) fn names(&mut self, keyword: &str) -> Result<Vec<String>> {
        self.items(keyword, Parser::name)
    }

    /// Reads an attribute that is a list of types.
    pub(crate) fn types(&mut self, keyword: &str) -> Result<Vec<TensorType>> {
        self.items(keyword, Parser::tensor_type)
    }

    /// Reads an attribute that is a list of names with types.
    pub(crate) fn typed_names(&mut self, keyword: &str) -> Result<Vec<(String, TensorType)>> {
        self.items(keyword, |parser| {
            let name = parser.name()?;
            parser.mark(':')?;
            Ok((name, parser.tensor_type()?))
        })
    }

    fn items<T>(
        &mut self,
        keyword: &str,
        item: impl Fn(&mut Parser<'t>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.parser.keyword(keyword)?;
        self.parser.mark('[')?;
        self.parser.list(']', item)
    }

    /// Reads an element type behind `as`; otherwise it is that of the result.
    pub(crate) fn dtype(&mut self) -> Result<DType> {
        match self.parser.eat_word("as") {
            true => self.parser.dtype(),
            false => Ok(self.result()?.dtype),
        }
    }

    /// Reads a shape behind `as`; otherwise it is that of the result.
    pub(crate) fn shape(&mut self) -> Result<Shape> {
        match self.parser.eat_word("as") {
            true => {
                self.parser.mark('[')?;
                let dims: Vec<Dim> = self.parser.list(']', Parser::dim)?;
                Ok(Shape::new(dims))
            }
            false => Ok(self.result()?.shape),
        }
    }

    /// Reads a type behind `as`; otherwise it is that of the result.
    pub(crate) fn ty(&mut self) -> Result<TensorType> {
        match self.explicit_type()? {
            Some(ty) => Ok(ty),
            None => self.result(),
        }
    }

    /// Reads a type behind `as`, if there is one.
    pub(crate) fn explicit_type(&mut self) -> Result<Option<TensorType>> {
        match self.parser.eat_word("as") {
            true => self.parser.tensor_type().map(Some),
            false => Ok(None),
        }
    }

    /// Reads the types of parameters and results behind `as`, if they are there.
    pub(crate) fn signature(&mut self) -> Result<Option<(Vec<TensorType>, Vec<TensorType>)>> {
        if !self.parser.eat_word("as") {
            return Ok(None);
        }
        self.parser.mark('(')?;
        let parameters = self.parser.list(')', Parser::tensor_type)?;
        if !self.parser.eat(&TokenKind::Arrow) {
            return self.parser.expected("`->`");
        }
        self.parser.mark('(')?;
        let results = self.parser.list(')', Parser::tensor_type)?;
        Ok(Some((parameters, results)))
    }

    /// An error at this point.
    pub(crate) fn error(&self, message: &str) -> ParseError {
        self.parser.position().error(message)
    }

    /// The type of the result, which stands behind the attributes.
    fn result(&mut self) -> Result<TensorType> {
        let ahead = match self.has_results {
            true => self.parser.first_type_ahead(),
            false => None,
        };
        ahead.ok_or_else(|| self.wrong())
    }

    pub(super) fn wrong(&self) -> ParseError {
        let message = format!(
            "`{}` has another attribute, or none, behind `as`",
            self.name.item
        );
        self.name.position.error(message)
    }
}

/// What has been read.
pub(crate) fn done(op: Op) -> ReadResult {
    Ok(Some(OpSyntax::Known(op)))
}
