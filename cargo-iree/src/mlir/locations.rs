//! Places in the text of a module.
//!
//! An operation ends with `loc(…)`, which is a place or names one that stands at the start or the end of the text:
//!
//! ```text
//! %0 = stablehlo.add %a, %b : tensor<4xf32> loc(#loc1)
//! #loc = loc("src/main.rs":3:5)
//! #loc1 = loc(fused[#loc, callsite("f"(#loc) at "src/lib.rs":7:1)])
//! ```
//!
//! In the representation of the language it is a comment, after what else is said of the operation:
//!
//! ```text
//! %2 = add %0, %1 : Tensor<f32, 4> // loc("src/main.rs":3:5)
//! ```

use std::collections::BTreeMap;

/// A line of a module, without its locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Where the operation comes from that ends here. Several places became one operation; one that was called
    /// stands before its caller.
    pub(crate) places: Vec<Place>,
    /// The calls that lead to it, the outermost first; where several places became one operation, to the first.
    pub(crate) calls: Vec<Place>,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// How deep locations that name others may be nested.
const DEPTH: usize = 64;

/// The lines of a module, with the places that its locations name.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let (definitions, lines): (Vec<_>, Vec<_>) = text
        .lines()
        .partition(|line| line.starts_with("#loc") && line.contains(" = loc("));
    let named = definitions.into_iter().filter_map(|line| {
        let (name, location) = line.split_once(" = ")?;
        Some((name, location))
    });
    let named: BTreeMap<&str, &str> = named.collect();
    let lines = lines.into_iter().map(|line| {
        let (text, location) = without_locations(line);
        let (mut places, mut calls) = (Vec::new(), Vec::new());
        if let Some(location) = location {
            collect(location, &named, DEPTH, &mut places);
            follow(unbracketed(location), &named, DEPTH, &mut calls);
        }
        Line {
            text,
            places,
            calls,
        }
    });
    lines.collect()
}

/// A line without locations, and the last of them.
fn without_locations(line: &str) -> (String, Option<&str>) {
    const START: &str = " loc(";
    let mut text = String::with_capacity(line.len());
    let mut last = None;
    let mut rest = line;
    while let Some(start) = find_outside_strings(rest, START) {
        let inner = &rest[start + START.len() - 1..];
        let Some(length) = bracketed(inner) else {
            break;
        };
        text.push_str(&rest[..start]);
        last = Some(&inner[..length]);
        rest = &inner[length..];
    }
    text.push_str(rest);
    if last.is_some() && text.ends_with(" //") {
        text.truncate(text.len() - " //".len());
    }
    (text, last)
}

/// Where a pattern is that is in no string.
fn find_outside_strings(text: &str, pattern: &str) -> Option<usize> {
    let mut string = false;
    let mut escaped = false;
    for (index, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if string => escaped = true,
            '"' => string = !string,
            _ if !string && text[index..].starts_with(pattern) => return Some(index),
            _ => {}
        }
    }
    None
}

/// How long the bracket is that a text starts with.
fn bracketed(text: &str) -> Option<usize> {
    let (mut depth, mut string, mut escaped) = (0usize, false, false);
    for (index, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if string => escaped = true,
            '"' => string = !string,
            '(' if !string => depth += 1,
            ')' if !string => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Adds every place in a location, in order, each once.
fn collect(location: &str, named: &BTreeMap<&str, &str>, depth: usize, places: &mut Vec<Place>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let mut rest = location;
    while let Some(start) = rest.find(['"', '#']) {
        rest = &rest[start..];
        if rest.starts_with('#') {
            let end = rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_');
            let (name, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            if let Some(location) = named.get(name) {
                collect(location, named, depth, places);
            }
            rest = after;
        } else {
            let Some(end) = rest[1..].find('"') else {
                return;
            };
            let (file, after) = (&rest[1..=end], &rest[end + 2..]);
            if let Some(line) = after.strip_prefix(':').and_then(number) {
                let place = Place {
                    file: file.to_owned(),
                    line,
                };
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            rest = after;
        }
    }
}

/// What is in the brackets that a text starts and ends with.
fn unbracketed(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(text).trim()
}

/// Adds the calls that lead to a location, the outermost first.
fn follow(location: &str, named: &BTreeMap<&str, &str>, depth: usize, calls: &mut Vec<Place>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    if location.starts_with('#') {
        if let Some(location) = named.get(location) {
            let inner = location.strip_prefix("loc").unwrap_or(location);
            follow(unbracketed(inner), named, depth, calls);
        }
    } else if let Some(call) = location.strip_prefix("callsite") {
        if let Some((callee, caller)) = split_outside(unbracketed(call), " at ") {
            follow(caller.trim(), named, depth, calls);
            follow(callee.trim(), named, depth, calls);
        }
    } else if let Some(start) = location
        .strip_prefix("fused")
        .and_then(|_| location.find('['))
    {
        let list = &location[start + 1..];
        let (first, _) = split_outside(list, ",").unwrap_or((list.trim_end_matches(']'), ""));
        follow(first.trim_end_matches(']').trim(), named, depth, calls);
    } else if let Some(place) = place(location) {
        calls.push(place);
    } else if let Some(start) = location.find('(') {
        // A name, and a location in brackets.
        follow(unbracketed(&location[start..]), named, depth, calls);
    }
}

/// Splits where a mark is in neither brackets nor strings.
fn split_outside<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let (mut depth, mut string) = (0usize, false);
    for (index, character) in text.char_indices() {
        match character {
            '"' => string = !string,
            '(' | '[' | '<' if !string => depth += 1,
            ')' | ']' | '>' if !string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !string && text[index..].starts_with(mark) {
            return Some((&text[..index], &text[index + mark.len()..]));
        }
    }
    None
}

/// A file and a line: `"src/main.rs":3:5`.
fn place(text: &str) -> Option<Place> {
    let (file, after) = text.strip_prefix('"')?.split_once('"')?;
    Some(Place {
        file: file.to_owned(),
        line: number(after.strip_prefix(':')?)?,
    })
}

/// The number that a text starts with.
fn number(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |line: Line| {
            let places = line.places.iter();
            let places = places.map(|place| format!(" {}:{}", place.file, place.line));
            format!("{}{}", line.text, places.collect::<String>())
        };
        lines(text).into_iter().map(show).collect()
    }

    #[test]
    fn locations_leave_the_text() {
        let text = "#loc1 = loc(\"a.rs\":3:5)\n\
            func.func @f(%x: tensor<4xf32> loc(\"b.rs\":1:2)) -> tensor<4xf32> {\n\
            \x20 return %x : tensor<4xf32> loc(#loc1)\n\
            } loc(unknown)";
        assert_eq!(
            shown(text),
            [
                "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { b.rs:1",
                "  return %x : tensor<4xf32> a.rs:3",
                "}",
            ]
        );
    }

    #[test]
    fn locations_in_comments_leave_them() {
        let text = "%2 = add %0, %1 : Tensor<f32, 4> // loc(\"a.rs\":3:5)\n\
            %3 = reduce add %2 axes [0] : Tensor<f32> // a sum loc(\"a.rs\":4:5)\n//";
        assert_eq!(
            shown(text),
            [
                "%2 = add %0, %1 : Tensor<f32, 4> a.rs:3",
                "%3 = reduce add %2 axes [0] : Tensor<f32> // a sum a.rs:4",
                "//",
            ]
        );
    }

    #[test]
    fn places_are_found_in_locations_of_every_form() {
        let text = "a loc(fused[#loc2, \"x.rs\":1:1])\nb loc(callsite(#loc at \"main\"(\"y.rs\":9:1)))\n\
            c loc(\"name\")\nd loc(fused<{tag = 1}>[#loc, #loc])\n\
            #loc = loc(\"a b(.rs\":3:5 to :9)\n#loc2 = loc(fused[#loc, #loc2])";
        assert_eq!(
            shown(text),
            [
                "a a b(.rs:3 x.rs:1",
                "b a b(.rs:3 y.rs:9",
                "c",
                "d a b(.rs:3"
            ]
        );
    }

    #[test]
    fn calls_are_followed_from_the_outermost() {
        let text = "a loc(callsite(\"k.rs\":1:1 at callsite(#loc at \"main.rs\":3:1)))\n\
            b loc(fused<\"x, y\">[#loc1, \"c.rs\":9:9])\nc loc(\"name\"(#loc))\nd loc(unknown)\n\
            #loc = loc(\"b at.rs\":2:1)\n#loc1 = loc(callsite(#loc at \"d.rs\":5:1))";
        let calls = lines(text).into_iter().map(|line| {
            let places = line.calls.iter();
            places
                .map(|place| format!("{}:{}", place.file, place.line))
                .collect::<Vec<_>>()
        });
        let calls: Vec<_> = calls.collect();
        assert_eq!(calls[0], ["main.rs:3", "b at.rs:2", "k.rs:1"]);
        assert_eq!(calls[1], ["d.rs:5", "b at.rs:2"]);
        assert_eq!(calls[2], ["b at.rs:2"]);
        assert!(calls[3].is_empty());
    }

    #[test]
    fn strings_are_left_alone() {
        assert_eq!(
            shown("x {a = \" loc(1)\"} loc(\"a.rs\":1:1)"),
            ["x {a = \" loc(1)\"} a.rs:1"]
        );
        assert_eq!(shown("x {a = \"\\\" loc(\"}"), ["x {a = \"\\\" loc(\"}"]);
        assert_eq!(shown("x loc(unclosed"), ["x loc(unclosed"]);
    }
}
