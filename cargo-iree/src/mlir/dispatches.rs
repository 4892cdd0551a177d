//! Where the parts of a program that run on the device come from, in the text of a module after the stage `flow`.

use super::{Line, Place};
use std::collections::BTreeMap;

/// What is known of a dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dispatch {
    /// The calls that lead to the operation that the others were fused with, the procedure first.
    pub(crate) stack: Vec<Place>,
    /// Every line of the source that something in it comes from.
    pub(crate) places: Vec<Place>,
}

/// The dispatches of a module by the names of their functions.
pub(crate) fn dispatches(lines: &[Line]) -> BTreeMap<String, Dispatch> {
    let mut found = BTreeMap::new();
    let mut rest = lines;
    while let Some(start) = rest
        .iter()
        .position(|line| line.text.trim_start().starts_with("flow.executable "))
    {
        let head = &rest[start].text;
        let end = format!("{}}}", &head[..head.len() - head.trim_start().len()]);
        let body = &rest[start + 1..];
        let Some(length) = body.iter().position(|line| line.text.starts_with(&end)) else {
            break;
        };
        let (body, after) = body.split_at(length);
        let names = body.iter().filter_map(|line| export(&line.text));
        for name in names {
            found.insert(name.to_owned(), dispatch(body, &after[0]));
        }
        rest = after;
    }
    found
}

/// The name of the function that a line exports.
fn export(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("flow.executable.export ")?;
    let (_, name) = rest.split_once('@')?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || "_$.-".contains(c)));
    Some(&name[..end.unwrap_or(name.len())])
}

/// IREE gives the executable the place of the operation that it was made for.
fn dispatch(body: &[Line], end: &Line) -> Dispatch {
    let mut places: Vec<Place> = Vec::new();
    for line in body {
        // Callers are not where the operation is.
        if let Some(place) = line.places.first()
            && !places.contains(place)
        {
            places.push(place.clone());
        }
    }
    places.sort();
    Dispatch {
        stack: end.calls.clone(),
        places,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::lines, *};

    const MODULE: &str = r#"module @p {
  flow.executable private @run_dispatch_0 {
    flow.executable.export public @run_dispatch_0_matmul workgroups() -> (index) {
      flow.return %x : index loc("k.rs":5:1)
    } loc("k.rs":5:1)
    builtin.module {
      func.func @run_dispatch_0_matmul() {
        %0 = a loc(callsite("k.rs":5:1 at "main.rs":9:1))
        %1 = b loc(callsite("k.rs":4:1 at "main.rs":9:1))
      } loc(unknown)
    } loc(unknown)
  } loc(callsite("k.rs":5:1 at callsite("main.rs":9:1 at "main.rs":7:1)))
  flow.executable private @cut {
"#;

    #[test]
    fn a_dispatch_has_its_calls_and_its_lines() {
        let found = dispatches(&lines(MODULE));
        let shown = |places: &[Place]| {
            let places = places
                .iter()
                .map(|place| format!("{}:{}", place.file, place.line));
            places.collect::<Vec<_>>()
        };
        assert_eq!(found.len(), 1);
        let dispatch = &found["run_dispatch_0_matmul"];
        assert_eq!(shown(&dispatch.stack), ["main.rs:7", "main.rs:9", "k.rs:5"]);
        assert_eq!(shown(&dispatch.places), ["k.rs:4", "k.rs:5"]);
    }
}
