use std::{
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

/// The index of a `T` in its [`Arena`].
pub struct Id<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The position in the arena.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", self.index)
    }
}

/// Values that refer to each other by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<T> {
    items: Vec<T>,
}

impl<T> Arena<T> {
    /// Adds a value.
    pub fn push(&mut self, item: T) -> Id<T> {
        let id = Id {
            index: self.items.len() as u32,
            of: PhantomData,
        };
        self.items.push(item);
        id
    }

    /// The value, if the index is of this arena.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The value, if the index is of this arena.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// Drops the values at and after a position.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Every value with its index, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.items.iter().enumerate().map(|(index, item)| {
            let id = Id {
                index: index as u32,
                of: PhantomData,
            };
            (id, item)
        })
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_finds_its_value() {
        let mut arena = Arena::default();
        let (a, b) = (arena.push('a'), arena.push('b'));
        assert_eq!((arena.get(a), arena.get(b)), (Some(&'a'), Some(&'b')));
        assert_eq!(arena.iter().map(|(id, _)| id).collect::<Vec<_>>(), [a, b]);
    }
}
