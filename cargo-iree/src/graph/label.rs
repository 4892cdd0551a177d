//! What is written in boxes.

use crate::mlir::{Function, Place, Sources};
use iree_abi::{DType, TensorType};

/// The longest line of the source that is shown whole, in characters.
const LONGEST: usize = 46;

impl Sources {
    /// A line as the title of a box.
    pub(super) fn title(&self, place: Option<&Place>) -> String {
        let place = match place {
            Some(place) => place,
            None => return "computed".to_owned(),
        };
        match self.line(place) {
            Some(line) => shortened(line.trim_end_matches([';', ',', '{', ' '])),
            None => format!("{}:{}", place.file, place.line),
        }
    }

    /// What the source calls a kernel. Its symbol has the types of an instance behind that.
    pub(crate) fn kernel(&self, function: &Function) -> String {
        let line = function.place.as_ref().and_then(|place| self.line(place));
        let name = line.as_deref().and_then(name_in);
        match name.filter(|name| function.symbol.starts_with(*name)) {
            Some(name) => name.to_owned(),
            None => without_types(&function.symbol).to_owned(),
        }
    }
}

/// The name of the function that a line declares.
fn name_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("fn ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(&rest[..end])
}

fn without_types(symbol: &str) -> &str {
    let types = DType::ALL.iter().filter_map(|dtype| {
        let found = symbol.find(&format!("_{}_", dtype.name()));
        found.filter(|place| *place > 0)
    });
    types.min().map_or(symbol, |end| &symbol[..end])
}

fn shortened(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// A type of the language as `f32 B×8`.
pub(super) fn type_of(ty: &TensorType) -> String {
    let dims: Vec<_> = ty.shape.dims().iter().map(ToString::to_string).collect();
    format!("{} {}", ty.dtype, dims.join("×"))
        .trim_end()
        .to_owned()
}

/// A type of MLIR as `f32 6×8`.
pub(super) fn short_type(ty: &str) -> String {
    let inner = ty
        .strip_prefix("tensor<")
        .and_then(|ty| ty.strip_suffix('>'));
    let Some(inner) = inner else {
        return ty.to_owned();
    };
    let split = inner
        .char_indices()
        .filter(|(_, c)| *c == 'x')
        .map(|(index, _)| index)
        .take_while(|index| {
            let size = inner[..*index].rsplit('x').next().unwrap_or_default();
            size == "?" || size.parse::<usize>().is_ok()
        });
    match split.last() {
        Some(end) => {
            let element = element(&inner[end + 1..]);
            format!("{element} {}", inner[..end].replace('x', "×"))
        }
        None => element(inner),
    }
}

/// The element type of the language for one of MLIR: `u8` for `ui8`.
fn element(name: &str) -> String {
    match name {
        "i1" => DType::Bool.to_string(),
        _ if name.starts_with("ui") => name.replacen("ui", "u", 1),
        _ => name.replacen("complex", "Complex", 1),
    }
}

/// What all paths have in common, part by part.
pub(super) fn common_prefix<'a>(mut paths: impl Iterator<Item = &'a str>) -> String {
    let mut common: Vec<&str> = paths.next().unwrap_or_default().split('.').collect();
    for path in paths {
        let same = common
            .iter()
            .zip(path.split('.'))
            .take_while(|(a, b)| **a == *b);
        let length = same.count();
        common.truncate(length);
    }
    common.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_short() {
        for (ty, short) in [
            ("tensor<6x8xf32>", "f32 6×8"),
            ("tensor<?x3xcomplex<f32>>", "Complex<f32> ?×3"),
            ("tensor<i1>", "bool"),
            ("tensor<2xui8>", "u8 2"),
            ("tensor<4xindex>", "index 4"),
            ("index", "index"),
        ] {
            assert_eq!(short_type(ty), short);
        }
        assert_eq!(type_of(&"Tensor<u8, B, 8>".parse().unwrap()), "u8 B×8");
        assert_eq!(type_of(&"Tensor<u8>".parse().unwrap()), "u8");
    }

    #[test]
    fn prefixes_end_between_parts() {
        let common = |paths: &[&str]| common_prefix(paths.iter().copied());
        assert_eq!(common(&["a.b.c", "a.b.d"]), "a.b");
        assert_eq!(common(&["ab.c", "a.c"]), "");
        assert_eq!(common(&["a"]), "a");
    }

    #[test]
    fn kernels_have_the_names_of_the_source() {
        assert_eq!(name_in("pub fn linear<const M: usize>("), Some("linear"));
        assert_eq!(name_in("let x = 1;"), None);
        assert_eq!(without_types("layer_norm_f32_8_f32_6x8"), "layer_norm");
        assert_eq!(without_types("step"), "step");
    }

    #[test]
    fn a_title_is_a_line_without_what_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rs"), "  while i < n {\n  x + y;\n").unwrap();
        let sources = Sources::new(folder.path());
        let title = |line| {
            let file = "a.rs".to_owned();
            sources.title(Some(&Place { file, line }))
        };
        assert_eq!(
            [title(1), title(2), title(9)],
            ["while i < n", "x + y", "a.rs:9"]
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let long = shortened(&"é".repeat(60));
        assert_eq!(long.chars().count(), LONGEST);
        assert!(long.ends_with('…'));
    }
}
