//! What the cases may mention.

use crate::device::HostTensor;
use num_complex::Complex32;

/// What an expression may mention: a name, its type, and what is handed in for a size.
pub(super) type Parameter = (&'static str, &'static str, fn(usize) -> HostTensor);

/// What expressions may mention.
pub(super) const PARAMETERS: &[Parameter] = &[
    ("x", "f32, N, 6", |n| numbers(&[n, 6], 0)),
    ("y", "f32, N, 6", |n| numbers(&[n, 6], 3)),
    ("v", "f32, N", |n| numbers(&[n], 1)),
    ("i", "i32, N", |n| integers(&[n])),
    ("k", "i32, N, 6", |n| integers(&[n, 6])),
    ("j", "i32", |_| HostTensor::new(&[], &[2])),
    ("m", "bool, N, 6", |n| {
        let truths: Vec<_> = (0..n * 6).map(|index| index % 3 == 0).collect();
        HostTensor::new(&[n, 6], &truths)
    }),
    ("z", "Complex<f32>, N, 6", |n| complex(&[n, 6])),
    ("image", "f32, N, 4, 4, 3", |n| numbers(&[n, 4, 4, 3], 2)),
    ("kernel", "f32, 3, 3, 3, 2", |_| numbers(&[3, 3, 3, 2], 4)),
    ("wide", "f32, 1, N, 4, 3", |n| numbers(&[1, n, 4, 3], 2)),
    ("photo", "f32, 1, N, N, 3", |n| numbers(&[1, n, n, 3], 3)),
    ("stem", "f32, 7, 7, 3, 8", |_| numbers(&[7, 7, 3, 8], 5)),
    ("positive", "f32, N, 3, 3", positive),
    ("square", "f32, N, N", |n| {
        let numbers = (0..n * n).map(|index| {
            let (row, column) = (index / n, index % n);
            let diagonal = if row == column { 4.0 } else { 0.0 };
            diagonal + ((row + column) % 3) as f32 / 10.0
        });
        HostTensor::new(&[n, n], &numbers.collect::<Vec<_>>())
    }),
    ("right", "f32, N, 3, 2", |n| numbers(&[n, 3, 2], 5)),
    ("table", "f32, 7, 6", |_| numbers(&[7, 6], 6)),
    ("key", "u32, 2", |_| HostTensor::list(&[1_u32, 2])),
];

/// Numbers between -0.9 and 0.9, for which nearly all functions are defined.
fn numbers(sizes: &[usize], first: usize) -> HostTensor {
    let count = sizes.iter().product::<usize>();
    let numbers = (first..first + count).map(|index| (index * 7 % 19) as f32 / 10.0 - 0.9);
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

/// Places in axes of at least five elements.
fn integers(sizes: &[usize]) -> HostTensor {
    let count = sizes.iter().product();
    let numbers = (0..count).map(|index| (index * 3 % 5) as i32);
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

fn complex(sizes: &[usize]) -> HostTensor {
    let count = sizes.iter().product::<usize>();
    let part = |index: usize| (index % 11) as f32 / 5.0 - 1.0;
    let numbers = (0..count).map(|index| Complex32::new(part(index * 3), part(index * 7 + 1)));
    HostTensor::new(sizes, &numbers.collect::<Vec<_>>())
}

/// Symmetric matrices with a heavy diagonal.
fn positive(count: usize) -> HostTensor {
    let numbers = (0..count * 9).map(|index| {
        let (matrix, row, column) = (index / 9, index / 3 % 3, index % 3);
        let diagonal = if row == column { 3.0 } else { 0.0 };
        diagonal + (matrix + row * column) as f32 / 10.0
    });
    HostTensor::new(&[count, 3, 3], &numbers.collect::<Vec<_>>())
}
