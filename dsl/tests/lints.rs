//! The expansion is free of warnings, whatever the user's crate is strict about.

#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    redundant_lifetimes,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![allow(clippy::cargo_common_metadata, clippy::multiple_crate_versions)]
#![no_implicit_prelude]

use ::iree_dsl::prelude::*;

/// Things with the names that the expansion needs.
#[allow(dead_code, missing_debug_implementations, clippy::redundant_pub_crate)]
mod shadows {
    pub(crate) struct Result;
    pub(crate) struct Call;
    pub(crate) struct Tree;
    pub(crate) mod iree_dsl {}
    pub(crate) mod core {}
    pub(crate) mod std {}
    #[allow(non_camel_case_types)]
    pub(crate) struct f32;
}

/// Kernels of which nothing is used.
#[kernel]
mod private_kernels {
    pub fn f<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
        x
    }

    fn g(x: Tensor<f32>) -> Tensor<f32> {
        x
    }
}

/// Kernels and a tree.
#[kernel]
pub mod kernels {
    #[kernel]
    pub use super::private_kernels::f;

    /// A tree.
    #[derive(Debug)]
    pub struct Shared<const N: usize> {
        /// A leaf.
        pub x: Tensor<f32, N>,
    }
}

/// A program of which nothing is used.
#[program]
mod strict {
    #[kernel]
    pub use super::kernels::{Shared, f};
    #[allow(unused_imports)]
    use super::shadows::*;
    use super::*;

    /// A tree.
    #[derive(Debug)]
    pub struct Params<const N: usize, T: Float> {
        /// A leaf.
        pub x: Tensor<T, N>,
    }

    /// The program.
    #[derive(Debug)]
    pub struct Strict {
        #[global]
        params: Params<3, f32>,
    }

    impl Strict {
        /// Has many parameters.
        pub fn many(
            &mut self,
            params: Params<3, f32>,
            call: Tensor<f32>,
            argument: (Tensor<f32>, [Tensor<f32>; 2]),
            c: Tensor<f32>,
            d: Tensor<f32>,
            e: Tensor<f32>,
            f: Tensor<f32>,
            g: Tensor<f32>,
        ) -> (Params<3, f32>, [(Tensor<f32>, Tensor<f32>); 2]) {
            let old = self.params;
            self.params = params;
            let sum = call + argument.0 + argument.1[0] + argument.1[1] + c + d + e + f + g;
            (old, [(sum, c), (d, e)])
        }

        /// Has one that is shared.
        pub fn share(&self, shared: Shared<3>) -> Shared<3> {
            Shared { x: f(shared.x) }
        }

        /// Has none.
        pub fn get(&self) -> Params<3, f32> {
            self.params
        }
    }
}

/// A program inside a function.
#[test]
fn programs_may_stand_in_functions() {
    #[program]
    mod local {
        pub struct Local;

        impl Local {
            pub fn double(&self, x: Tensor<i32>) -> Tensor<i32> {
                x + x
            }
        }
    }

    let device = Device::open("local-sync").unwrap();
    let program = local::Local::load(&device).unwrap();
    let doubled = program.double(21).unwrap();
    ::std::assert_eq!(doubled.to_scalar().unwrap(), 42);
}
