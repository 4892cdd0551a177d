//! Checks derivatives against differences, and transposes against what they transpose.

use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::{FunctionId, Module, Verified, text, verify};
use iree_dsl_transform::{Derived, jvp, vjp};
use ndarray::ArrayD;
use num_complex::Complex64;

/// Reals in a row.
pub(crate) fn real(shape: &[usize], numbers: &[f64]) -> Tensor {
    Tensor::from(ArrayD::from_shape_vec(shape, numbers.to_vec()).expect("a shape"))
}

/// Integers in a row.
pub(crate) fn places(shape: &[usize], numbers: &[i32]) -> Tensor {
    Tensor::from(ArrayD::from_shape_vec(shape, numbers.to_vec()).expect("a shape"))
}

/// A truth value.
pub(crate) fn truth(value: bool) -> Tensor {
    Tensor::from(ArrayD::from_elem(&[][..], value))
}

/// Numbers that look random, away from 0 and from each other: the same for the same seed.
pub(crate) fn some(shape: &[usize], seed: usize) -> Tensor {
    real(shape, &numbers(shape.iter().product(), seed))
}

/// The same as real and imaginary parts.
pub(crate) fn complex(shape: &[usize], seed: usize) -> Tensor {
    let parts = numbers(2 * shape.iter().product::<usize>(), seed);
    let numbers = parts.chunks(2).map(|part| Complex64::new(part[0], part[1]));
    Tensor::from(ArrayD::from_shape_vec(shape, numbers.collect()).expect("a shape"))
}

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    let number = |index: usize| {
        let angle = (index * 7 + seed * 13 + 1) as f64 * 2.399_963;
        0.3 + 0.9 * (angle.sin() * 91.7).rem_euclid(1.0)
    };
    (0..count).map(number).collect()
}

pub(crate) fn module(text: &str) -> Verified {
    let module = text::parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    sound(module)
}

pub(crate) fn sound(module: Module) -> Verified {
    let text = module.to_string();
    verify(module).unwrap_or_else(|errors| {
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", errors.join("\n"))
    })
}

pub(crate) fn last(module: &Verified) -> FunctionId {
    let functions = module.module().functions.iter();
    functions.map(|(id, _)| id).last().expect("a function")
}

pub(crate) fn call(module: &Verified, function: FunctionId, arguments: &[Tensor]) -> Vec<Tensor> {
    let program = Interpreter::new(module.clone()).expect("it loads");
    call_of(program, module, function, arguments)
}

/// Calls a function of a module that is loaded.
pub(crate) fn call_of(
    mut program: Interpreter,
    module: &Verified,
    function: FunctionId,
    arguments: &[Tensor],
) -> Vec<Tensor> {
    let function = module.module().functions.get(function);
    let results = program.call(&function.expect("a function").name, arguments);
    results.unwrap_or_else(|error| panic!("{error} in\n{}", module.module()))
}

/// The real numbers of a tensor, if it has any: of complex ones the real and imaginary parts.
fn reals(tensor: &Tensor) -> Option<Vec<f64>> {
    let pair = |z: &Complex64| [z.re, z.im];
    let reals = tensor
        .array::<f64>()
        .map(|array| array.iter().copied().collect());
    reals.or_else(|| Some(tensor.array::<Complex64>()?.iter().flat_map(pair).collect()))
}

/// The tensor plus some times another.
fn moved(tensor: &Tensor, by: f64, along: &Tensor) -> Tensor {
    if let (Some(x), Some(y)) = (tensor.array::<f64>(), along.array::<f64>()) {
        return Tensor::from((&x.to_owned() + &(&y.to_owned() * by)).into_owned());
    }
    let (x, y) = (tensor.array::<Complex64>(), along.array::<Complex64>());
    let (x, y) = (
        x.expect("complex").to_owned(),
        y.expect("complex").to_owned(),
    );
    Tensor::from((&x + &(&y * Complex64::new(by, 0.0))).into_owned())
}

fn like(tensor: &Tensor, seed: usize) -> Tensor {
    match tensor.array::<f64>() {
        Some(_) => some(tensor.shape(), seed),
        None => complex(tensor.shape(), seed),
    }
}

/// The real part of the sum of products, not conjugated.
fn pairing(x: &[Tensor], y: &[Tensor]) -> f64 {
    let pairs = x
        .iter()
        .zip(y)
        .map(|(x, y)| match (x.array::<f64>(), y.array::<f64>()) {
            (Some(x), Some(y)) => x.iter().zip(y.iter()).map(|(x, y)| x * y).sum::<f64>(),
            _ => {
                let (x, y) = (x.array::<Complex64>(), y.array::<Complex64>());
                let (x, y) = (x.expect("complex"), y.expect("complex"));
                x.iter().zip(y.iter()).map(|(x, y)| (x * y).re).sum()
            }
        });
    pairs.sum()
}

fn close(what: &str, expected: f64, found: f64, tolerance: f64, text: &Module) {
    let scale = 1.0 + expected.abs().max(found.abs());
    let near = (expected - found).abs() <= tolerance * scale;
    assert!(
        near,
        "{what}: expected {expected}, found {found} in\n{text}"
    );
}

/// Checks the derivatives of the last function of a module up to an order, by all its real and complex parameters.
pub(crate) fn check(module: &Verified, arguments: &[Tensor], order: usize) {
    let inputs: Vec<usize> = (0..arguments.len())
        .filter(|index| reals(&arguments[*index]).is_some())
        .collect();
    check_by(module, arguments, &inputs, order);
}

pub(crate) fn check_by(module: &Verified, arguments: &[Tensor], inputs: &[usize], order: usize) {
    let function = last(module);
    let forward = derived(jvp(module, function, inputs), module);
    let reverse = derived(vjp(module, function, inputs), module);
    let tangents: Vec<_> = inputs
        .iter()
        .map(|index| like(&arguments[*index], index + 5))
        .collect();
    let primals = call(module, function, arguments);
    let both = call(&forward, last(&forward), &[arguments, &tangents].concat());
    assert_eq!(both[..primals.len()], primals, "{}", forward.module());
    let changes = &both[primals.len()..];
    let near = |by: f64| {
        let mut arguments = arguments.to_vec();
        for (index, tangent) in inputs.iter().zip(&tangents) {
            arguments[*index] = moved(&arguments[*index], by, tangent);
        }
        let results = call(module, function, &arguments);
        results
            .iter()
            .filter_map(reals)
            .flatten()
            .collect::<Vec<_>>()
    };
    // With an error of the fourth order in the step.
    let differences = |step: f64| {
        let points = [2.0, 1.0, -1.0, -2.0].map(|by| near(by * step));
        let differences = (0..points[0].len()).map(|at| {
            let [far, above, below, far_below] = points.each_ref().map(|point| point[at]);
            (8.0 * (above - below) - (far - far_below)) / (12.0 * step)
        });
        differences.collect::<Vec<_>>()
    };
    let [wide, narrow] = [2e-5, 2e-6].map(differences);
    let found: Vec<_> = changes.iter().filter_map(reals).flatten().collect();
    for ((wide, narrow), found) in wide.into_iter().zip(narrow).zip(found) {
        // Nearer to a corner than the wider step, the other counts.
        let is_nearer = (narrow - found).abs() < (wide - found).abs();
        let expected = if is_nearer { narrow } else { wide };
        close("jvp", expected, found, 2e-6, forward.module());
    }
    let seeds: Vec<_> = changes
        .iter()
        .enumerate()
        .map(|(index, change)| like(change, index + 40))
        .collect();
    let back = call(&reverse, last(&reverse), &[arguments, &seeds].concat());
    assert_eq!(back[..primals.len()], primals, "{}", reverse.module());
    let cotangents = &back[primals.len()..];
    let expected = pairing(&seeds, changes);
    close(
        "vjp",
        expected,
        pairing(cotangents, &tangents),
        1e-10,
        reverse.module(),
    );
    if order > 1 {
        check_by(&reverse, &[arguments, &seeds].concat(), inputs, order - 1);
        check_by(
            &forward,
            &[arguments, &tangents].concat(),
            inputs,
            order - 1,
        );
    }
}

pub(crate) fn derived(
    derived: Result<Derived, iree_dsl_transform::Error>,
    module: &Verified,
) -> Verified {
    let derived = derived.unwrap_or_else(|error| panic!("{error} in\n{}", module.module()));
    sound(derived.module)
}

/// A function of these parameters, whose body ends in the value that is returned. `N` and the like in braces stand for
/// sizes: once as numbers, once for those of the call.
pub(crate) fn check_sizes(
    parameters: &str,
    results: &str,
    body: &str,
    sizes: &[(&str, usize)],
    arguments: &[Tensor],
) {
    for known in [true, false] {
        let mut text =
            format!("module @m {{ func public @f({parameters}) -> {results} {{ {body} }} }}");
        for (name, size) in sizes {
            let size = if known {
                size.to_string()
            } else {
                (*name).to_owned()
            };
            text = text.replace(&format!("{{{name}}}"), &size);
        }
        check(&module(&text), arguments, 2);
    }
}

/// Values in the order in which they first occur, as the text form has them.
pub(crate) fn numbered(text: &str) -> String {
    let mut names = Vec::new();
    let mut parts = text.split('%');
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_digit());
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        let known = names.iter().position(|other| *other == name);
        let number = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        numbered += &format!("%{number}{rest}");
    }
    numbered
}
