use crate::{
    compare::{Close, differences},
    data::{Data, Stored},
};
use iree_dsl::{DeviceArray, Result};
use ndarray::{Array, Dimension};

/// Results of operations against those in a file. Errors count as if every number were as large as the
/// largest of its array: sums of products are not more precise than that.
pub(crate) struct Check {
    data: Data,
    failures: Vec<String>,
}

impl Check {
    /// Nothing wrong so far.
    pub(crate) fn new(family: &str, path: &str) -> Self {
        Self {
            data: Data::read(family, path),
            failures: Vec::new(),
        }
    }

    /// An input.
    pub(crate) fn input<T: Stored, D: Dimension>(&self, name: &str) -> Array<T, D> {
        let array = self.data.array(name);
        array
            .into_dimensionality()
            .expect("the array has as many axes")
    }

    /// Compares a result with the array of that name.
    pub(crate) fn result<T: Stored + Size, D: Dimension>(
        &mut self,
        name: &str,
        result: Result<DeviceArray<T, D>>,
    ) {
        self.conditioned(name, 1.0, result);
    }

    /// Compares a result with the array of that name, where errors grow by a condition number.
    pub(crate) fn conditioned<T: Stored + Size, D: Dimension>(
        &mut self,
        name: &str,
        condition: f64,
        result: Result<DeviceArray<T, D>>,
    ) {
        let found = result.unwrap().to_array().unwrap().into_dyn();
        let right = self.data.array::<T>(name);
        let largest = right.iter().map(|number| number.size()).fold(0.0, f64::max);
        let difference = differences(&found, &right, condition * largest, |index| {
            format!("at {index}")
        });
        self.failures
            .extend(difference.map(|difference| format!("{name}: {difference}")));
    }

    /// Fails if a result was wrong.
    pub(crate) fn finish(self) {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

/// A number with a size.
pub(crate) trait Size: Close {
    fn size(self) -> f64;
}

macro_rules! size {
    ($($ty:ty: |$number:ident| $size:expr;)+) => {
        $(impl Size for $ty {
            fn size(self) -> f64 {
                let $number = self;
                $size
            }
        })+
    };
}

size! {
    half::f16: |number| number.to_f64().abs();
    half::bf16: |number| number.to_f64().abs();
    f32: |number| f64::from(number).abs();
    f64: |number| number.abs();
    i32: |number| f64::from(number).abs();
    num_complex::Complex32: |number| f64::from(number.norm());
    num_complex::Complex64: |number| number.norm();
}
