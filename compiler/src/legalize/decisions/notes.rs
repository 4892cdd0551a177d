//! What is decided of operations, in the words that `cargo iree show` has of them.

use super::{Change, Decided, End, Filling, Whole, Window};
use iree_dsl_ir::{Operation, OperationId, ValueId, op::Op};
use std::collections::BTreeSet;

impl Decided {
    /// What is to be known of an operation that it does not say; `None` if that is nothing.
    pub(in crate::legalize) fn note(
        &self,
        id: OperationId,
        operation: &Operation,
    ) -> Option<String> {
        let notes = [
            self.of_results(operation).map(str::to_owned),
            self.fillings.get(&id).map(|it| of_filling(it).to_owned()),
            self.apart
                .contains(&id)
                .then(|| "in a buffer of its own".to_owned()),
            self.changes.get(&id).map(of_change),
            self.contained
                .contains(&id)
                .then(|| "in one dispatch".to_owned()),
            operands(&self.own, id, "in a buffer of its own"),
            operands(&self.copied, id, "copied"),
            operands(&self.bytes, id, "read as bytes"),
            self.is_unpacked(operation)
                .then(|| "factors as they lie in memory".to_owned()),
        ];
        let before = self.handed.get(&End::Before(id)).into_iter();
        let before = before.map(|handing| ("in front of the loop".to_owned(), handing));
        let regions = self.handed.range(End::Of(id, 0)..=End::Of(id, usize::MAX));
        let regions = regions.filter_map(|(end, handing)| match end {
            End::Of(_, region) => Some((format!("of region {region}"), handing)),
            End::Before(_) => None,
        });
        let handed = before.chain(regions).flat_map(|(place, handing)| {
            let copied = positions("value", &handing.copied);
            let copied = copied.map(|values| format!("{values} {place} copied"));
            let waited = handing.is_waited_for;
            let waited = waited.then(|| format!("values {place} waited for"));
            copied.into_iter().chain(waited)
        });
        let notes: Vec<_> = notes.into_iter().flatten().chain(handed).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    fn is_unpacked(&self, operation: &Operation) -> bool {
        self.is_unpacked && matches!(operation.op, Op::DotGeneral(_))
    }

    fn of_results(&self, operation: &Operation) -> Option<&'static str> {
        let any = |is: &dyn Fn(&ValueId) -> bool| operation.results.iter().any(is);
        if any(&|result| self.sums.contains(result)) {
            return Some("lowered to a sum of products");
        }
        any(&|result| self.registers.holds(*result)).then_some("in a register")
    }
}

fn of_filling(filling: &Filling) -> &'static str {
    match filling {
        Filling::Zeros => "filled with zeros",
        Filling::Number(_) => "filled with one number",
        Filling::Changed(_) => "filled with one number, to be changed",
    }
}

fn of_change(change: &Change) -> String {
    let place = match &change.whole {
        Whole::InPlace => "in place".to_owned(),
        Whole::Copied => "in a copy".to_owned(),
        Whole::After(readers) => {
            let readers = readers
                .iter()
                .map(|reader| format!("%{}", reader.value.index()));
            format!("in place, after {}", readers.collect::<Vec<_>>().join(", "))
        }
    };
    match change.window {
        Window::AsItIs => place,
        Window::Apart => format!("{place}; the window is computed first"),
        Window::Copied => format!("{place}; the window is copied"),
    }
}

fn operands(of: &BTreeSet<(OperationId, usize)>, id: OperationId, how: &str) -> Option<String> {
    let of = of.range((id, 0)..=(id, usize::MAX));
    let positions = of.map(|(_, position)| *position).collect();
    Some(format!("{} {how}", self::positions("operand", &positions)?))
}

/// Things by their positions, `operands 0, 2`; `None` if there are none.
fn positions(thing: &str, positions: &BTreeSet<usize>) -> Option<String> {
    let numbers: Vec<_> = positions.iter().map(ToString::to_string).collect();
    match numbers.len() {
        0 => None,
        1 => Some(format!("{thing} {}", numbers.concat())),
        _ => Some(format!("{thing}s {}", numbers.join(", "))),
    }
}
