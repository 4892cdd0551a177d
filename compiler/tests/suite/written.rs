//! The closures of the library that are written in the language, each called as a user's closure and evaluated by the
//! interpreter.

use crate::language::trace_right;
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::verify::verify;
use iree_dsl_library::language;
use libtest_mimic::{Failed, Trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("written/permutation", permutation)]
}

/// What the body of a procedure makes of tensors, with all closures under the names of their files.
fn evaluate(
    parameters: &str,
    result: &str,
    body: &str,
    arguments: &[Tensor],
) -> Result<Tensor, Failed> {
    let closures = language::ALL.iter();
    let closures = closures.map(|(name, source)| format!("let {name} = {source};\n"));
    let closures: String = closures.collect();
    let source = format!(
        "mod p {{ pub struct P {{}} impl P {{ pub fn f(&self, {parameters}) -> {result} {{\n{closures}{body}\n}} }} }}"
    );
    let module = verify(trace_right(&source)?).map_err(|error| format!("{error:?}"))?;
    let results = Interpreter::new(module)?.call("f", arguments)?;
    results.into_iter().next().ok_or("no result".into())
}

fn permutation() -> Result<(), Failed> {
    let key = ndarray::arr1(&[0_u32, 3]);
    let found = evaluate(
        "key: Tensor<u32, 2>",
        "Tensor<i32, 9>",
        "permutation(key, 9, 2, unrolled)",
        &[key.into()],
    )?;
    let found = found.array::<i32>().cloned().ok_or("places")?;
    let mut places: Vec<_> = found.iter().copied().collect();
    let is_moved = places.iter().zip(0..).any(|(place, own)| *place != own);
    places.sort_unstable();
    let is_whole = places.into_iter().eq(0..9);
    (is_moved && is_whole)
        .then_some(())
        .ok_or(format!("{found}").into())
}
