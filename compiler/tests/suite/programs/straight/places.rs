//! Operations that move elements.

use super::{
    array::{Array, Scalar},
    oracle::arithmetic,
    step::{Operation, Part},
};
use iree_abi::DType;

pub(super) fn evaluate(
    operation: &Operation,
    dtype: DType,
    shape: &[usize],
    operands: &[&Array],
) -> Option<Array> {
    let x = operands[0];
    let from = |place: &dyn Fn(&[usize]) -> Vec<usize>| {
        Array::build(dtype, shape, |index| x.at(&place(index)))
    };
    Some(match operation {
        Operation::InsertAxis(_) | Operation::RemoveAxis(_) | Operation::Reshape(_) => Array {
            shape: shape.to_vec(),
            ..x.clone()
        },
        Operation::SwapAxes(one, other) => from(&|index| {
            let mut index = index.to_vec();
            index.swap(*one, *other);
            index
        }),
        Operation::Transpose => from(&|index| index.iter().rev().copied().collect()),
        Operation::Permute(axes) => from(&|index| {
            let mut own = vec![0; axes.len()];
            for (axis, index) in axes.iter().zip(index) {
                own[*axis] = *index;
            }
            own
        }),
        Operation::BroadcastTo => Array::build(dtype, shape, |index| x.broadcast_at(index)),
        Operation::Slice(parts) => {
            let starts = starts(parts, &x.shape)?;
            from(&|index| source(parts, &starts, index))
        }
        Operation::Reverse(axes) => from(&|index| {
            let mut index = index.to_vec();
            for axis in axes {
                index[*axis] = shape[*axis] - 1 - index[*axis];
            }
            index
        }),
        Operation::Roll(by, axis) => from(&|index| {
            let mut index = index.to_vec();
            let moved = index[*axis] as isize - by;
            index[*axis] = moved.rem_euclid(shape[*axis] as isize) as usize;
            index
        }),
        Operation::Repeat(times, axis) => from(&|index| {
            let mut index = index.to_vec();
            index[*axis] /= times;
            index
        }),
        Operation::Tile(_) => from(&|index| {
            let sizes = index.iter().zip(&x.shape);
            sizes.map(|(index, size)| index % size).collect()
        }),
        Operation::Pad {
            low,
            interior,
            value,
            ..
        } => Array::build(dtype, shape, |index| {
            let place = (0..index.len()).map(|axis| {
                let behind = usize::try_from(index[axis] as isize - low[axis]).ok()?;
                let gap = interior[axis] + 1;
                let place = behind / gap;
                (behind % gap == 0 && place < x.shape[axis]).then_some(place)
            });
            let place: Option<Vec<_>> = place.collect();
            place.map_or(Scalar::number(dtype, *value), |place| x.at(&place))
        }),
        Operation::Concatenate(axis) => Array::build(dtype, shape, |index| {
            let mut index = index.to_vec();
            for operand in operands {
                if index[*axis] < operand.shape[*axis] {
                    return operand.at(&index);
                }
                index[*axis] -= operand.shape[*axis];
            }
            Scalar::number(dtype, 0.0)
        }),
        Operation::Stack(axis) => Array::build(dtype, shape, |index| {
            let mut index = index.to_vec();
            let operand = index.remove(*axis);
            operands[operand].at(&index)
        }),
        Operation::Triangle(name, by) => Array::build(dtype, shape, |index| {
            let last = index.len() - 1;
            let above = index[last] as isize - index[last - 1] as isize - by;
            let is_kept = match *name {
                "tri_lower" => above <= 0,
                _ => above >= 0,
            };
            if is_kept {
                x.at(index)
            } else {
                Scalar::number(dtype, 0.0)
            }
        }),
        Operation::AtIndex => {
            let first = clamped(operands[1].elements[0], *x.shape.first()?)?;
            from(&|index| [&[first], index].concat())
        }
        _ => return indexed(operation, dtype, shape, operands),
    })
}

fn indexed(
    operation: &Operation,
    dtype: DType,
    shape: &[usize],
    operands: &[&Array],
) -> Option<Array> {
    let x = operands[0];
    match operation {
        Operation::Take(axis) => {
            let indices = operands[1];
            let size = x.shape[*axis];
            (size > 0 || shape.contains(&0)).then(|| {
                Array::build(dtype, shape, |index| {
                    let (before, rest) = index.split_at(*axis);
                    let (inner, after) = rest.split_at(indices.shape.len());
                    let place = clamped(indices.at(inner), size).unwrap_or(0);
                    x.at(&[before, &[place], after].concat())
                })
            })
        }
        Operation::TakeAlongAxis(axis) => {
            let size = x.shape[*axis];
            (size > 0 || shape.contains(&0)).then(|| {
                Array::build(dtype, shape, |index| {
                    let mut own = index.to_vec();
                    own[*axis] = clamped(operands[1].at(index), size).unwrap_or(0);
                    x.at(&own)
                })
            })
        }
        Operation::ScatterAdd(axis) => {
            let (indices, updates) = (operands[1], operands[2]);
            let mut result = x.clone();
            Array::build(dtype, &updates.shape, |index| {
                let (before, rest) = index.split_at(*axis);
                let (inner, after) = rest.split_at(indices.shape.len());
                let place = usize::try_from(indices.at(inner).integer());
                if let Ok(place) = place
                    && place < x.shape[*axis]
                {
                    let own = [before, &[place], after].concat();
                    let sum = arithmetic("+", dtype, result.at(&own), updates.at(index));
                    set(&mut result, &own, sum);
                }
                Scalar::number(dtype, 0.0)
            });
            Some(result)
        }
        Operation::OneHot(_) => Some(Array::build(dtype, shape, |index| {
            let (class, own) = index.split_last().expect("an axis");
            let is_it = x.at(own).integer() == *class as i128;
            Scalar::number(dtype, f64::from(u8::from(is_it)))
        })),
        Operation::Assign {
            parts,
            operator,
            number,
        } => assign(parts, operator, *number, operands),
        Operation::AssignAt => {
            let first = clamped(operands[1].elements[0], *x.shape.first()?)?;
            Some(Array::build(dtype, shape, |index| {
                if index[0] == first {
                    operands[2].broadcast_at(&index[1..])
                } else {
                    x.at(index)
                }
            }))
        }
        _ => None,
    }
}

fn assign(
    parts: &[Part],
    operator: &str,
    number: Option<f64>,
    operands: &[&Array],
) -> Option<Array> {
    let x = operands[0];
    let starts = starts(parts, &x.shape)?;
    let mut result = x.clone();
    let shape = part_shape(parts, &x.shape)?;
    Array::build(x.dtype, &shape, |index| {
        let own = source(parts, &starts, index);
        let value = match number {
            Some(number) => Scalar::number(x.dtype, number),
            None => operands[1].broadcast_at(index),
        };
        let value = match operator {
            "=" => value,
            _ => arithmetic(&operator[..1], x.dtype, x.at(&own), value),
        };
        set(&mut result, &own, value);
        value
    });
    Some(result)
}

fn set(array: &mut Array, index: &[usize], value: Scalar) {
    let places = index.iter().zip(&array.shape);
    let place = places.fold(0, |place, (index, size)| place * size + index);
    array.elements[place] = value;
}

fn clamped(index: Scalar, size: usize) -> Option<usize> {
    let last = size.checked_sub(1)?;
    Some(index.integer().clamp(0, last as i128) as usize)
}

/// The sizes of a part.
pub(super) fn part_shape(parts: &[Part], shape: &[usize]) -> Option<Vec<usize>> {
    let mut sizes = Vec::new();
    for (part, size) in parts.iter().zip(shape) {
        match part {
            Part::All => sizes.push(*size),
            Part::Range(start, end, step) => {
                let end = end.unwrap_or(*size);
                if end > *size || *start > end {
                    return None;
                }
                sizes.push((end - start).div_ceil(*step));
            }
            Part::Backwards(step) => sizes.push(size.div_ceil(*step)),
            Part::Less(by) => sizes.push(size.checked_sub(*by)?),
            Part::At(index) if index < size => {}
            Part::At(_) => return None,
        }
    }
    Some(sizes)
}

/// The first place of a part along each axis.
fn starts(parts: &[Part], shape: &[usize]) -> Option<Vec<usize>> {
    part_shape(parts, shape)?;
    let starts = parts.iter().zip(shape).map(|(part, size)| match part {
        Part::All | Part::Less(_) => 0,
        Part::Range(start, ..) => *start,
        Part::Backwards(_) => size.saturating_sub(1),
        Part::At(index) => *index,
    });
    Some(starts.collect())
}

fn source(parts: &[Part], starts: &[usize], index: &[usize]) -> Vec<usize> {
    let mut index = index.iter();
    let mut next = || *index.next().expect("an index for each axis");
    let places = parts.iter().zip(starts).map(|(part, start)| match part {
        Part::At(index) => *index,
        Part::All | Part::Less(_) => next(),
        Part::Range(_, _, step) => start + next() * step,
        Part::Backwards(step) => start - next() * step,
    });
    places.collect()
}
