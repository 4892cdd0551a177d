use std::rc::Rc;

/// A map from small numbers, made for many versions of it: a copy costs nothing, a change costs the digits of
/// the number, and what differs between two versions is found without a look at what they share.
///
/// It is a tree along the digits of the number, the lowest first. A number ends at its last digit that is not
/// zero, so each has one place, whatever else is in the map.
#[derive(Debug)]
pub(crate) struct PersistentMap<T> {
    root: Rc<Node<T>>,
}

const BASE: usize = 8;

#[derive(Debug)]
struct Node<T> {
    value: Option<Rc<T>>,
    children: [Option<Rc<Node<T>>>; BASE],
}

impl<T> PersistentMap<T> {
    /// The value at a number.
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        let (mut node, mut rest) = (&*self.root, number);
        while rest != 0 {
            node = node.children.get(rest % BASE)?.as_deref()?;
            rest /= BASE;
        }
        node.value.as_deref()
    }

    /// The value at a number, to be changed in this version alone.
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T>
    where
        T: Clone,
    {
        self.get(number)?;
        let value = self.place(number)?.as_mut();
        value.map(Rc::make_mut)
    }

    /// Puts a value at a number.
    pub(crate) fn insert(&mut self, number: usize, value: T) {
        if let Some(place) = self.place(number) {
            *place = Some(Rc::new(value));
        }
    }

    /// Forgets the value at a number.
    pub(crate) fn remove(&mut self, number: usize) {
        if self.get(number).is_some()
            && let Some(place) = self.place(number)
        {
            *place = None;
        }
    }

    fn place(&mut self, number: usize) -> Option<&mut Option<Rc<T>>> {
        let (mut node, mut rest) = (Rc::make_mut(&mut self.root), number);
        while rest != 0 {
            let child = node.children.get_mut(rest % BASE)?;
            node = Rc::make_mut(child.get_or_insert_default());
            rest /= BASE;
        }
        Some(&mut node.value)
    }

    /// The values that are not one and the same in another version, with theirs, in no particular order.
    pub(crate) fn differing<'m>(&'m self, other: &'m Self) -> Vec<(Option<&'m T>, Option<&'m T>)> {
        let mut found = Vec::new();
        differing(Some(&self.root), Some(&other.root), &mut found);
        found
    }
}

type Link<'m, T> = Option<&'m Rc<Node<T>>>;

fn differing<'m, T>(
    mine: Link<'m, T>,
    other: Link<'m, T>,
    found: &mut Vec<(Option<&'m T>, Option<&'m T>)>,
) {
    if same(mine, other) {
        return;
    }
    let value = |node: Link<'m, T>| node.and_then(|node| node.value.as_ref());
    if !same(value(mine), value(other)) {
        found.push((value(mine).map(Rc::as_ref), value(other).map(Rc::as_ref)));
    }
    for digit in 0..BASE {
        let child = |node: Link<'m, T>| node.and_then(|node| node.children.get(digit)?.as_ref());
        differing(child(mine), child(other), found);
    }
}

fn same<T>(mine: Option<&Rc<T>>, other: Option<&Rc<T>>) -> bool {
    match (mine, other) {
        (Some(mine), Some(other)) => Rc::ptr_eq(mine, other),
        (None, None) => true,
        _ => false,
    }
}

impl<T> Clone for PersistentMap<T> {
    fn clone(&self) -> Self {
        Self {
            root: self.root.clone(),
        }
    }
}

impl<T> Default for PersistentMap<T> {
    fn default() -> Self {
        Self {
            root: Rc::default(),
        }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            children: self.children.clone(),
        }
    }
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Self {
            value: None,
            children: Default::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Numbers at all depths, some of them prefixes of others.
    const NUMBERS: [usize; 9] = [0, 1, 7, 8, 9, 64, 511, 4096, usize::MAX];

    fn map() -> PersistentMap<usize> {
        let mut map = PersistentMap::default();
        for number in NUMBERS {
            map.insert(number, number);
        }
        map
    }

    fn content(map: &PersistentMap<usize>) -> BTreeMap<usize, usize> {
        let found = NUMBERS.map(|number| Some((number, *map.get(number)?)));
        found.into_iter().flatten().collect()
    }

    #[test]
    fn each_number_has_its_place() {
        let map = map();
        assert_eq!(content(&map), BTreeMap::from(NUMBERS.map(|n| (n, n))));
        assert_eq!((map.get(2), map.get(512)), (None, None));
    }

    #[test]
    fn a_version_keeps_what_it_had() {
        for number in NUMBERS {
            let before = map();
            let mut after = before.clone();
            *after.get_mut(number).unwrap() = !number;
            let removed = NUMBERS.into_iter().find(|other| *other != number).unwrap();
            after.remove(removed);
            after.remove(3);
            assert_eq!(content(&before), content(&map()));
            let mut expected = content(&before);
            expected.insert(number, !number);
            expected.remove(&removed);
            assert_eq!(content(&after), expected);
        }
    }

    #[test]
    fn what_differs_is_what_was_changed() {
        let before = map();
        let mut after = before.clone();
        assert!(before.differing(&after).is_empty());
        *after.get_mut(64).unwrap() = 65;
        after.remove(7);
        after.insert(15, 15);
        let mut found = before.differing(&after);
        found.sort_unstable();
        let expected = [(None, Some(&15)), (Some(&7), None), (Some(&64), Some(&65))];
        assert_eq!(found, expected);
        assert_eq!(after.differing(&before).len(), 3);
    }

    #[test]
    fn nothing_is_copied_for_a_number_that_is_not_there() {
        let before = map();
        let mut after = before.clone();
        assert_eq!(after.get_mut(3), None);
        after.remove(3);
        assert!(Rc::ptr_eq(&before.root, &after.root));
    }
}
