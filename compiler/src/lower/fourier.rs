//! Discrete Fourier transforms as products with small matrices. IREE 3.13 has transforms of `f32` whose
//! length is a power of two only.
//! Defects `fourier-transform-of-other-lengths` and `fourier-transform-of-doubles`.

use super::{
    Machine, contract,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    opaque, shape, slice,
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData, Scalar,
    op::{DotGeneral, Fourier, Slice, Transpose},
};
use std::f64::consts::PI;

/// Transforms of at most this length are made in one step, longer ones in several where they can be.
const RADIX: usize = 64;

/// Prime lengths above this are made with transforms of other lengths.
const LARGEST_PRIME: usize = 256;

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: Fourier,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let length = operand.ty.shape.dims().last().and_then(Dim::known);
    let length = length.ok_or(LowerCause::Lost("the length of a transform"))?;
    let wave = match op {
        Fourier::Forward => Wave(-1.0),
        Fourier::Inverse => Wave(1.0),
    };
    let parts = Parts {
        re: emitter.real(operand)?,
        im: emitter.imag(operand)?,
    };
    let transform = Transform { emitter, wave };
    let mut result = transform.any(&parts, length)?;
    if op == Fourier::Inverse {
        let scale = emitter.number(1.0 / length as f64, &result.re)?;
        result = Parts {
            re: emitter.multiply(&result.re, &scale)?,
            im: emitter.multiply(&result.im, &scale)?,
        };
    }
    opaque::complex(emitter, &result.re, &result.im, operand.dtype())
}

/// The direction in which the roots of unity are gone through.
#[derive(Clone, Copy)]
struct Wave(f64);

impl Wave {
    /// The `turns`th root of unity of an order, real and imaginary part.
    fn root(self, turns: usize, order: usize) -> (f64, f64) {
        let (turns, order) = ((turns % order) as f64, order as f64);
        let near = if 2.0 * turns > order {
            turns - order
        } else {
            turns
        };
        let (sine, cosine) = (2.0 * PI * (near / order)).sin_cos();
        (cosine, self.0 * sine)
    }
}

/// Complex numbers as their parts.
#[derive(Clone)]
struct Parts<'c, 'b> {
    re: Tensor<'c, 'b>,
    im: Tensor<'c, 'b>,
}

/// Transforms without a factor, along the last axis.
struct Transform<'e, 'c, 'b> {
    emitter: &'e Emitter<'c, 'b>,
    wave: Wave,
}

impl<'c, 'b> Transform<'_, 'c, 'b> {
    fn any(&self, x: &Parts<'c, 'b>, length: usize) -> Result<Parts<'c, 'b>> {
        match radices(length) {
            Some(radices) => self.mixed(x, &radices),
            None => self.chirp(x, length),
        }
    }

    /// One radix after the other, as Cooley and Tukey have it: with the place in the input written in
    /// digits to the radices, each step replaces the first digit by one of the output, which goes to the
    /// end.
    fn mixed(&self, x: &Parts<'c, 'b>, radices: &[usize]) -> Result<Parts<'c, 'b>> {
        let batch = x.re.ty.shape.rank() - 1;
        let whole = x.re.ty.shape.clone();
        let mut rest: usize = radices.iter().product();
        let mut parts = x.clone();
        for (done, radix) in radices.iter().enumerate() {
            rest /= radix;
            let mut dims = whole.dims().get(..batch).unwrap_or_default().to_vec();
            dims.extend([*radix, rest].map(Dim::Static));
            let digits = radices.iter().take(done);
            dims.extend(digits.map(|radix| Dim::Static(*radix)));
            parts = self.reshape(&parts, &Shape::new(dims))?;
            parts = self.step(&parts, batch, *radix)?;
            if rest > 1 {
                parts = self.twist(&parts, batch, (rest, *radix))?;
            }
        }
        // The first digits of the output count least.
        let rank = batch + 1 + radices.len();
        let order: Vec<_> = (0..=batch).chain((batch + 1..rank).rev()).collect();
        let parts = self.transpose(&parts, &order)?;
        self.reshape(&parts, &whole)
    }

    /// The transform along an axis, which goes to the end.
    fn step(&self, x: &Parts<'c, 'b>, axis: usize, radix: usize) -> Result<Parts<'c, 'b>> {
        let root = |place: usize| self.wave.root(place / radix * (place % radix), radix);
        let matrix = self.table(&[radix, radix], x.re.dtype(), root)?;
        let op = DotGeneral {
            batch: (Vec::new(), Vec::new()),
            contract: (vec![axis], vec![0]),
            dtype: x.re.dtype(),
        };
        let mut dims = x.re.ty.shape.dims().to_vec();
        if axis < dims.len() {
            dims.remove(axis);
        }
        dims.push(Dim::Static(radix));
        let ty = TensorType::new(x.re.dtype(), Shape::new(dims));
        // IREE fuses what comes next into products with data tiling, and cannot compile that.
        let product = |a, b| {
            let product = contract::lower(self.emitter, Machine::default(), &op, (a, b), &ty)?;
            opaque::unfused(self.emitter, &product)
        };
        let re = (product(&x.re, &matrix.re)?, product(&x.im, &matrix.im)?);
        let im = (product(&x.re, &matrix.im)?, product(&x.im, &matrix.re)?);
        Ok(Parts {
            re: self.emitter.subtract(&re.0, &re.1)?,
            im: self.emitter.add(&im.0, &im.1)?,
        })
    }

    /// Turns each number by its place along an axis and the last axis.
    fn twist(
        &self,
        x: &Parts<'c, 'b>,
        axis: usize,
        (size, radix): (usize, usize),
    ) -> Result<Parts<'c, 'b>> {
        let root = |place: usize| {
            self.wave
                .root(place / radix * (place % radix), size * radix)
        };
        let table = self.table(&[size, radix], x.re.dtype(), root)?;
        let axes = [axis, x.re.ty.shape.rank() - 1];
        let shape = &x.re.ty.shape;
        let factor = Parts {
            re: self.emitter.broadcast(&table.re, shape, &axes)?,
            im: self.emitter.broadcast(&table.im, shape, &axes)?,
        };
        self.multiply(x, &factor)
    }

    /// A transform of any length by a convolution, as Bluestein has it: 2 j k = j² + k² - (k - j)².
    fn chirp(&self, x: &Parts<'c, 'b>, length: usize) -> Result<Parts<'c, 'b>> {
        let padded = (2 * length - 1).next_power_of_two();
        let dtype = x.re.dtype();
        let square = |place: usize| (place as u128 * place as u128 % (2 * length as u128)) as usize;
        let root = |place: usize| self.wave.root(square(place), 2 * length);
        let chirp = self.table(&[length], dtype, root)?;
        let echo = self.table(&[padded], dtype, |place| {
            let distance = place.min(padded - place);
            let (re, im) = match distance < length {
                true => root(distance),
                false => (0.0, 0.0),
            };
            (re, -im)
        })?;
        let chirp = self.repeat(&chirp, &x.re.ty.shape)?;
        let long = self.resize(&self.multiply(x, &chirp)?, padded)?;
        let forward = Transform {
            emitter: self.emitter,
            wave: Wave(-1.0),
        };
        let backward = Transform {
            emitter: self.emitter,
            wave: Wave(1.0),
        };
        let echo = forward.any(&echo, padded)?;
        let long = forward.any(&long, padded)?;
        let product = self.multiply(&long, &self.repeat(&echo, &long.re.ty.shape)?)?;
        let long = backward.any(&product, padded)?;
        let scale = self.emitter.number(1.0 / padded as f64, &x.re)?;
        let short = self.multiply(&self.resize(&long, length)?, &chirp)?;
        Ok(Parts {
            re: self.emitter.multiply(&short.re, &scale)?,
            im: self.emitter.multiply(&short.im, &scale)?,
        })
    }

    fn multiply(&self, a: &Parts<'c, 'b>, b: &Parts<'c, 'b>) -> Result<Parts<'c, 'b>> {
        let e = self.emitter;
        Ok(Parts {
            re: e.subtract(&e.multiply(&a.re, &b.re)?, &e.multiply(&a.im, &b.im)?)?,
            im: e.add(&e.multiply(&a.re, &b.im)?, &e.multiply(&a.im, &b.re)?)?,
        })
    }

    fn reshape(&self, x: &Parts<'c, 'b>, shape: &Shape) -> Result<Parts<'c, 'b>> {
        Ok(Parts {
            re: self.emitter.reshape(&x.re, shape)?,
            im: self.emitter.reshape(&x.im, shape)?,
        })
    }

    fn transpose(&self, x: &Parts<'c, 'b>, permutation: &[usize]) -> Result<Parts<'c, 'b>> {
        let op = Transpose {
            permutation: permutation.to_vec(),
        };
        let dims = x.re.ty.shape.dims();
        let dims = permutation
            .iter()
            .filter_map(|axis| dims.get(*axis).cloned());
        let ty = TensorType::new(x.re.dtype(), Shape::new(dims.collect()));
        Ok(Parts {
            re: shape::lower_transpose(self.emitter, &op, &x.re, &ty)?,
            im: shape::lower_transpose(self.emitter, &op, &x.im, &ty)?,
        })
    }

    /// A list of numbers for each place of a batch.
    fn repeat(&self, list: &Parts<'c, 'b>, shape: &Shape) -> Result<Parts<'c, 'b>> {
        let axes = [shape.rank() - 1];
        Ok(Parts {
            re: self.emitter.broadcast(&list.re, shape, &axes)?,
            im: self.emitter.broadcast(&list.im, shape, &axes)?,
        })
    }

    /// The first numbers along the last axis, with zeros behind them if there are too few.
    fn resize(&self, x: &Parts<'c, 'b>, length: usize) -> Result<Parts<'c, 'b>> {
        Ok(Parts {
            re: resize(self.emitter, &x.re, length)?,
            im: resize(self.emitter, &x.im, length)?,
        })
    }

    /// Constants, computed from their place.
    fn table(
        &self,
        sizes: &[usize],
        dtype: DType,
        number: impl Fn(usize) -> (f64, f64),
    ) -> Result<Parts<'c, 'b>> {
        let numbers = (0..sizes.iter().product()).map(number);
        let (re, im): (Vec<_>, Vec<_>) = numbers.unzip();
        Ok(Parts {
            re: constant(self.emitter, sizes, dtype, &re)?,
            im: constant(self.emitter, sizes, dtype, &im)?,
        })
    }
}

fn constant<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    sizes: &[usize],
    dtype: DType,
    numbers: &[f64],
) -> Result<Tensor<'c, 'b>> {
    let encode = |number: &f64| Scalar::Float(*number).encode(dtype);
    let bytes = numbers.iter().map(encode).collect::<Result<Vec<_>, _>>();
    let bytes = bytes.map_err(|_| LowerCause::Lost("a number outside its type"))?;
    emitter.constant(&Constant {
        ty: TensorType::new(dtype, sizes),
        data: ConstantData::Dense(bytes.concat()),
    })
}

fn resize<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    x: &Tensor<'c, 'b>,
    length: usize,
) -> Result<Tensor<'c, 'b>> {
    let mut dims = x.ty.shape.dims().to_vec();
    let axis = dims.len() - 1;
    let old = dims.pop().and_then(|dim| dim.known());
    let old = old.ok_or(LowerCause::Lost("the length of a transform"))?;
    let of_length = |length| {
        let dims = [dims.as_slice(), &[Dim::Static(length)]].concat();
        TensorType::new(x.dtype(), Shape::new(dims))
    };
    let ty = of_length(length);
    match length.checked_sub(old) {
        Some(missing) => {
            let zeros = emitter.splat(Scalar::Integer(0), &of_length(missing))?;
            slice::lower_concatenate(emitter, axis, &[x.clone(), zeros], &ty)
        }
        None => slice::lower(emitter, &first(&ty), x, &ty),
    }
}

/// The slice that has a type and starts at the beginning.
fn first(ty: &TensorType) -> Slice {
    let limit = ty.shape.extents().unwrap_or_default();
    Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    }
}

/// The lengths whose product is a length, each small enough for one step; `None` if there are none.
fn radices(length: usize) -> Option<Vec<usize>> {
    let mut radices = Vec::new();
    for prime in primes(length) {
        if prime > LARGEST_PRIME {
            return None;
        }
        let mut fitting = radices.iter_mut().filter(|radix| **radix * prime <= RADIX);
        match fitting.next() {
            Some(radix) => *radix *= prime,
            None => radices.push(prime),
        }
    }
    if radices.is_empty() {
        radices.push(1);
    }
    Some(radices)
}

/// The prime factors of a number, largest first.
fn primes(mut number: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut candidate = 2;
    while candidate * candidate <= number {
        match number % candidate {
            0 => {
                primes.push(candidate);
                number /= candidate;
            }
            _ => candidate += 1,
        }
    }
    if number > 1 {
        primes.push(number);
    }
    primes.reverse();
    primes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_split_into_few_radices() {
        assert_eq!(radices(1), Some(vec![1]));
        assert_eq!(radices(64), Some(vec![64]));
        assert_eq!(radices(1024), Some(vec![64, 16]));
        assert_eq!(radices(100), Some(vec![50, 2]));
        assert_eq!(radices(251 * 3), Some(vec![251, 3]));
        assert_eq!(radices(257), None);
    }

    #[test]
    fn roots_of_unity_are_exact_on_the_axes() {
        assert_eq!(Wave(-1.0).root(0, 7), (1.0, 0.0));
        let (re, im) = Wave(-1.0).root(1, 4);
        assert!(re.abs() < 1e-16);
        assert_eq!(im, -1.0);
    }
}
