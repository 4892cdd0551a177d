use crate::ast::BinaryOperator;
use proc_macro2::Span;
use syn::BinOp;

/// An operator between two operands.
pub(super) enum Operator {
    /// `a + b`.
    Plain(BinaryOperator),
    /// `a += b`.
    Compound(BinaryOperator),
}

/// The operator and the spans of its characters; `None` for one that Rust gained later.
pub(super) fn operator(source: &BinOp) -> Option<(Operator, &[Span])> {
    use BinaryOperator as To;
    use Operator::{Compound, Plain};
    Some(match source {
        BinOp::Add(token) => (Plain(To::Add), &token.spans),
        BinOp::Sub(token) => (Plain(To::Subtract), &token.spans),
        BinOp::Mul(token) => (Plain(To::Multiply), &token.spans),
        BinOp::Div(token) => (Plain(To::Divide), &token.spans),
        BinOp::Rem(token) => (Plain(To::Remainder), &token.spans),
        BinOp::And(token) => (Plain(To::LazyAnd), &token.spans),
        BinOp::Or(token) => (Plain(To::LazyOr), &token.spans),
        BinOp::BitXor(token) => (Plain(To::Xor), &token.spans),
        BinOp::BitAnd(token) => (Plain(To::And), &token.spans),
        BinOp::BitOr(token) => (Plain(To::Or), &token.spans),
        BinOp::Shl(token) => (Plain(To::ShiftLeft), &token.spans),
        BinOp::Shr(token) => (Plain(To::ShiftRight), &token.spans),
        BinOp::Eq(token) => (Plain(To::Equal), &token.spans),
        BinOp::Lt(token) => (Plain(To::Less), &token.spans),
        BinOp::Le(token) => (Plain(To::LessEqual), &token.spans),
        BinOp::Ne(token) => (Plain(To::NotEqual), &token.spans),
        BinOp::Ge(token) => (Plain(To::GreaterEqual), &token.spans),
        BinOp::Gt(token) => (Plain(To::Greater), &token.spans),
        BinOp::AddAssign(token) => (Compound(To::Add), &token.spans),
        BinOp::SubAssign(token) => (Compound(To::Subtract), &token.spans),
        BinOp::MulAssign(token) => (Compound(To::Multiply), &token.spans),
        BinOp::DivAssign(token) => (Compound(To::Divide), &token.spans),
        BinOp::RemAssign(token) => (Compound(To::Remainder), &token.spans),
        BinOp::BitXorAssign(token) => (Compound(To::Xor), &token.spans),
        BinOp::BitAndAssign(token) => (Compound(To::And), &token.spans),
        BinOp::BitOrAssign(token) => (Compound(To::Or), &token.spans),
        BinOp::ShlAssign(token) => (Compound(To::ShiftLeft), &token.spans),
        BinOp::ShrAssign(token) => (Compound(To::ShiftRight), &token.spans),
        _ => return None,
    })
}
