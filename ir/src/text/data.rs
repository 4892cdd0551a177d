use super::{
    element,
    lexer::TokenKind,
    parser::{Parser, Result},
    syntax::At,
};
use crate::{Constant, ConstantData};
use iree_abi::{DType, TensorType};

impl Parser<'_> {
    /// Reads the elements of a constant.
    pub(super) fn data(&mut self) -> Result<DataSyntax> {
        let position = self.position();
        let splat = self.eat_word("splat");
        let item = if self.eat_word("bytes") {
            let bytes = self.take("bytes in quotes", |kind| match kind {
                TokenKind::Text(digits) => element::parse_bytes(digits),
                _ => None,
            })?;
            Elements::Bytes(bytes)
        } else if splat {
            Elements::Written(self.element()?)
        } else {
            self.mark('[')?;
            let elements = self.list(']', Self::element)?;
            Elements::Written(elements.into_iter().flatten().collect())
        };
        let elements = At { position, item };
        Ok(DataSyntax { splat, elements })
    }

    /// Reads one element, or the two parts of a complex one.
    fn element(&mut self) -> Result<Vec<At<String>>> {
        if !self.eat_mark('(') {
            return Ok(vec![self.number()?]);
        }
        let re = self.number()?;
        self.mark(',')?;
        let im = self.number()?;
        self.mark(')')?;
        Ok(vec![re, im])
    }

    fn number(&mut self) -> Result<At<String>> {
        let position = self.position();
        let item = self.take("an element", |kind| match kind {
            TokenKind::Number(text) | TokenKind::Word(text) => Some(text.clone()),
            _ => None,
        })?;
        Ok(At { position, item })
    }
}

/// The elements of a constant whose type is not known yet.
pub(super) struct DataSyntax {
    splat: bool,
    elements: At<Elements>,
}

enum Elements {
    Bytes(Vec<u8>),
    Written(Vec<At<String>>),
}

impl DataSyntax {
    pub(super) fn constant(self, ty: TensorType) -> Result<Constant> {
        let bytes = match self.elements.item {
            Elements::Bytes(bytes) => bytes,
            Elements::Written(elements) => encode(&elements, ty.dtype)?,
        };
        let data = match self.splat {
            true => ConstantData::Splat(bytes),
            false => ConstantData::Dense(bytes),
        };
        Ok(Constant { ty, data })
    }
}

fn encode(elements: &[At<String>], dtype: DType) -> Result<Vec<u8>> {
    let encode = |element: &At<String>| {
        let text = &element.item;
        element::parse_element(text, dtype.real()).ok_or_else(|| {
            let message = format!("`{text}` is not an element of type `{dtype}`");
            element.position.error(message)
        })
    };
    let elements: Result<Vec<_>> = elements.iter().map(encode).collect();
    Ok(elements?.concat())
}
