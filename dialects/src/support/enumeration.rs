use std::fmt::{self, Formatter};

use melior::{
    Context,
    ir::{Attribute, attribute::IntegerAttribute, r#type::IntegerType},
};

use crate::{EnumerationInfo, Error, Storage, attributes};

/// A generated enumeration.
pub trait Enumeration: Copy + 'static {
    /// What its definition says.
    const INFO: &'static EnumerationInfo;

    /// The number, or the bits.
    fn number(self) -> i64;

    /// The value of a number.
    fn of_number(number: i64) -> Option<Self>;
}

/// Writes the case, or the bits with what separates them.
pub fn write_cases(
    info: &EnumerationInfo,
    number: i64,
    formatter: &mut Formatter<'_>,
) -> fmt::Result {
    formatter.pad(&text(info, number))
}

fn text(info: &EnumerationInfo, number: i64) -> String {
    let exact = info.cases.iter().find(|(_, value)| *value == number);
    match (exact, info.separator) {
        (Some((keyword, _)), _) => (*keyword).to_owned(),
        (None, Some(separator)) => {
            let bits = (info.cases.iter())
                .filter(|(_, value)| value.count_ones() == 1 && number & value == *value);
            let bits = bits.map(|(keyword, _)| *keyword);
            bits.collect::<Vec<_>>().join(separator)
        }
        (None, None) => number.to_string(),
    }
}

/// Reads a case, or bits with what separates them.
pub fn parse_cases<T: Enumeration>(text: &str) -> Result<T, Error> {
    let error = || Error::Downcast {
        expected: format!("`{}`", T::INFO.name),
        found: text.to_owned(),
    };
    number_of(T::INFO, text)
        .and_then(T::of_number)
        .ok_or_else(error)
}

/// The number of a case, or of bits with what separates them.
pub(super) fn number_of(info: &EnumerationInfo, text: &str) -> Option<i64> {
    let find = |keyword: &str| {
        let found = info.cases.iter().find(|(name, _)| *name == keyword);
        found.map(|(_, value)| *value)
    };
    match info.separator {
        None => find(text),
        Some(separator) => text
            .split(separator.trim())
            .map(|keyword| find(keyword.trim()))
            .try_fold(0, |bits, value| Some(bits | value?)),
    }
}

/// The attribute that holds a value.
pub fn attribute_of_enumeration<T: Enumeration>(
    context: &Context,
    value: T,
) -> Result<Attribute<'_>, Error> {
    let EnumerationInfo {
        dialect, storage, ..
    } = T::INFO;
    match storage {
        Storage::Integer(width) => {
            let r#type = IntegerType::new(context, *width);
            Ok(IntegerAttribute::new(r#type.into(), value.number()).into())
        }
        Storage::Mnemonic { mnemonic, brackets } => {
            let case = text(T::INFO, value.number());
            let native = if *brackets {
                format!("#{dialect}.{mnemonic}<{case}>")
            } else {
                format!("#{dialect}<{mnemonic} {case}>")
            };
            // A dialect that MLIR was told of while running has parameters that are attributes.
            attributes::parse(context, &native).or_else(|error| {
                attributes::parse(context, &format!("#{dialect}.{mnemonic}<\"{case}\">"))
                    .map_err(|_| error)
            })
        }
    }
}

/// The value that an attribute holds.
pub fn enumeration_of_attribute<T: Enumeration>(attribute: Attribute<'_>) -> Result<T, Error> {
    let text = attribute.to_string();
    let error = || Error::Downcast {
        expected: format!("`{}`", T::INFO.name),
        found: text.clone(),
    };
    match T::INFO.storage {
        Storage::Integer(_) => {
            let number = IntegerAttribute::try_from(attribute).map_err(|_| error())?;
            T::of_number(number.value()).ok_or_else(error)
        }
        Storage::Mnemonic { mnemonic, .. } => {
            let rest = text
                .strip_prefix('#')
                .and_then(|rest| rest.strip_prefix(T::INFO.dialect));
            let rest = rest.ok_or_else(error)?;
            let case = match rest.strip_prefix('.') {
                Some(rest) => rest
                    .strip_prefix(mnemonic)
                    .and_then(|rest| rest.strip_prefix('<')),
                None => (rest.strip_prefix('<'))
                    .and_then(|rest| rest.strip_prefix(mnemonic))
                    .and_then(|rest| rest.strip_prefix(' ')),
            };
            let case = case
                .and_then(|rest| rest.strip_suffix('>'))
                .ok_or_else(error)?;
            parse_cases(case.trim_matches('"'))
        }
    }
}

/// What all generated enumerations can do.
#[doc(hidden)]
#[macro_export]
macro_rules! __enumeration {
    ($name:ident) => {
        impl $crate::support::Enumeration for $name {
            const INFO: &'static $crate::EnumerationInfo = Self::INFO;

            fn number(self) -> i64 {
                self.value()
            }

            fn of_number(number: i64) -> Option<Self> {
                Self::from_value(number)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::support::write_cases(Self::INFO, self.value(), formatter)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::support::parse_cases(text)
            }
        }

        impl<'c> TryFrom<$crate::support::Attribute<'c>> for $name {
            type Error = $crate::Error;

            fn try_from(attribute: $crate::support::Attribute<'c>) -> Result<Self, $crate::Error> {
                $crate::support::enumeration_of_attribute(attribute)
            }
        }

        impl<'c> $crate::AttributeValue<'c> for $name {
            fn to_attribute(
                &self,
                context: &'c $crate::support::Context,
            ) -> Result<$crate::support::Attribute<'c>, $crate::Error> {
                $crate::support::attribute_of_enumeration(context, *self)
            }
        }
    };
}

pub use crate::__enumeration as enumeration;
