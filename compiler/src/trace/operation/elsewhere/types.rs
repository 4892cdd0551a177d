//! The table of types.

use super::Here::{self, Say, Write};

/// Names of types in NumPy, PyTorch, `ndarray` and Rust, and what is written in their place. The test of this folder resolves
/// what is to be written.
pub(super) const TYPES: &[(&[&str], Here)] = &[
    (&["float32", "Float32", "single", "F32"], Write(&["f32"])),
    (&["float", "Float"], Write(&["f32", "f64"])),
    (
        &["double", "float64", "Double", "Float64", "F64"],
        Write(&["f64"]),
    ),
    (&["half", "float16", "Half", "F16"], Write(&["f16"])),
    (&["bfloat16", "BF16", "Bf16", "bfloat"], Write(&["bf16"])),
    (&["int32"], Write(&["i32"])),
    (&["int", "Int", "integer"], Write(&["i32", "i64"])),
    (&["long", "int64", "isize", "i128"], Write(&["i64"])),
    (&["int16", "short"], Write(&["i16"])),
    (&["int8"], Write(&["i8"])),
    (&["uint8", "char"], Write(&["u8"])),
    (&["uint16"], Write(&["u16"])),
    (&["uint32", "uint"], Write(&["u32"])),
    (&["uint64", "u128"], Write(&["u64"])),
    (&["boolean", "Bool", "Boolean", "bool_"], Write(&["bool"])),
    (&["complex64", "Complex32"], Write(&["Complex<f32>"])),
    (
        &["complex", "c64", "c128"],
        Write(&["Complex<f32>", "Complex<f64>"]),
    ),
    (&["complex128", "Complex64"], Write(&["Complex<f64>"])),
    (
        &["Array0", "ArrayView0", "Scalar"],
        Say(
            "a number is a tensor without sizes, `Tensor<f32>`; sizes follow the element type, as in `Tensor<f32, 3, 4>`",
        ),
    ),
    (
        &[
            "Array",
            "Array1",
            "Array2",
            "Array3",
            "Array4",
            "Array5",
            "Array6",
            "ArrayD",
            "ArrayBase",
            "ArrayView",
            "ArrayView1",
            "ArrayView2",
            "ArrayView3",
            "ArrayView4",
            "ArrayViewD",
            "ArrayViewMut",
            "CowArray",
            "ndarray",
            "NdArray",
            "Ndarray",
            "Matrix",
            "DMatrix",
            "SMatrix",
            "Vector",
            "DVector",
            "SVector",
            "Mat",
            "Vec",
            "VecDeque",
            "TensorView",
            "DynamicArray",
            "DeviceArray",
            "HostArray",
        ],
        Say(
            "what a program computes with is written `Tensor<f32, 3, 4>`: the element type, and the size of each axis, which may be a \
             generic parameter. The host passes arrays of `ndarray`",
        ),
    ),
    (
        &["String", "CString", "OsString", "PathBuf"],
        Say("there are no texts in programs: the host turns them into numbers"),
    ),
    (
        &["Option", "Result"],
        Say(
            "there is no `Option` and no `Result` in programs: a `bool` or a number beside the value can say it",
        ),
    ),
    (
        &[
            "HashMap", "BTreeMap", "HashSet", "BTreeSet", "Box", "Rc", "Arc", "RefCell", "Cell",
            "Mutex",
        ],
        Say(
            "a tree is what holds several tensors: `struct Layer { weights: Tensor<f32, 3, 4>, bias: Tensor<f32, 4> }`",
        ),
    ),
];
