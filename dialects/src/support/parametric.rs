use std::{collections::BTreeMap, str::FromStr};

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Type, TypeLike,
        attribute::{StringAttribute, TypeAttribute},
        r#type::IntegerType,
    },
};

use super::{enumeration::number_of, scanner::Scanner};
use crate::{
    DefinitionInfo, DefinitionKind, Error, ParameterInfo, ParameterKind, Piece, attributes, raw,
    types,
};

/// A generated attribute or type.
pub trait Parametric<'c>: Sized {
    /// What its definition says.
    const INFO: &'static DefinitionInfo;

    /// The values of its parameters.
    fn write(&self) -> Vec<Argument<'c>>;

    /// The value with these parameters.
    fn read(arguments: Arguments<'c>) -> Result<Self, Error>;
}

/// What stands for a parameter that is absent, in dialects that MLIR was told of while running.
const ABSENT: &str = "unit";

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument<'c> {
    Integer(i128),
    Bool(bool),
    String(String),
    Keyword(String),
    Attribute(Attribute<'c>),
    Type(Type<'c>),
    Integers(Vec<i128>),
    Attributes(Vec<Attribute<'c>>),
    Types(Vec<Type<'c>>),
    /// Nothing, of a parameter that may be absent.
    Absent,
}

/// The values of all parameters, and where they are from.
#[derive(Debug)]
pub struct Arguments<'c> {
    info: &'static DefinitionInfo,
    text: String,
    values: Vec<Argument<'c>>,
}

/// The attribute of a value.
pub fn attribute_of<'c, T: Parametric<'c>>(
    context: &'c Context,
    value: &T,
) -> Result<Attribute<'c>, Error> {
    build(context, T::INFO, &value.write(), attributes::parse)
}

/// The type of a value.
pub fn type_of<'c, T: Parametric<'c>>(context: &'c Context, value: &T) -> Result<Type<'c>, Error> {
    build(context, T::INFO, &value.write(), types::parse)
}

/// The value of an attribute.
pub fn of_attribute<'c, T: Parametric<'c>>(attribute: Attribute<'c>) -> Result<T, Error> {
    let context = raw::context_of(attribute.context());
    T::read(read(context, T::INFO, attribute.to_string())?)
}

/// The value of a type.
pub fn of_type<'c, T: Parametric<'c>>(r#type: Type<'c>) -> Result<T, Error> {
    let context = raw::context_of(r#type.context());
    T::read(read(context, T::INFO, r#type.to_string())?)
}

/// Tries the syntax of the definition, and then that of dialects that MLIR was told of while running.
fn build<'c, T>(
    context: &'c Context,
    info: &'static DefinitionInfo,
    arguments: &[Argument<'c>],
    parse: impl Fn(&'c Context, &str) -> Result<T, Error>,
) -> Result<T, Error> {
    parse(context, &wrap(info, &native(info, arguments))).or_else(|error| {
        let registered = info.parameters.iter().zip(arguments);
        let registered = registered.map(|(info, argument)| argument.registered(info));
        let registered = registered.collect::<Vec<_>>().join(", ");
        parse(context, &wrap(info, &registered)).map_err(|_| error)
    })
}

/// The sigil, the names and the angle brackets.
fn wrap(info: &DefinitionInfo, body: &str) -> String {
    let DefinitionInfo {
        dialect, mnemonic, ..
    } = info;
    let sigil = sigil(info);
    if info.parameters.is_empty() {
        format!("{sigil}{dialect}.{mnemonic}")
    } else {
        format!("{sigil}{dialect}.{mnemonic}<{body}>")
    }
}

fn sigil(info: &DefinitionInfo) -> char {
    match info.kind {
        DefinitionKind::Attribute => '#',
        DefinitionKind::Type => '!',
    }
}

/// What stands between the brackets in the syntax of the definition.
fn native(info: &DefinitionInfo, arguments: &[Argument<'_>]) -> String {
    pieces_text(info, info.syntax, arguments).replace(" ,", ",")
}

fn pieces_text(info: &DefinitionInfo, pieces: &[Piece], arguments: &[Argument<'_>]) -> String {
    let all = || info.parameters.iter().zip(arguments);
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Literal(text) => (*text).to_owned(),
        Piece::Parameter(index) => arguments
            .get(*index)
            .map(Argument::native)
            .unwrap_or_default(),
        Piece::List => {
            let present = all().filter(|(_, argument)| **argument != Argument::Absent);
            let values = present.map(|(_, argument)| argument.native());
            values.collect::<Vec<_>>().join(", ")
        }
        Piece::Struct => {
            let present = all().filter(|(info, argument)| !info.optional || !argument.is_default());
            let fields =
                present.map(|(info, argument)| format!("{} = {}", info.name, argument.native()));
            fields.collect::<Vec<_>>().join(", ")
        }
        Piece::Group(inner) => {
            let absent = inner.iter().any(|piece| match piece {
                Piece::Parameter(index) => arguments.get(*index).is_none_or(Argument::is_default),
                _ => false,
            });
            if absent {
                String::new()
            } else {
                pieces_text(info, inner, arguments)
            }
        }
    });
    let texts = texts.filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}

/// The parameters in a text, in either syntax.
fn read<'c>(
    context: &'c Context,
    info: &'static DefinitionInfo,
    text: String,
) -> Result<Arguments<'c>, Error> {
    let values = body(info, &text)
        .and_then(|body| values(context, info, body).or_else(|| registered(context, info, body)));
    match values {
        Some(values) => Ok(Arguments { info, text, values }),
        None => Err(downcast(info, &text)),
    }
}

fn downcast(info: &DefinitionInfo, text: &str) -> Error {
    Error::Downcast {
        expected: format!("`{}{}.{}`", sigil(info), info.dialect, info.mnemonic),
        found: text.to_owned(),
    }
}

/// What stands between the brackets, if the names are right.
fn body<'t>(info: &DefinitionInfo, text: &'t str) -> Option<&'t str> {
    let text = text.strip_prefix(sigil(info))?.strip_prefix(info.dialect)?;
    if let Some(rest) = text.strip_prefix('.') {
        let rest = rest.strip_prefix(info.mnemonic)?;
        return if rest.is_empty() {
            Some("")
        } else {
            rest.strip_prefix('<')?.strip_suffix('>')
        };
    }
    // The long form of the same.
    let inside = text
        .strip_prefix('<')?
        .strip_suffix('>')?
        .strip_prefix(info.mnemonic)?;
    match inside.trim() {
        "" => Some(""),
        inside => inside.strip_prefix('<')?.strip_suffix('>'),
    }
}

fn values<'c>(
    context: &'c Context,
    info: &'static DefinitionInfo,
    body: &str,
) -> Option<Vec<Argument<'c>>> {
    let mut scanner = Scanner::new(body);
    let mut found = BTreeMap::new();
    read_pieces(context, info, info.syntax, &[], &mut scanner, &mut found)?;
    let all = info
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let absent = || Argument::default_of(parameter);
            found.remove(&index).or_else(absent)
        });
    let all = all.collect::<Option<Vec<_>>>()?;
    scanner.is_empty().then_some(all)
}

/// Reads pieces, after which one of some literals comes, or the end.
fn read_pieces<'c>(
    context: &'c Context,
    info: &'static DefinitionInfo,
    pieces: &'static [Piece],
    after: &[&'static str],
    scanner: &mut Scanner<'_>,
    found: &mut BTreeMap<usize, Argument<'c>>,
) -> Option<()> {
    let parse =
        |index: usize, text: &str| Argument::parse(context, info.parameters.get(index)?, text);
    for (place, piece) in pieces.iter().enumerate() {
        let until = following(info, pieces.get(place + 1..).unwrap_or_default(), after);
        match piece {
            Piece::Literal(text) => scanner.skip(text)?,
            Piece::Parameter(index) => {
                found.insert(*index, parse(*index, scanner.take(&until))?);
            }
            Piece::List => {
                let list = Scanner::new(scanner.take(&until)).list();
                for (index, text) in list.into_iter().enumerate() {
                    found.insert(index, parse(index, text)?);
                }
            }
            Piece::Struct => {
                for field in Scanner::new(scanner.take(&until)).list() {
                    let (name, text) = field.split_once('=')?;
                    let index = position(info, name.trim())?;
                    found.insert(index, parse(index, text.trim())?);
                }
            }
            Piece::Group(inner) => {
                let mut ahead = *scanner;
                let mut inside = BTreeMap::new();
                if read_pieces(context, info, inner, &until, &mut ahead, &mut inside).is_some() {
                    *scanner = ahead;
                    found.append(&mut inside);
                }
            }
        }
    }
    Some(())
}

/// The literals that may come first in pieces.
fn following(
    info: &DefinitionInfo,
    pieces: &'static [Piece],
    after: &[&'static str],
) -> Vec<&'static str> {
    let first = |piece: &Piece| match piece {
        Piece::Literal(text) => Some(*text),
        Piece::Parameter(index) => {
            let kind = info.parameters.get(*index)?.kind;
            let is_list = matches!(
                kind,
                ParameterKind::Integers(_) | ParameterKind::Attributes | ParameterKind::Types
            );
            is_list.then_some("[")
        }
        Piece::List | Piece::Struct | Piece::Group(_) => None,
    };
    let mut literals = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Group(inner) => literals.extend(inner.first().and_then(first)),
            piece => {
                literals.extend(first(piece));
                return literals;
            }
        }
    }
    literals.extend(after);
    literals
}

fn position(info: &DefinitionInfo, name: &str) -> Option<usize> {
    info.parameters
        .iter()
        .position(|parameter| parameter.name == name)
}

/// The parameters in the syntax of dialects that MLIR was told of while running.
fn registered<'c>(
    context: &'c Context,
    info: &'static DefinitionInfo,
    body: &str,
) -> Option<Vec<Argument<'c>>> {
    let texts = Scanner::new(body).list();
    if texts.len() != info.parameters.len() {
        return None;
    }
    let parameters = info.parameters.iter().zip(texts);
    parameters
        .map(|(parameter, text)| {
            let absent = Argument::default_of(parameter).filter(|one| *one == Argument::Absent);
            let absent = absent.filter(|_| text == ABSENT);
            absent.or_else(|| Argument::parse(context, parameter, text))
        })
        .collect()
}

impl<'c> Arguments<'c> {
    /// Values for tests, others for each variant.
    pub fn sample(
        context: &'c Context,
        info: &'static DefinitionInfo,
        variant: usize,
    ) -> Result<Self, Error> {
        let number = variant as i128 + 1;
        let r#type = |width| Type::from(IntegerType::new(context, width));
        let types = vec![r#type(8), r#type(number as u32 * 16)];
        let attribute = |number: i128| {
            Attribute::from(StringAttribute::new(
                context,
                &format!("attribute {number}"),
            ))
        };
        let values = info
            .parameters
            .iter()
            .map(|parameter| match parameter.kind {
                ParameterKind::Integer(_) => Argument::Integer(number),
                ParameterKind::Bool => Argument::Bool(variant == 0),
                ParameterKind::String => Argument::String(format!("text {number}")),
                ParameterKind::Enumeration(info) => {
                    let case = info.cases.get(variant).or(info.cases.first());
                    Argument::Keyword(case.map(|(keyword, _)| *keyword).unwrap_or_default().into())
                }
                ParameterKind::Attribute => Argument::Attribute(attribute(number)),
                ParameterKind::Type => Argument::Type(r#type(number as u32 * 8)),
                ParameterKind::Integers(_) => Argument::Integers(vec![number, 7]),
                ParameterKind::Attributes => {
                    Argument::Attributes(vec![attribute(number), attribute(0)])
                }
                ParameterKind::Types => Argument::Types(types.clone()),
            });
        Ok(Self {
            info,
            text: String::new(),
            values: values.collect(),
        })
    }
}

impl<'c> Argument<'c> {
    fn is_default(&self) -> bool {
        match self {
            Self::Integer(value) => *value == 0,
            Self::Bool(value) => !value,
            Self::String(text) => text.is_empty(),
            Self::Integers(values) => values.is_empty(),
            Self::Attributes(values) => values.is_empty(),
            Self::Types(values) => values.is_empty(),
            Self::Absent => true,
            Self::Keyword(_) | Self::Attribute(_) | Self::Type(_) => false,
        }
    }

    fn default_of(info: &ParameterInfo) -> Option<Self> {
        if !info.optional {
            return None;
        }
        Some(match info.kind {
            ParameterKind::Integer(_) => Self::Integer(0),
            ParameterKind::Bool => Self::Bool(false),
            ParameterKind::String => Self::String(String::new()),
            ParameterKind::Integers(_) => Self::Integers(vec![]),
            ParameterKind::Attributes => Self::Attributes(vec![]),
            ParameterKind::Types => Self::Types(vec![]),
            ParameterKind::Enumeration(_) | ParameterKind::Attribute | ParameterKind::Type => {
                Self::Absent
            }
        })
    }

    /// The text in the syntax of a definition.
    fn native(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Bool(value) => value.to_string(),
            Self::String(text) => quoted(text),
            // Several bits are no word.
            Self::Keyword(case) if case.contains(['|', ',', '-', ' ']) => quoted(case),
            Self::Keyword(case) => case.clone(),
            Self::Attribute(attribute) => attribute.to_string(),
            Self::Type(r#type) => r#type.to_string(),
            Self::Integers(values) => list(values),
            Self::Attributes(values) => list(values),
            Self::Types(values) => list(values),
            Self::Absent => String::new(),
        }
    }

    /// The text as an attribute by itself.
    fn registered(&self, info: &ParameterInfo) -> String {
        match (self, info.kind) {
            (Self::Integer(value), ParameterKind::Integer(width)) => format!("{value} : i{width}"),
            (Self::Keyword(case), _) => quoted(case),
            (Self::Absent, _) => ABSENT.to_owned(),
            (Self::Integers(values), ParameterKind::Integers(width)) if values.is_empty() => {
                format!("array<i{width}>")
            }
            (Self::Integers(values), ParameterKind::Integers(width)) => {
                let values = list(values);
                let values = values.trim_start_matches('[').trim_end_matches(']');
                format!("array<i{width}: {values}>")
            }
            _ => self.native(),
        }
    }

    fn parse(context: &'c Context, info: &ParameterInfo, text: &str) -> Option<Self> {
        Some(match info.kind {
            ParameterKind::Integer(_) => Self::Integer(integer(text)?),
            ParameterKind::Bool => Self::Bool(text.parse().ok()?),
            ParameterKind::String => {
                let attribute = attributes::parse(context, text).ok()?;
                Self::String(attributes::string(
                    StringAttribute::try_from(attribute).ok()?,
                ))
            }
            ParameterKind::Enumeration(info) => {
                let text = text.trim_matches('"');
                number_of(info, text)?;
                Self::Keyword(text.to_owned())
            }
            ParameterKind::Attribute => Self::Attribute(attributes::parse(context, text).ok()?),
            ParameterKind::Type => Self::Type(r#type(context, text)?),
            ParameterKind::Integers(_) => Self::Integers(
                elements(text)?
                    .into_iter()
                    .map(integer)
                    .collect::<Option<_>>()?,
            ),
            ParameterKind::Attributes => {
                let parse = |text| attributes::parse(context, text).ok();
                Self::Attributes(
                    elements(text)?
                        .into_iter()
                        .map(parse)
                        .collect::<Option<_>>()?,
                )
            }
            ParameterKind::Types => {
                let parse = |text| r#type(context, text);
                Self::Types(
                    elements(text)?
                        .into_iter()
                        .map(parse)
                        .collect::<Option<_>>()?,
                )
            }
        })
    }
}

fn list(values: &[impl ToString]) -> String {
    let values = values.iter().map(ToString::to_string).collect::<Vec<_>>();
    format!("[{}]", values.join(", "))
}

fn quoted(text: &str) -> String {
    let mut output = String::from('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | 0..=31 | 127.. => output.push_str(&format!("\\{byte:02X}")),
            _ => output.push(char::from(byte)),
        }
    }
    output.push('"');
    output
}

fn integer(text: &str) -> Option<i128> {
    let number = text.split_once(':').map_or(text, |(number, _)| number);
    number.trim().parse().ok()
}

fn r#type<'c>(context: &'c Context, text: &str) -> Option<Type<'c>> {
    types::parse(context, text).ok().or_else(|| {
        let attribute = attributes::parse(context, text).ok()?;
        Some(TypeAttribute::try_from(attribute).ok()?.value())
    })
}

/// The elements of a list in brackets or of a dense array.
fn elements(text: &str) -> Option<Vec<&str>> {
    let inside = match text.strip_prefix("array<") {
        Some(rest) => rest
            .strip_suffix('>')?
            .split_once(':')
            .map_or("", |(_, values)| values),
        None => text.strip_prefix('[')?.strip_suffix(']')?,
    };
    Some(Scanner::new(inside).list())
}

/// A getter for parameters of a kind.
macro_rules! getters {
    ($($name:ident: $variant:ident($value:ident) -> $type:ty;)*) => {
        $(pub fn $name(&self, index: usize) -> Result<$type, Error> {
            match self.values.get(index) {
                Some(Argument::$variant($value)) => Ok($value.clone()),
                _ => Err(self.error()),
            }
        })*
    };
}

impl<'c> Arguments<'c> {
    getters! {
        bool: Bool(value) -> bool;
        string: String(value) -> String;
        attribute: Attribute(value) -> Attribute<'c>;
        r#type: Type(value) -> Type<'c>;
        attributes: Attributes(values) -> Vec<Attribute<'c>>;
        types: Types(values) -> Vec<Type<'c>>;
    }

    fn error(&self) -> Error {
        downcast(self.info, &self.text)
    }

    pub fn integer<T: TryFrom<i128>>(&self, index: usize) -> Result<T, Error> {
        match self.values.get(index) {
            Some(Argument::Integer(value)) => T::try_from(*value).map_err(|_| self.error()),
            _ => Err(self.error()),
        }
    }

    pub fn integers<T: TryFrom<i128>>(&self, index: usize) -> Result<Vec<T>, Error> {
        let Some(Argument::Integers(values)) = self.values.get(index) else {
            return Err(self.error());
        };
        let values = values
            .iter()
            .map(|value| T::try_from(*value).map_err(|_| self.error()));
        values.collect()
    }

    pub fn keyword<T: FromStr>(&self, index: usize) -> Result<T, Error> {
        match self.values.get(index) {
            Some(Argument::Keyword(case)) => case.parse().map_err(|_| self.error()),
            _ => Err(self.error()),
        }
    }
}

impl<'c> Arguments<'c> {
    /// A parameter by its getter, if it is there.
    pub fn optional<T>(
        &self,
        index: usize,
        get: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match self.values.get(index) {
            Some(Argument::Absent) => Ok(None),
            _ => get(self).map(Some),
        }
    }
}

/// What all generated attributes can do.
#[doc(hidden)]
#[macro_export]
macro_rules! __attribute_value {
    ($name:ident $(<$lifetime:lifetime>)?) => {
        impl<'c> TryFrom<$crate::support::Attribute<'c>> for $name $(<$lifetime>)? {
            type Error = $crate::Error;

            fn try_from(attribute: $crate::support::Attribute<'c>) -> Result<Self, Self::Error> {
                $crate::support::of_attribute(attribute)
            }
        }

        impl<'c> $crate::AttributeValue<'c> for $name $(<$lifetime>)? {
            fn to_attribute(
                &self,
                context: &'c $crate::support::Context,
            ) -> Result<$crate::support::Attribute<'c>, $crate::Error> {
                $crate::support::attribute_of(context, self)
            }
        }
    };
}

/// What all generated types can do.
#[doc(hidden)]
#[macro_export]
macro_rules! __type_value {
    ($name:ident $(<$lifetime:lifetime>)?) => {
        impl<'c> TryFrom<$crate::support::Type<'c>> for $name $(<$lifetime>)? {
            type Error = $crate::Error;

            fn try_from(r#type: $crate::support::Type<'c>) -> Result<Self, Self::Error> {
                $crate::support::of_type(r#type)
            }
        }

        impl<'c> $crate::TypeValue<'c> for $name $(<$lifetime>)? {
            fn to_type(
                &self,
                context: &'c $crate::support::Context,
            ) -> Result<$crate::support::Type<'c>, $crate::Error> {
                $crate::support::type_of(context, self)
            }
        }
    };
}

pub use crate::{__attribute_value as attribute_value, __type_value as type_value};
