use super::{
    super::{deferred::Axes, derive},
    Run, build, contract, control, convert, convolution, diagonal, einsum, elementwise, fold,
    fourier, include, index, linalg, normalize, observe, order, pad, pool, random, rearrange,
    reduce, scan, sequence, shape, slice, statistics,
};
use iree_dsl_ir::op::UnaryOp;
use iree_dsl_library::{activation, arithmetic, complex, predicate, rounding, trigonometry};
use std::ops::RangeInclusive;

/// An operation as users see it.
#[derive(Clone, Debug)]
pub struct OperationInfo {
    /// Its name; a macro's ends in `!`.
    pub name: &'static str,
    /// How it is written.
    pub form: OperationForm,
    /// The group that it belongs to.
    pub group: &'static str,
    /// An example of its use.
    pub usage: &'static str,
    /// What it computes, for which element types.
    pub meaning: &'static str,
    /// The names of its options, which only a macro has. Each may be left out.
    pub options: &'static [&'static str],
    /// How many arguments it takes, without the receiver.
    pub(super) arguments: RangeInclusive<usize>,
    /// What may stand between angle brackets.
    pub(super) generic: Generic,
    pub(super) run: Run,
}

impl PartialEq for OperationInfo {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.form) == (other.name, other.form)
    }
}

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationForm {
    /// `x.name(…)`.
    Method,
    /// `name(…)`.
    Function,
    /// `name!(…, option = …)`.
    Macro,
}

/// What may stand between the angle brackets of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generic {
    /// Nothing.
    Nothing,
    /// Whatever the operation takes.
    Arguments,
    /// The type of the tensor that it builds, unless that follows from where the tensor goes.
    Type {
        /// Whether its arguments are elements, so that the element type may follow from them.
        of_elements: bool,
        /// Which axes of tensors beside which it stands what it builds has.
        axes: Axes,
    },
}

/// An operation of the representation, with the function of numbers known while building, where Rust has one.
macro_rules! unary {
    ($op:ident) => {
        |tracer, call| elementwise::composite(tracer, &call, |x| x.apply(UnaryOp::$op), None)
    };
    ($op:ident, $of_static:path) => {
        |tracer, call| {
            elementwise::composite(tracer, &call, |x| x.apply(UnaryOp::$op), Some($of_static))
        }
    };
}

/// A composite of one tensor, with the function of numbers known while building, where Rust has one.
macro_rules! composite {
    ($function:path) => {
        |tracer, call| elementwise::composite(tracer, &call, $function, None)
    };
    ($function:path, $of_static:path) => {
        |tracer, call| elementwise::composite(tracer, &call, $function, Some($of_static))
    };
}

/// A composite of several tensors.
macro_rules! composite_of {
    ($function:path: $($operand:ident),+) => {
        |tracer, call| {
            elementwise::composite_of(tracer, &call, |[$($operand),+]| $function($($operand),+))
        }
    };
}

macro_rules! operations {
    ($($group:literal { $($form:ident $name:literal $(<$generic:tt>)? $([$($option:literal),+])? $least:literal..=$most:literal, $run:expr, $usage:literal, $meaning:literal;)+ })+) => {
        /// Every operation that users can call.
        pub static OPERATIONS: &[OperationInfo] = &[
            $($(OperationInfo {
                name: $name,
                form: OperationForm::$form,
                group: $group,
                usage: $usage,
                meaning: $meaning,
                options: &[$($($option),+)?],
                arguments: $least..=$most,
                generic: operations!(@generic $($generic)?),
                run: $run,
            },)+)+
        ];
    };
    (@generic) => { Generic::Nothing };
    (@generic T) => { Generic::Arguments };
    (@generic N) => { Generic::Arguments };
    (@generic Type) => { Generic::Type { of_elements: false, axes: Axes::All } };
    (@generic TypeOfElements) => { Generic::Type { of_elements: true, axes: Axes::All } };
    (@generic TypeOfAxis) => { Generic::Type { of_elements: false, axes: Axes::Last } };
    (@generic TypeOfClasses) => { Generic::Type { of_elements: false, axes: Axes::LastBehindArgument } };
    (@generic TypeOfElementsAlongAxis) => { Generic::Type { of_elements: true, axes: Axes::Last } };
}

operations! {
    "unary" {
        Method "abs" 0..=0, unary!(Abs, f64::abs), "x.abs()", "the absolute value; of a complex number, a real one; numbers with a sign";
        Method "signum" 0..=0, composite!(rounding::signum, f64::signum), "x.signum()", "1 or -1 by the sign, NaN for NaN; of an integer, 0 for 0; real numbers and integers";
        Method "floor" 0..=0, unary!(Floor, f64::floor), "x.floor()", "the next integer downwards; real numbers";
        Method "ceil" 0..=0, composite!(rounding::ceil, f64::ceil), "x.ceil()", "the next integer upwards; real numbers";
        Method "round" 0..=0, composite!(rounding::round, f64::round), "x.round()", "the nearest integer, away from zero if there are two; real numbers";
        Method "round_ties_even" 0..=0, unary!(RoundTiesEven, f64::round_ties_even), "x.round_ties_even()", "the nearest integer, the even one if there are two; real numbers";
        Method "trunc" 0..=0, composite!(rounding::trunc, f64::trunc), "x.trunc()", "the integer without the fraction; real numbers";
        Method "fract" 0..=0, composite!(rounding::fract, f64::fract), "x.fract()", "the fraction, with the sign of the number; real numbers";
        Method "recip" 0..=0, composite!(arithmetic::recip, f64::recip), "x.recip()", "one divided by the number; real and complex numbers";
        Method "sqrt" 0..=0, unary!(Sqrt, f64::sqrt), "x.sqrt()", "the square root; real and complex numbers";
        Method "rsqrt" 0..=0, composite!(arithmetic::rsqrt), "x.rsqrt()", "one divided by the square root; real and complex numbers";
        Method "cbrt" 0..=0, unary!(Cbrt, f64::cbrt), "x.cbrt()", "the cubic root; real numbers";
        Method "exp" 0..=0, unary!(Exp, f64::exp), "x.exp()", "*e* to the power of the number; real and complex numbers";
        Method "exp2" 0..=0, composite!(trigonometry::exp2, f64::exp2), "x.exp2()", "two to the power of the number; real and complex numbers";
        Method "exp_m1" 0..=0, unary!(ExpM1, f64::exp_m1), "x.exp_m1()", "*e* to the power of the number, less one, precise near zero; real and complex numbers";
        Method "ln" 0..=0, unary!(Ln, f64::ln), "x.ln()", "the natural logarithm; real and complex numbers";
        Method "ln_1p" 0..=0, unary!(Ln1p, f64::ln_1p), "x.ln_1p()", "the natural logarithm of one more than the number, precise near zero; real and complex numbers";
        Method "log2" 0..=0, composite!(trigonometry::log2, f64::log2), "x.log2()", "the logarithm to the base 2; real and complex numbers";
        Method "log10" 0..=0, composite!(trigonometry::log10, f64::log10), "x.log10()", "the logarithm to the base 10; real and complex numbers";
        Method "sin" 0..=0, unary!(Sin, f64::sin), "x.sin()", "the sine, precise for numbers of any size; real and complex numbers";
        Method "cos" 0..=0, unary!(Cos, f64::cos), "x.cos()", "the cosine, precise for numbers of any size; real and complex numbers";
        Method "tan" 0..=0, composite!(trigonometry::tan, f64::tan), "x.tan()", "the tangent; real and complex numbers";
        Method "asin" 0..=0, composite!(trigonometry::asin, f64::asin), "x.asin()", "the inverse of the sine, from -π/2 to π/2; real and complex numbers";
        Method "acos" 0..=0, composite!(trigonometry::acos, f64::acos), "x.acos()", "the inverse of the cosine, from 0 to π; real and complex numbers";
        Method "atan" 0..=0, composite!(trigonometry::atan, f64::atan), "x.atan()", "the inverse of the tangent, from -π/2 to π/2; real and complex numbers";
        Method "sinh" 0..=0, composite!(trigonometry::sinh, f64::sinh), "x.sinh()", "the hyperbolic sine; real and complex numbers";
        Method "cosh" 0..=0, composite!(trigonometry::cosh, f64::cosh), "x.cosh()", "the hyperbolic cosine; real and complex numbers";
        Method "tanh" 0..=0, unary!(Tanh, f64::tanh), "x.tanh()", "the hyperbolic tangent; real and complex numbers";
        Method "asinh" 0..=0, composite!(trigonometry::asinh, f64::asinh), "x.asinh()", "the inverse of the hyperbolic sine; real and complex numbers";
        Method "acosh" 0..=0, composite!(trigonometry::acosh, f64::acosh), "x.acosh()", "the inverse of the hyperbolic cosine; real and complex numbers";
        Method "atanh" 0..=0, composite!(trigonometry::atanh, f64::atanh), "x.atanh()", "the inverse of the hyperbolic tangent; real and complex numbers";
        Method "erf" 0..=0, unary!(Erf), "x.erf()", "the error function; real numbers";
        Method "erfc" 0..=0, unary!(Erfc), "x.erfc()", "one less the error function, precise for large numbers; real numbers";
        Method "erf_inv" 0..=0, unary!(ErfInv), "x.erf_inv()", "the inverse of the error function; real numbers";
        Method "lgamma" 0..=0, unary!(Lgamma), "x.lgamma()", "the logarithm of the absolute value of the gamma function; real numbers";
        Method "digamma" 0..=0, unary!(Digamma), "x.digamma()", "the derivative of the logarithm of the gamma function; real numbers";
        Method "trigamma" 0..=0, unary!(Trigamma), "x.trigamma()", "the second derivative of the logarithm of the gamma function; real numbers";
        Method "sigmoid" 0..=0, unary!(Sigmoid), "x.sigmoid()", "1 / (1 + *e*⁻ˣ); real and complex numbers";
        Method "relu" 0..=0, composite!(activation::relu), "x.relu()", "the number, or 0 if it is negative; real numbers and integers";
        Method "gelu" 0..=0, composite!(activation::gelu), "x.gelu()", "the number times the normal distribution up to it, x (1 + erf (x / √2)) / 2; real numbers";
        Method "gelu_tanh" 0..=0, composite!(activation::gelu_tanh), "x.gelu_tanh()", "`gelu` with an approximation by `tanh`; real numbers";
        Method "silu" 0..=0, composite!(activation::silu), "x.silu()", "the number times its `sigmoid`; real numbers";
        Method "softplus" 0..=0, composite!(activation::softplus), "x.softplus()", "ln (1 + *e*ˣ); real numbers";
        Method "is_finite" 0..=0, composite!(predicate::is_finite), "x.is_finite()", "whether it is neither infinite nor NaN; of a complex number, both parts; real and complex numbers";
        Method "is_nan" 0..=0, composite!(predicate::is_nan), "x.is_nan()", "whether it is NaN; of a complex number, either part; real and complex numbers";
        Method "is_infinite" 0..=0, composite!(predicate::is_infinite), "x.is_infinite()", "whether it is infinite; of a complex number, either part; real and complex numbers";
        Method "count_ones" 0..=0, unary!(CountOnes), "x.count_ones()", "the number of bits that are set, in the same type; integers";
        Method "leading_zeros" 0..=0, unary!(LeadingZeros), "x.leading_zeros()", "the number of bits before the first that is set, in the same type; integers";
        Method "powi" 1..=1, elementwise::power::powi, "x.powi(3)", "the power to an integer known while building; integers wrap; all but `bool`";
        Method "to_bits" 0..=0, convert::to_bits, "x.to_bits()", "the bits as integers without a sign of the same width; real numbers";
        Method "conj" 0..=0, composite!(complex::conj), "x.conj()", "the number with the other imaginary part; complex numbers";
        Method "re" 0..=0, unary!(Real), "x.re()", "the real part; complex numbers";
        Method "im" 0..=0, unary!(Imag), "x.im()", "the imaginary part; complex numbers";
    }
    "binary" {
        Method "maximum" 1..=1, elementwise::maximum, "x.maximum(y)", "the larger number at each place, NaN if either is; all but complex";
        Method "minimum" 1..=1, elementwise::minimum, "x.minimum(y)", "the smaller number at each place, NaN if either is; all but complex";
        Method "powf" 1..=1, composite_of!(arithmetic::powf: x, y), "x.powf(y)", "the power to a number of the same type; real and complex numbers";
        Method "atan2" 1..=1, elementwise::atan2, "y.atan2(x)", "the angle of the point (x, y), from -π to π; real numbers";
        Method "hypot" 1..=1, composite_of!(arithmetic::hypot: x, y), "x.hypot(y)", "the length √(x² + y²), where no square overflows; real numbers";
        Method "copysign" 1..=1, composite_of!(rounding::copysign: x, sign), "x.copysign(y)", "the number with the sign of another; real numbers";
        Method "rem_euclid" 1..=1, composite_of!(arithmetic::rem_euclid: x, y), "x.rem_euclid(y)", "the remainder that is not negative, of an integer divided by zero the dividend if it is not; real numbers and integers";
        Function "complex" 2..=2, elementwise::complex_of_parts, "complex(re, im)", "the complex numbers with these parts; `f32` and `f64`";
    }
    "ternary" {
        Function "select" 3..=3, elementwise::select, "select(mask, a, b)", "`a` where the mask is true, `b` elsewhere; every element type";
        Method "clamp" 2..=2, composite_of!(arithmetic::clamp: x, low, high), "x.clamp(low, high)", "the number, or the bound that it is beyond, NaN if any is; real numbers and integers";
        Method "mul_add" 2..=2, composite_of!(arithmetic::mul_add: x, factor, summand), "x.mul_add(a, b)", "x a + b, rounded once or twice; all but `bool`";
    }
    "build" {
        Function "eye" <Type> 0..=0, diagonal::eye, "eye::<f32, 3, 3>()", "one on the diagonal of the last two axes and zero elsewhere; by expected type without angle brackets";
        Function "arange" <TypeOfAxis> 0..=0, sequence::arange, "arange::<f32, 10>()", "the integers from 0 on along one axis; all but `bool`; by expected type without angle brackets";
        Function "linspace" <TypeOfElementsAlongAxis> 2..=2, sequence::linspace, "linspace::<f32, 5>(0.0, 1.0)", "numbers at equal distances, the first and the last given; real numbers; by expected type without angle brackets";
        Method "tri_lower" 0..=1, diagonal::tri_lower, "x.tri_lower()", "zero above the diagonal of the last two axes, or one that is so much higher; every element type";
        Method "tri_upper" 0..=1, diagonal::tri_upper, "x.tri_upper()", "zero below the diagonal of the last two axes, or one that is so much higher; every element type";
        Function "zeros" <Type> 0..=0, build::zeros, "zeros::<f32, 3, 4>()", "zero everywhere, `false` for `bool`; by expected type without angle brackets";
        Function "ones" <Type> 0..=0, build::ones, "ones::<f32, 3, 4>()", "one everywhere, `true` for `bool`; by expected type without angle brackets";
        Function "full" <TypeOfElements> 1..=1, build::full, "full::<f32, 3, 4>(2.5)", "a number, or a scalar tensor, everywhere; by expected type without angle brackets";
        Function "iota" <Type> 0..=1, build::iota, "iota::<i32, 3, 4>(1)", "the index along an axis, which is 0 if left out; all but `bool`";
        Function "zeros_like" 1..=1, build::zeros_like, "zeros_like(x)", "zeros of the type of a tensor or tree";
        Function "ones_like" 1..=1, build::ones_like, "ones_like(x)", "ones of the type of a tensor or tree";
        Function "full_like" 2..=2, build::full_like, "full_like(x, 2.5)", "a number everywhere, of the type of a tensor or tree";
        Function "tensor" 1..=1, build::tensor, "tensor([[1.0, 2.0], [3.0, 4.0]])", "nested arrays of numbers as a tensor";
    }
    "read" {
        Macro "include_npy!" 1..=1, include::npy, "include_npy!(\"w.npy\")", "the array of a file of NumPy, read while building; the path is relative to the source file";
        Macro "include_safetensors!" 2..=2, include::safetensors, "include_safetensors!(\"w.safetensors\", \"name\")", "one tensor of a file of safetensors, read while building; the path is relative to the source file";
    }
    "convert" {
        Method "cast" <T> 0..=0, convert::cast, "x.cast::<f64>()", "the numbers with another element type, as `as` does it";
        Method "from_bits" <T> 0..=0, convert::from_bits, "x.from_bits::<f32>()", "the real numbers with these bits; integers without a sign of the same width";
        Method "stop_gradient" 0..=0, unary!(StopGradient), "x.stop_gradient()", "the same numbers, which count as constants in derivatives; every element type";
    }
    "shape" {
        Method "shape" 0..=0, shape::shape, "x.shape()", "the dimensions as an array known while building";
        Method "dim" 1..=1, shape::dim, "x.dim(0)", "one dimension";
        Method "rank" 0..=0, shape::rank, "x.rank()", "the number of axes";
        Method "len" 0..=0, shape::len, "x.len()", "the number of elements";
        Method "reshape" 1..=1, shape::reshape, "x.reshape([2, -1])", "the elements in the same order with other axes; one may be -1";
        Method "flatten" 0..=0, shape::flatten, "x.flatten()", "the elements along one axis";
        Method "t" 0..=0, shape::t, "x.t()", "the axes in reverse order";
        Method "permute" 1..=1, shape::permute, "x.permute([2, 0, 1])", "the axes in another order";
        Method "swap_axes" 2..=2, shape::swap_axes, "x.swap_axes(0, 1)", "two axes exchanged";
        Method "insert_axis" 1..=1, shape::insert_axis, "x.insert_axis(0)", "a new axis of size 1";
        Method "remove_axis" 1..=1, shape::remove_axis, "x.remove_axis(0)", "without an axis of size 1";
        Method "broadcast_to" 1..=1, shape::broadcast_to, "x.broadcast_to([8, 3, 4])", "repeated along new axes and axes of size 1";
        Method "reverse" 1..=1, rearrange::reverse, "x.reverse(0)", "the elements along one axis or a list of axes in reverse order";
        Method "roll" 2..=2, rearrange::roll, "x.roll(2, 0)", "the elements moved up by some places along an axis, those that leave at the end coming back at the start; down if negative";
        Method "repeat" 2..=2, rearrange::repeat, "x.repeat(3, 0)", "each element several times in a row along an axis";
        Method "tile" 1..=1, rearrange::tile, "x.tile([2, 1])", "the tensor several times in a row along each axis; more numbers than axes make new first axes";
        Method "slice" 1..=1, slice::slice, "x.slice(s![1..3, .., 0])", "a part of the tensor, as `x[s![1..3, .., 0]]`";
        Method "split" 2..=2, rearrange::split, "x.split(2, 0)", "an array of so many equal parts along an axis, a number known while building; of a size that is known at the call only, the call requires it to be a multiple";
        Macro "pad!" ["low", "high", "interior", "value"] 1..=1, pad::pad, "pad!(x, low = [1, 0], high = [2, 0], interior = [0, 1], value = 0.5)", "with more elements before the first, behind the last and between neighbours along each axis, which are 0 if left out; negative numbers of them before and behind take elements away; every element type";
    }
    "join" {
        Function "concatenate" 2..=2, slice::concatenate, "concatenate([a, b], 0)", "tensors one after the other along an axis";
        Function "stack" 2..=2, slice::stack, "stack([a, b], 0)", "tensors along a new axis";
    }
    "reduce" {
        Method "sum" 0..=0, reduce::sum, "x.sum()", "the sum of all elements; integers wrap; all but `bool`";
        Method "prod" 0..=0, reduce::prod, "x.prod()", "the product of all elements; integers wrap; all but `bool`";
        Method "max" 0..=0, reduce::max, "x.max()", "the largest element, NaN if one is; all but complex";
        Method "min" 0..=0, reduce::min, "x.min()", "the smallest element, NaN if one is; all but complex";
        Method "mean" 0..=0, statistics::mean, "x.mean()", "the mean of all elements; real and complex numbers";
        Method "var" 0..=1, statistics::var, "x.var()", "the variance of all elements: the mean of the squared distances from the mean. `x.var(1)` divides by one less than the number of elements, or by as many less as are given; real and complex numbers";
        Method "std" 0..=1, statistics::std, "x.std()", "the square root of `var`; real and complex numbers";
        Method "all" 0..=0, reduce::all, "x.all()", "whether all elements are true; `bool`";
        Method "any" 0..=0, reduce::any, "x.any()", "whether one element is true; `bool`";
        Method "sum_axis" 1..=1, reduce::sum_axis, "x.sum_axis(0)", "the sums along one axis or a list of axes; all but `bool`";
        Method "prod_axis" 1..=1, reduce::prod_axis, "x.prod_axis([0, 1])", "the products along one axis or a list of axes; all but `bool`";
        Method "max_axis" 1..=1, reduce::max_axis, "x.max_axis(-1)", "the largest along one axis or a list of axes; all but complex";
        Method "min_axis" 1..=1, reduce::min_axis, "x.min_axis(-1)", "the smallest along one axis or a list of axes; all but complex";
        Method "mean_axis" 1..=1, statistics::mean_axis, "x.mean_axis(0)", "the means along one axis or a list of axes; real and complex numbers";
        Method "var_axis" 1..=2, statistics::var_axis, "x.var_axis(0, 1)", "the variances along one axis or a list of axes, as `var`; real and complex numbers";
        Method "std_axis" 1..=2, statistics::std_axis, "x.std_axis(0, 1)", "the square roots of `var_axis`; real and complex numbers";
        Method "all_axis" 1..=1, reduce::all_axis, "x.all_axis(0)", "whether all are true along one axis or a list of axes; `bool`";
        Method "any_axis" 1..=1, reduce::any_axis, "x.any_axis(0)", "whether one is true along one axis or a list of axes; `bool`";
        Method "argmax_axis" 1..=1, reduce::argmax_axis, "x.argmax_axis(-1)", "where the largest along an axis is, as `i32`: the first of equal ones, the first NaN before all; all but complex";
        Method "argmin_axis" 1..=1, reduce::argmin_axis, "x.argmin_axis(-1)", "where the smallest along an axis is, as `i32`: the first of equal ones, the first NaN before all; all but complex";
        Method "reduce" 3..=3, fold::reduce, "x.reduce(0, 0, |a, b| a ^ b)", "the first number and the elements along one axis or a list of axes, in their order, combined by a closure, which takes and returns whole tensors of them; that `|a, b|` of three may be made of the first two or the last two first must not matter; every element type";
        Method "softmax" 1..=1, normalize::softmax, "x.softmax(-1)", "exponentials along an axis, divided by their sum; real numbers";
        Method "log_softmax" 1..=1, normalize::log_softmax, "x.log_softmax(-1)", "the logarithm of `softmax`; real numbers";
        Method "cumsum" 1..=1, order::cumsum, "x.cumsum(0)", "the sum of each element and all before it along an axis; integers wrap; all but `bool`";
        Method "cumprod" 1..=1, order::cumprod, "x.cumprod(0)", "the product of each element and all before it along an axis; integers wrap; all but `bool`";
        Method "cummax" 1..=1, order::cummax, "x.cummax(0)", "the largest up to each element along an axis, NaN from the first one on; all but complex";
        Method "cummin" 1..=1, order::cummin, "x.cummin(0)", "the smallest up to each element along an axis, NaN from the first one on; all but complex";
        Method "normalize_axis" 1..=2, statistics::normalize_axis, "x.normalize_axis(-1)", "less the mean along one axis or a list of axes, divided by the root of the variance plus 0.00001, or plus the number given: `x.normalize_axis(-1, 1e-6)`; real and complex numbers";
        Method "logsumexp_axis" 1..=1, normalize::logsumexp_axis, "x.logsumexp_axis(-1)", "the logarithm of the sum of exponentials along an axis; real numbers";
    }
    "contract" {
        Method "dot" 1..=1, contract::dot, "x.dot(y)", "the products of `x` with a vector or matrix `y`, summed over the last axis of `x` and the first of `y`; a vector `x` may also be multiplied by what has more axes, over the last but one of these; all but `bool`";
        Method "matmul" 1..=1, contract::matmul, "x.matmul(y)", "the product of the last two axes, the others broadcast; all but `bool`";
        Method "outer" 1..=1, contract::outer, "x.outer(y)", "every product of an element of one vector with one of another; all but `bool`";
        Macro "einsum!" 2..=64, einsum::einsum, "einsum!(\"bqd,bkd->bqk\", q, k)", "products of tensors with a letter for each axis, summed over the letters that the result does not have; without `->` it has those that occur once, in alphabetical order; `...` stands for further axes, which broadcast: `einsum!(\"...ij,jk->...ik\", x, w)`; all but `bool`";
        Macro "dot_general!" ["batch", "contract", "accumulate"] 2..=2, contract::dot_general, "dot_general!(x, y, batch = ([0], [0]), contract = ([2], [1]), accumulate = f32)", "products of two tensors, along the batch axes side by side, summed over the contracted axes; the result has the batch axes, then the other ones of `x`, then those of `y`, and the element type in which is summed: that of `x` or a wider one of its kind; all but `bool`";
    }
    "window" {
        Macro "conv!" ["strides", "padding", "dilation", "input_dilation", "groups", "layout"] 2..=2, convolution::conv, "conv!(x, w, strides = [2, 2], padding = \"same\", dilation = [1, 1], input_dilation = [1, 1], groups = 1, layout = \"NHWC,HWIO->NHWC\")", "the products of each window of `x` with the kernel `w`, summed, over 1, 2 or 3 spatial axes; padding is `\"valid\"` (none) if left out, `\"same\"` (as many windows as strides fit) or a pair of numbers for each spatial axis; `N` is the batch, `C` the features, `I` and `O` those of the kernel, the other letters the spatial axes; features last if left out; all but `bool`";
        Macro "conv_transpose!" ["strides", "padding", "dilation", "layout"] 2..=2, convolution::conv_transpose, "conv_transpose!(x, w, strides = [2, 2], padding = \"same\", layout = \"NHWC,HWIO->NHWC\")", "the convolution of `x` with strides - 1 zeros between its elements, which `\"same\"` makes strides times as large; a padding in numbers is that of the elements and zeros; the kernel is not turned around; all but `bool`";
        Macro "max_pool!" ["window", "strides", "padding", "dilation", "layout"] 1..=1, pool::max_pool, "max_pool!(x, window = [2, 2], strides = [2, 2], padding = \"valid\", layout = \"NHWC\")", "the largest number in each window over the spatial axes, NaN if one is; the strides are the window if left out; all but complex";
        Macro "avg_pool!" ["window", "strides", "padding", "dilation", "layout", "count_padding"] 1..=1, pool::avg_pool, "avg_pool!(x, window = [2, 2], strides = [2, 2], padding = \"same\", layout = \"NHWC\", count_padding = false)", "the mean of the numbers in each window over the spatial axes; the strides are the window if left out, and padding counts as zeros unless `count_padding = false`; real and complex numbers";
        Macro "reduce_window!" ["window", "strides", "padding", "dilation", "input_dilation"] 3..=3, pool::reduce_window, "reduce_window!(x, 0.0, |a, b| a + b, window = [1, 3], strides = [1, 1], padding = \"same\")", "the numbers in each window combined by a closure, which takes and returns whole tensors of them, in any order, with the first number, which padding also has; windows have a size along every axis; every element type";
    }
    "spectral" {
        Method "fft" 0..=0, fourier::fft, "x.fft()", "the discrete Fourier transform along the last axis, of any length; `f32`, `f64` and complex numbers";
        Method "ifft" 0..=0, fourier::ifft, "x.ifft()", "the inverse of `fft`, divided by the length; `f32`, `f64` and complex numbers";
        Method "rfft" 0..=0, fourier::rfft, "x.rfft()", "the first half of `fft`, and one more, of which the rest is the mirror image; `f32` and `f64`";
        Method "irfft" 0..=1, fourier::irfft, "x.irfft()", "the inverse of `rfft`, of an even length; `x.irfft(n)` of the length `n`; `f32`, `f64` and complex numbers";
        Macro "fft!" ["axes"] 1..=1, fourier::fft_along, "fft!(x, axes = [0, 1])", "`fft` along one axis or a list of axes, or all if left out";
        Macro "ifft!" ["axes"] 1..=1, fourier::ifft_along, "ifft!(x, axes = [0, 1])", "`ifft` along one axis or a list of axes, or all if left out";
    }
    "linear algebra" {
        Method "cholesky" 0..=0, linalg::cholesky, "a.cholesky()", "the lower triangle whose product with its transpose is a symmetric positive definite matrix, of which the lower half is read, in the last two axes; of complex matrices the conjugate transpose; NaN where there is none; real and complex numbers";
        Macro "triangular_solve!" ["lower", "transpose", "unit_diagonal"] 2..=2, linalg::triangular_solve, "triangular_solve!(a, b, lower = true, transpose = false, unit_diagonal = false)", "what times the lower (or upper) triangle of `a`, or its transpose, is `b`, for matrices in the last two axes or one vector `b`; with `unit_diagonal` the diagonal is taken as ones; real and complex numbers";
        Method "solve" 1..=1, linalg::solve, "a.solve(b)", "what `a` times is `b`, by elimination with pivots, for matrices in the last two axes or one vector `b`; not finite for singular `a`; real and complex numbers";
        Method "inv" 0..=0, linalg::inv, "a.inv()", "the inverse of matrices in the last two axes; not finite for singular ones; real and complex numbers";
        Method "diagonal" 0..=0, diagonal::diagonal, "a.diagonal()", "the diagonal of the last two axes, as long as the shorter one; every element type";
        Method "trace" 0..=0, diagonal::trace, "a.trace()", "the sum of the diagonal of the last two axes; all but `bool`";
        Method "det" 0..=0, linalg::det, "a.det()", "the determinant of matrices in the last two axes, which may be singular, where first and second derivatives hold too; real and complex numbers";
    }
    "control" {
        Function "cond" 3..=3, control::cond, "cond(pred, || a, || b)", "one of two closures, by a truth value";
        Function "fori" 3..=3, control::fori, "fori(n, init, |i, c| c * 2.0)", "a closure applied again and again to its own result, with the number of the iteration";
        Function "scan" 3..=3, scan::scan, "scan(init, xs, |carry, x| (carry + x, carry))", "a closure applied to each slice along the first axis, handing on a carry and stacking its results";
        Function "map" 2..=2, scan::map, "map(xs, |x| x.sum())", "a closure applied to each slice along the first axis, its results stacked";
        Function "range" 2..=2, control::range, "range(0, n)", "the integers from one to before another, for a loop that is part of the program";
    }
    "derivatives" {
        Function "grad" <N> 1..=1, derive::grad, "grad(f)(x, y)", "the derivative of a function with one real number as result by its first argument, or another, `grad::<1>(f)`, or several, `grad::<0, 1>(f)`: a tree like the argument. Of a pair the first is differentiated, and the rest comes behind the derivative";
        Function "value_and_grad" <N> 1..=1, derive::value_and_grad, "let (loss, g) = value_and_grad(f)(x, y)", "the same, with the value of the function first";
        Function "vjp" 2..=65, derive::vjp, "let (z, back) = vjp(f, x, y)", "the value of a function, and a function from a cotangent of the value to those of the arguments, which may be called again";
        Function "jvp" 3..=3, derive::jvp, "let (z, dz) = jvp(f, (x, y), (dx, dy))", "the value of a function, and how it changes with its arguments; of a function with one argument, `jvp(f, x, dx)`";
        Function "jacfwd" <N> 1..=1, derive::jacfwd, "jacfwd(f)(x)", "the derivatives of all elements of the result of a function, forwards: the axes are those of the result, then those of the argument; by another argument or several as `grad`";
        Function "jacrev" <N> 1..=1, derive::jacrev, "jacrev(f)(x)", "the same, backwards";
        Function "hessian" <N> 1..=1, derive::hessian, "hessian(f)(x)", "the derivatives of the derivative of a function with one real number as result";
        Function "vmap" 1..=1, derive::vmap, "vmap(f)(xs, ys)", "a function applied to each slice along the first axis of all its arguments, its results stacked; what a closure captures is the same for all";
        Function "checkpoint" <N> 1..=1, derive::checkpoint, "checkpoint(f)(x)", "the function itself; backwards, what it computes is computed again instead of kept. With `checkpoint::<32>(f)` 32 iterations are kept of each loop in it, or of the loop that it is the body of, as in `fori(n, x, checkpoint::<32>(f))`, and the others run again";
        Function "stop_gradient" 1..=1, derive::stop_gradient, "stop_gradient(tree)", "the same tensor or tree, which counts as constant in derivatives; every element type";
        Function "map_tree" 2..=2, derive::map_tree, "map_tree(tree, |x| x * 2.0)", "a closure applied to each leaf of a tree";
        Function "zip_tree" 3..=3, derive::zip_tree, "zip_tree(p, g, |p, g| p - g * 0.1)", "a closure applied to the leaves of two trees of one structure";
        Function "fold_tree" 3..=3, derive::fold_tree, "fold_tree(tree, 0.0, |sum, x| sum + x.sum())", "a closure applied to a first value and a leaf, then to what it gives and the next leaf, in the order of the fields";
    }
    "index" {
        Method "take" 2..=2, index::take, "x.take(indices, 0)", "the elements, rows or parts at indices along an axis, whose place the axes of the indices take; an index outside is moved to the nearest end; every element type";
        Method "take_along_axis" 2..=2, index::take_along_axis, "x.take_along_axis(indices, 1)", "the elements at indices along an axis, other ones for each row; an index outside is moved to the nearest end; every element type";
        Method "scatter" 3..=3, index::scatter, "x.scatter(indices, updates, 0)", "the tensor with what `take` would read replaced, of several updates for an element by the last; one for an index outside is left out, a negative one included; every element type";
        Method "scatter_add" 3..=3, index::scatter_add, "x.scatter_add(indices, updates, 0)", "the tensor with updates added to what `take` would read, as `scatter`; all but `bool`";
        Method "scatter_mul" 3..=3, index::scatter_mul, "x.scatter_mul(indices, updates, 0)", "the same with products; all but `bool`";
        Method "scatter_max" 3..=3, index::scatter_max, "x.scatter_max(indices, updates, 0)", "the same with the larger number, NaN if either is; all but complex";
        Method "scatter_min" 3..=3, index::scatter_min, "x.scatter_min(indices, updates, 0)", "the same with the smaller number, NaN if either is; all but complex";
        Method "dynamic_slice" 2..=2, slice::dynamic_slice, "x.dynamic_slice([i, 0], [1, 4])", "a window of fixed sizes; a start that does not fit is moved until it does";
        Method "dynamic_update_slice" 2..=2, slice::dynamic_update_slice, "x.dynamic_update_slice(row, [i, 0])", "the tensor with a window replaced; a start that does not fit is moved until it does";
        Method "one_hot" <TypeOfClasses> 0..=0, build::one_hot, "labels.one_hot::<f32, 10>()", "a new last axis with 1 at the index and 0 elsewhere; integers; by expected type without angle brackets, as in `-(labels.one_hot() * x.log_softmax(-1)).sum()`";
    }
    "random" {
        Function "random::key" 1..=1, random::key, "random::key(0)", "the key that belongs to a seed, a `Tensor<u32, 2>`; the seed is an integer, known or computed";
        Function "random::split" <N> 1..=1, random::split, "let [a, b] = random::split(key);", "several keys from one, as many as the pattern or expected type has items, or as in `split::<3>(key)`; as `Tensor<u32, N, 2>`, where that is expected or the number is known at the call only; `map` and `scan` go through either";
        Function "random::fold_in" 2..=2, random::fold_in, "random::fold_in(key, i)", "another key from a key and an integer";
        Function "random::bits" <Type> 1..=1, random::bits, "random::bits::<u32, 3, 4>(key)", "random bits; integers";
        Function "random::uniform" <Type> 1..=3, random::uniform, "random::uniform::<f32, 3, 4>(key)", "real numbers from 0 to before 1, or between bounds: `uniform::<f32, 3>(key, -1.0, 1.0)`";
        Function "random::randint" <Type> 3..=3, random::randint, "random::randint::<i32, 3, 4>(key, 0, 10)", "integers from the first bound to before the second";
        Function "random::normal" <Type> 1..=1, random::normal, "random::normal::<f32, 3, 4>(key)", "normally distributed numbers with the mean 0 and the variance 1; real and complex numbers, whose parts have half of the variance each";
        Function "random::truncated_normal" <Type> 3..=3, random::truncated_normal, "random::truncated_normal::<f32, 3, 4>(key, -2.0, 2.0)", "normally distributed numbers, of which those are drawn that lie between two bounds; real numbers";
        Function "random::permutation" 2..=3, random::permutation, "random::permutation(key, x)", "the elements along the first axis, or the one that is named, in random order: `permutation(key, x, 1)`; of a size or an integer known while building, as many places, as `i32`";
        Function "random::bernoulli" <T> 1..=2, random::bernoulli, "random::bernoulli::<bool, 3, 4>(key, 0.3)", "truth values, true with a probability, which is 0.5 if left out; of the shape of the probabilities, if nothing else is said";
        Function "random::categorical" <T> 2..=3, random::categorical, "random::categorical(key, logits)", "classes by their unnormalised log-probabilities, along the last axis or the one that is named, as `i32`; `categorical::<i32, 100, 8>(key, logits)` draws 100 times from each of 8 distributions";
    }
    "order" {
        Method "sort" 1..=1, order::sort, "x.sort(-1)", "the elements along an axis in rising order, equal ones in their order, NaN last; all but complex";
        Method "argsort" 1..=1, order::argsort, "x.argsort(-1)", "the indices that `take_along_axis` sorts with, as `i32`; all but complex";
        Method "sort_by_key" 2..=2, order::sort_by_key, "x.sort_by_key(keys, 0)", "the elements along an axis in the order in which `sort` puts their keys, a tensor of the same shape or with one key for each index; keys of all but complex";
        Method "top_k" 1..=1, order::top_k, "let (values, indices) = x.top_k(3)", "the largest elements along the last axis, largest first, and their indices as `i32`; the first of equal ones first, NaN last; all but complex";
    }
    "observe" {
        Macro "debug_shape!" 1..=8, observe::debug_shape, "debug_shape!(x, y)", "tells the types of its arguments in a warning while building, and what is known of their values; any values";
        Macro "trace!" 2..=129, observe::trace, "trace!(\"loss\", loss, step)", "shows tensors and trees to the host when the program gets there, on standard error or as `loader` was told; every element type";
        Macro "assert!" 2..=2, observe::assert, "assert!(x.is_finite().all(), \"x is finite\")", "makes the call fail with the message and the place in the source, if a single truth value is `false`";
    }
}
