use super::{
    element::{Element, HostTensor},
    program::{Function, Program, Tolerance},
};
use num_complex::{Complex, Complex32, Complex64};
use std::f64::consts::PI;

/// Transforms of lengths of every kind: one step, several, with and without small factors.
const LENGTHS: &[&[usize]] = &[
    &[2, 150],
    &[257],
    &[1],
    &[2, 1, 16],
    &[101],
    &[1000],
    &[0, 4],
    &[4, 0],
];

pub(super) fn program() -> Program {
    let mut program = Program::default();
    let narrow = |z: Complex64| Complex32::new(z.re as f32, z.im as f32);
    program.call(transforms::<Complex32>("fourier_c64", narrow));
    program.call(transforms::<Complex64>("fourier_c128", |z| z));
    program
}

fn transforms<T: Element>(name: &str, from: fn(Complex64) -> T) -> Function {
    let mut function = Function::new(name);
    let operands: Vec<_> = LENGTHS
        .iter()
        .map(|shape| {
            let count = shape.iter().product::<usize>();
            let number = |place: usize| {
                let part = |factor: usize| ((place * factor) % 17) as f64 - 8.0;
                Complex::new(part(5), part(7))
            };
            let numbers: Vec<_> = (0..count).map(number).collect();
            let elements: Vec<_> = numbers.iter().map(|number| from(*number)).collect();
            let input = function.input(HostTensor::new(shape, &elements));
            (shape, input, numbers)
        })
        .collect();
    // The inverse differs in a sign and a factor only.
    let directions = [
        ("fourier", -1.0, operands.len()),
        ("inverse_fourier", 1.0, 2),
    ];
    for (operation, sign, count) in directions {
        for (shape, input, numbers) in operands.iter().take(count) {
            let length = *shape.last().expect("there is an axis");
            let rows = numbers.chunks(length.max(1));
            let expected: Vec<_> = rows.flat_map(|row| transform(row, sign)).collect();
            let elements: Vec<_> = expected.iter().map(|number| from(*number)).collect();
            // The error grows with the size of the largest results, not with each result.
            let largest = expected
                .iter()
                .map(|number| number.norm())
                .fold(0.0, f64::max);
            let label = format!("{operation} %{input}");
            let tolerance = Tolerance {
                units: 8.0,
                least: largest,
            };
            function.check_within(&label, HostTensor::new(shape, &elements), tolerance);
        }
    }
    function
}

/// The transform by its definition.
fn transform(row: &[Complex64], sign: f64) -> Vec<Complex64> {
    let length = row.len();
    let frequency = |k: usize| {
        let terms = row.iter().enumerate();
        let sum: Complex64 = terms
            .map(|(j, x)| {
                x * Complex::from_polar(
                    1.0,
                    sign * 2.0 * PI * (j * k % length) as f64 / length as f64,
                )
            })
            .sum();
        if sign > 0.0 { sum / length as f64 } else { sum }
    };
    (0..length).map(frequency).collect()
}
