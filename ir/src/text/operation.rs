use super::{
    lexer::TokenKind,
    parser::{Parser, Result},
    reader::Reader,
    syntax::{At, OpSyntax, OperationSyntax, RegionSyntax},
};
use crate::op::READ;

/// Reads an operation.
pub(super) fn parse(parser: &mut Parser<'_>) -> Result<OperationSyntax> {
    let results = match parser.peek() {
        TokenKind::Value(_) => {
            let results = parser.items(Parser::value)?;
            parser.mark('=')?;
            results
        }
        _ => Vec::new(),
    };
    let (operation, operands) = applied(parser, !results.is_empty())?;
    let position = parser.position();
    let types = match parser.eat_mark(':') {
        true => parser.items(Parser::tensor_type)?,
        false => Vec::new(),
    };
    if types.len() != results.len() {
        let (results, types) = (results.len(), types.len());
        return Err(position.error(format!("{results} results have {types} types")));
    }
    let mut regions = Vec::new();
    while parser.eat_word("region") {
        regions.push(nested(parser)?);
    }
    Ok(OperationSyntax {
        operation,
        operands,
        results: results.into_iter().zip(types).collect(),
        regions,
    })
}

/// Reads an operation with its operands and attributes.
fn applied(parser: &mut Parser<'_>, has_results: bool) -> Result<(OpSyntax, Vec<At<usize>>)> {
    let position = parser.position();
    let item = parser.word("an operation or `return`")?;
    let mut reader = Reader {
        parser,
        name: At { position, item },
        has_results,
        operands: Vec::new(),
    };
    for read in READ {
        if let Some(operation) = read(&mut reader)? {
            if matches!(reader.parser.peek(), TokenKind::Word(word) if word == "as") {
                return Err(reader.wrong());
            }
            return Ok((operation, reader.operands));
        }
    }
    let At { position, item } = reader.name;
    Err(position.error(format!("there is no operation `{item}`")))
}

fn nested(parser: &mut Parser<'_>) -> Result<RegionSyntax> {
    parser.mark('(')?;
    let parameters = parser.list(')', Parser::typed_value)?;
    parser.mark('{')?;
    parser.region(parameters)
}
