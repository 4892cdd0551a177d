//! Which element types composites are defined for.

use iree_abi::DTypeClass;

pub(crate) const fn is_float(class: DTypeClass) -> bool {
    matches!(class, DTypeClass::Float)
}

pub(crate) const fn is_complex(class: DTypeClass) -> bool {
    matches!(class, DTypeClass::Complex)
}

pub(crate) const fn is_fractional(class: DTypeClass) -> bool {
    matches!(class, DTypeClass::Float | DTypeClass::Complex)
}

pub(crate) const fn is_real(class: DTypeClass) -> bool {
    matches!(
        class,
        DTypeClass::Float | DTypeClass::Signed | DTypeClass::Unsigned
    )
}

pub(crate) const fn is_number(class: DTypeClass) -> bool {
    !matches!(class, DTypeClass::Bool)
}
