use super::{
    error::{ParseError, Position},
    lexer::{Token, TokenKind},
    operation,
    syntax::{
        At, FunctionSyntax, GlobalSyntax, InitSyntax, ModuleSyntax, RegionSyntax, TypedValue,
    },
};
use crate::{Linkage, ParameterName};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use std::str::FromStr;

/// Regions in regions deeper than this are refused, for the sake of the stack.
const DEPTH_LIMIT: usize = 256;

/// Reads a module.
pub(super) fn parse(tokens: &[Token]) -> Result<ModuleSyntax, ParseError> {
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
    };
    parser.module()
}

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    depth: usize,
}

pub(super) type Result<T, E = ParseError> = std::result::Result<T, E>;

impl Parser<'_> {
    pub(super) fn position(&self) -> Position {
        match self.tokens.get(self.next).or(self.tokens.last()) {
            Some(token) => token.position,
            None => Position { line: 1, column: 1 },
        }
    }

    pub(super) fn peek(&self) -> &TokenKind {
        match self.tokens.get(self.next) {
            Some(token) => &token.kind,
            None => &TokenKind::End,
        }
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        let message = format!("expected {what}, found {}", self.peek());
        Err(self.position().error(message))
    }

    /// Reads a token if `read` takes it.
    pub(super) fn take<T>(
        &mut self,
        what: &str,
        read: impl Fn(&TokenKind) -> Option<T>,
    ) -> Result<T> {
        match read(self.peek()) {
            Some(item) => {
                self.next += 1;
                Ok(item)
            }
            None => self.expected(what),
        }
    }

    /// Reads this token if it comes next.
    pub(super) fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek() == kind;
        self.next += usize::from(found);
        found
    }

    pub(super) fn eat_mark(&mut self, mark: char) -> bool {
        self.eat(&TokenKind::Mark(mark))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Word(next) if next == word);
        self.next += usize::from(found);
        found
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<()> {
        if self.eat_mark(mark) {
            Ok(())
        } else {
            self.expected(&format!("`{mark}`"))
        }
    }

    pub(super) fn keyword(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            self.expected(&format!("`{word}`"))
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<String> {
        self.take(what, |kind| match kind {
            TokenKind::Word(word) => Some(word.clone()),
            _ => None,
        })
    }

    pub(super) fn symbol(&mut self) -> Result<At<String>> {
        let position = self.position();
        let item = self.take("a symbol", |kind| match kind {
            TokenKind::Symbol(name) => Some(name.clone()),
            _ => None,
        })?;
        Ok(At { position, item })
    }

    pub(super) fn value(&mut self) -> Result<At<usize>> {
        let position = self.position();
        let item = self.take("a value", |kind| match kind {
            TokenKind::Value(index) => Some(*index),
            _ => None,
        })?;
        Ok(At { position, item })
    }

    /// A number of any integer type.
    pub(super) fn count<T: FromStr>(&mut self) -> Result<T> {
        self.take("a number", |kind| match kind {
            TokenKind::Number(text) => text.parse().ok(),
            _ => None,
        })
    }

    /// The first type behind the next `:` that is in no brackets. Nothing is read.
    pub(super) fn first_type_ahead(&mut self) -> Option<TensorType> {
        let here = self.next;
        let mut depth = 0_usize;
        while self.peek() != &TokenKind::End {
            match self.peek() {
                TokenKind::Mark(':') if depth == 0 => break,
                TokenKind::Mark('(' | '[' | '<' | '{') => depth += 1,
                TokenKind::Mark(')' | ']' | '>' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next += 1;
        }
        self.next += 1;
        let ty = self.tensor_type().ok();
        self.next = here;
        ty
    }

    /// Whether values with `=` behind them come next: the results of another operation.
    pub(super) fn at_results(&self) -> bool {
        let is_value = |token: &&Token| matches!(token.kind, TokenKind::Value(_));
        let mut rest = self.tokens.iter().skip(self.next);
        while rest.next().as_ref().is_some_and(is_value) {
            match rest.next().map(|token| &token.kind) {
                Some(TokenKind::Mark(',')) => {}
                next => return next == Some(&TokenKind::Mark('=')),
            }
        }
        false
    }

    /// Reads items with commas between them up to a mark, which is read too.
    pub(super) fn list<T>(
        &mut self,
        end: char,
        item: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        if self.eat_mark(end) {
            return Ok(Vec::new());
        }
        let items = self.items(item)?;
        self.mark(end)?;
        Ok(items)
    }

    /// Reads one or more items with commas between them.
    pub(super) fn items<T>(&mut self, item: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat_mark(',') {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn module(&mut self) -> Result<ModuleSyntax> {
        self.keyword("module")?;
        let mut module = ModuleSyntax {
            name: self.symbol()?.item,
            globals: Vec::new(),
            functions: Vec::new(),
        };
        self.mark('{')?;
        while !self.eat_mark('}') {
            if self.eat_word("global") {
                module.globals.push(self.global()?);
            } else if self.eat_word("func") {
                module.functions.push(self.function()?);
            } else {
                return self.expected("`global`, `func` or `}`");
            }
        }
        if self.eat(&TokenKind::End) {
            Ok(module)
        } else {
            self.expected("the end")
        }
    }

    fn global(&mut self) -> Result<GlobalSyntax> {
        let mutable = self.eat_word("mutable");
        let name = self.symbol()?.item;
        self.mark(':')?;
        let ty = self.tensor_type()?;
        let init = self.init(&ty)?;
        Ok(GlobalSyntax {
            name,
            ty,
            mutable,
            init,
        })
    }

    fn init(&mut self, ty: &TensorType) -> Result<InitSyntax> {
        if self.eat_word("uninitialized") {
            return Ok(InitSyntax::Uninitialized);
        }
        if self.eat_word("parameter") {
            let (scope, key) = (self.symbol()?.item, self.symbol()?.item);
            return Ok(InitSyntax::Parameter(ParameterName { scope, key }));
        }
        self.mark('=')?;
        if matches!(self.peek(), TokenKind::Symbol(_)) {
            let function = self.symbol()?;
            self.keyword("result")?;
            return Ok(InitSyntax::Function(function, self.count()?));
        }
        let data = self.data()?;
        let ty = match self.eat_word("as") {
            true => self.tensor_type()?,
            false => ty.clone(),
        };
        Ok(InitSyntax::Constant(data.constant(ty)?))
    }

    fn function(&mut self) -> Result<FunctionSyntax> {
        let linkage = if self.eat_word("public") {
            Linkage::Public
        } else if self.eat_word("private") {
            Linkage::Private
        } else {
            return self.expected("`public` or `private`");
        };
        let name = self.symbol()?.item;
        self.mark('(')?;
        let parameters = self.list(')', Self::parameter)?;
        let names = parameters.iter().filter_map(|(name, _)| name.clone());
        let parameter_names = names.collect();
        let parameters = parameters.into_iter().map(|(_, parameter)| parameter);
        let position = self.position();
        let item = match self.eat(&TokenKind::Arrow) {
            true => self.items(Self::tensor_type)?,
            false => Vec::new(),
        };
        let results = At { position, item };
        self.mark('{')?;
        Ok(FunctionSyntax {
            name,
            linkage,
            parameter_names,
            results,
            body: self.region(parameters.collect())?,
        })
    }

    fn parameter(&mut self) -> Result<(Option<String>, TypedValue)> {
        let value = self.value()?;
        let name = self.name();
        self.mark(':')?;
        Ok((name.ok(), (value, self.tensor_type()?)))
    }

    /// Reads a word, or a text in quotes.
    pub(super) fn name(&mut self) -> Result<String> {
        self.take("a name", |kind| match kind {
            TokenKind::Word(name) | TokenKind::Text(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// Reads a region behind its `{`.
    pub(super) fn region(&mut self, parameters: Vec<TypedValue>) -> Result<RegionSyntax> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(self.position().error("the regions are nested too deeply"));
        }
        let mut operations = Vec::new();
        while !self.eat_word("return") {
            operations.push(operation::parse(self)?);
        }
        let results = match self.eat_mark('}') {
            true => Vec::new(),
            false => {
                let results = self.items(Self::value)?;
                self.mark('}')?;
                results
            }
        };
        self.depth -= 1;
        Ok(RegionSyntax {
            parameters,
            operations,
            results,
        })
    }

    pub(super) fn typed_value(&mut self) -> Result<TypedValue> {
        let value = self.value()?;
        self.mark(':')?;
        Ok((value, self.tensor_type()?))
    }

    pub(super) fn tensor_type(&mut self) -> Result<TensorType> {
        if !self.eat_word("Tensor") {
            return self.expected("a type `Tensor<…>`");
        }
        self.mark('<')?;
        let dtype = self.dtype()?;
        let mut dims = Vec::new();
        while self.eat_mark(',') {
            dims.push(self.dim()?);
        }
        self.mark('>')?;
        Ok(TensorType::new(dtype, Shape::new(dims)))
    }

    pub(super) fn dtype(&mut self) -> Result<DType> {
        let position = self.position();
        let mut name = self.word("an element type")?;
        if name == "Complex" {
            self.mark('<')?;
            name = format!("Complex<{}>", self.word("an element type")?);
            self.mark('>')?;
        }
        let unknown = |_| position.error(format!("`{name}` is not an element type"));
        name.parse().map_err(unknown)
    }

    pub(super) fn dim(&mut self) -> Result<Dim> {
        let position = self.position();
        let dim = Dim::from_extent(self.extent()?);
        dim.ok_or_else(|| position.error("a dimension cannot be negative"))
    }

    pub(super) fn extent(&mut self) -> Result<Extent> {
        let position = self.position();
        let mut text = String::new();
        while let Some(part) = self.extent_part() {
            text = format!("{text} {part}");
        }
        if text.is_empty() {
            return self.expected("a number or a name");
        }
        let not_one = |_| position.error(format!("`{}` is not a size", text.trim()));
        text.parse().map_err(not_one)
    }

    /// The next token, if it can be part of an extent.
    fn extent_part(&mut self) -> Option<String> {
        let part = match self.peek() {
            TokenKind::Number(text) | TokenKind::Word(text) => text.clone(),
            TokenKind::Mark(mark @ ('+' | '*' | '/' | '(' | ')')) => mark.to_string(),
            _ => return None,
        };
        self.next += 1;
        Some(part)
    }
}
