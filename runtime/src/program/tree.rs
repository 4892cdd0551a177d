use super::{Call, Results};
use crate::{DeviceArray, DynamicArray, Element, Result};
use ndarray::Dimension;

/// Arrays that cross the program's boundary together: structs that derive from a program's trees,
/// tuples, Rust arrays, and a single [`DeviceArray`].
pub trait Tree: Sized {
    /// Adds the leaves as arguments, which the caller keeps.
    ///
    /// # Errors
    ///
    /// As [`Call::argument`].
    fn push(&self, call: &mut Call<'_>) -> Result<()>;

    /// Adds the leaves as arguments, whose memory the program may use for its results.
    ///
    /// # Errors
    ///
    /// As [`Call::argument`].
    fn give(self, call: &mut Call<'_>) -> Result<()>;

    /// Shows the leaves, in order.
    fn visit(&self, see: &mut dyn FnMut(&DynamicArray));

    /// Takes the leaves from the results.
    ///
    /// # Errors
    ///
    /// As [`Results::next`].
    fn pull(results: &mut Results<'_>) -> Result<Self>;
}

impl<T: Element, D: Dimension> Tree for DeviceArray<T, D> {
    fn push(&self, call: &mut Call<'_>) -> Result<()> {
        call.argument(self.into())
    }

    fn give(self, call: &mut Call<'_>) -> Result<()> {
        call.argument(self.into())
    }

    fn visit(&self, see: &mut dyn FnMut(&DynamicArray)) {
        see(self.as_dynamic());
    }

    fn pull(results: &mut Results<'_>) -> Result<Self> {
        results.next()
    }
}

impl<T: Tree, const N: usize> Tree for [T; N] {
    fn push(&self, call: &mut Call<'_>) -> Result<()> {
        self.iter().try_for_each(|item| item.push(call))
    }

    fn give(self, call: &mut Call<'_>) -> Result<()> {
        self.into_iter().try_for_each(|item| item.give(call))
    }

    fn visit(&self, see: &mut dyn FnMut(&DynamicArray)) {
        self.iter().for_each(|item| item.visit(see));
    }

    fn pull(results: &mut Results<'_>) -> Result<Self> {
        let items = (0..N)
            .map(|_| T::pull(results))
            .collect::<Result<Vec<T>>>()?;
        Ok(items
            .try_into()
            .unwrap_or_else(|_| unreachable!("collected {N} items")))
    }
}

/// Makes something of each item.
///
/// # Errors
///
/// The first that `make` returns.
pub fn each<A, B, const N: usize>(
    items: [A; N],
    make: impl FnMut(A) -> Result<B>,
) -> Result<[B; N]> {
    let made = items.into_iter().map(make).collect::<Result<Vec<B>>>()?;
    Ok(made
        .try_into()
        .unwrap_or_else(|_| unreachable!("made {N} items")))
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Tree),*> Tree for ($($name,)*) {
            #[allow(non_snake_case, unused_variables)]
            fn push(&self, call: &mut Call<'_>) -> Result<()> {
                let ($($name,)*) = self;
                $($name.push(call)?;)*
                Ok(())
            }

            #[allow(non_snake_case, unused_variables)]
            fn give(self, call: &mut Call<'_>) -> Result<()> {
                let ($($name,)*) = self;
                $($name.give(call)?;)*
                Ok(())
            }

            #[allow(non_snake_case, unused_variables)]
            fn visit(&self, see: &mut dyn FnMut(&DynamicArray)) {
                let ($($name,)*) = self;
                $($name.visit(see);)*
            }

            #[allow(unused_variables)]
            fn pull(results: &mut Results<'_>) -> Result<Self> {
                Ok(($($name::pull(results)?,)*))
            }
        }
    )*};
}

tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}

/// What a call accepts for a tree: the tree, or a reference to it.
pub enum TreeArgument<'a, T> {
    /// Given away.
    Owned(T),
    /// Lent.
    Borrowed(&'a T),
}

impl<T> From<T> for TreeArgument<'_, T> {
    fn from(tree: T) -> Self {
        Self::Owned(tree)
    }
}

impl<'a, T> From<&'a T> for TreeArgument<'a, T> {
    fn from(tree: &'a T) -> Self {
        Self::Borrowed(tree)
    }
}

impl<T: Tree> TreeArgument<'_, T> {
    /// Adds the leaves as arguments.
    ///
    /// # Errors
    ///
    /// As [`Call::argument`].
    pub fn push(self, call: &mut Call<'_>) -> Result<()> {
        match self {
            Self::Owned(tree) => tree.give(call),
            Self::Borrowed(tree) => tree.push(call),
        }
    }
}
