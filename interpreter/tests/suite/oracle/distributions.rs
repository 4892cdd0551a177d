//! Random numbers, which are those of JAX, bit for bit where no rounded function is in between.

use super::{
    Program,
    data::Data,
    source::{self, definition, tokens},
};
use iree_abi::DType;
use iree_dsl_interpreter::{Array, Element, Tensor};
use libtest_mimic::{Failed, Trial};
use ndarray::Axis;

const SOURCE: &str = include_str!("../../../../dsl/tests/oracle/distributions.rs");

/// As in the test: every how many numbers of many one is in the file.
const STRIDE: usize = 641;

/// The bounds that the test has for integers.
const INTEGERS: [(&str, [&str; 2], [&str; 2]); 8] = [
    ("i8", ["-127", "127"], ["-128", "128"]),
    ("i16", ["-32767", "32767"], ["i16::MIN", "32768"]),
    (
        "i32",
        ["-2147483647", "i32::MAX"],
        ["i32::MIN", "2147483648"],
    ),
    (
        "i64",
        ["-9223372036854775807", "i64::MAX"],
        ["i64::MIN", "9223372036854775808"],
    ),
    ("u8", ["1", "255"], ["0", "256"]),
    ("u16", ["1", "65535"], ["0", "65536"]),
    ("u32", ["1", "4294967295"], ["0", "4294967296"]),
    (
        "u64",
        ["1", "18446744073709551615"],
        ["0", "18446744073709551616"],
    ),
];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("oracle/distributions/keys", keys),
        Trial::test("oracle/distributions/permutation", permutations),
    ];
    for (ty, bounds, ends) in INTEGERS {
        trials.push(Trial::test(
            format!("oracle/distributions/{ty}"),
            move || integers(ty, bounds, ends),
        ));
    }
    for ty in ["f16", "bf16", "f32", "f64"] {
        trials.push(Trial::test(
            format!("oracle/distributions/{ty}"),
            move || floats(ty),
        ));
    }
    for (path, real) in [("c64", "f32"), ("c128", "f64")] {
        trials.push(Trial::test(
            format!("oracle/distributions/{path}"),
            move || complex(path, real),
        ));
    }
    trials
}

/// A program, and the keys that it draws with.
struct Draws {
    program: Program,
    keys: Vec<Tensor>,
}

impl Draws {
    fn new(source: &str, family: &str) -> Result<Self, Failed> {
        let keys = Data::new("distributions", "keys")?.tensor("key", DType::U32)?;
        let keys = (0..).map_while(|place| part(&keys, place));
        Ok(Self {
            keys: keys.collect(),
            program: Program::new(source, Data::new("distributions", family)?)?,
        })
    }

    /// Compares the results of a procedure of a key and more, drawn with each key, with the arrays of these names.
    fn check(
        &mut self,
        function: &str,
        more: &[Tensor],
        expected: &[(&str, f64)],
    ) -> Result<(), Failed> {
        for (place, key) in self.keys.clone().into_iter().enumerate() {
            let inputs = [&[key], more].concat();
            let results = self.program.call(function, &inputs)?;
            for ((name, floor), found) in expected.iter().zip(&results) {
                if name.ends_with("_large") {
                    self.compare_some(name, place, found)?;
                } else if !name.is_empty() {
                    let right = self.program.data.tensor(name, found.dtype())?;
                    let right = part(&right, place).ok_or("an array for each key")?;
                    self.program.compare_with(name, &right, found, *floor);
                }
            }
        }
        Ok(())
    }

    /// Compares some of many numbers, and the sum of the bits of all.
    fn compare_some(&mut self, name: &str, place: usize, found: &Tensor) -> Result<(), Failed> {
        let right = self.program.data.tensor(name, found.dtype())?;
        let right = part(&right, place).ok_or("an array for each key")?;
        let size = found.dtype().size();
        let bytes = found.to_bytes();
        let some: Vec<u8> = bytes
            .chunks(size)
            .step_by(STRIDE)
            .flatten()
            .copied()
            .collect();
        let some = Tensor::from_bytes(&right.ty(), &some)?;
        self.program.compare_with(name, &right, &some, 0.0);
        let sum = bytes.chunks(size).fold(0_u64, |sum, bytes| {
            let mut bits = [0; 8];
            bits[..size].copy_from_slice(bytes);
            sum.wrapping_add(u64::from_le_bytes(bits))
        });
        let sums = name.replace("_large", "_sum");
        let right = part(&self.program.data.tensor(&sums, DType::U64)?, place);
        let right = right.ok_or("a sum for each key")?;
        self.program
            .compare_with(&sums, &right, &Tensor::from(sum), 0.0);
        Ok(())
    }
}

/// The part of a tensor at a place along the first axis.
fn part(tensor: &Tensor, place: usize) -> Option<Tensor> {
    fn of<T: Element>(array: &Array<T>, place: usize) -> Option<Tensor> {
        (place < array.shape()[0]).then(|| Tensor::from(array.index_axis(Axis(0), place)))
    }
    match tensor {
        Tensor::Bool(array) => of(array, place),
        Tensor::I8(array) => of(array, place),
        Tensor::I16(array) => of(array, place),
        Tensor::I32(array) => of(array, place),
        Tensor::I64(array) => of(array, place),
        Tensor::U8(array) => of(array, place),
        Tensor::U16(array) => of(array, place),
        Tensor::U32(array) => of(array, place),
        Tensor::U64(array) => of(array, place),
        Tensor::F16(array) => of(array, place),
        Tensor::BF16(array) => of(array, place),
        Tensor::F32(array) => of(array, place),
        Tensor::F64(array) => of(array, place),
        Tensor::C64(array) => of(array, place),
        Tensor::C128(array) => of(array, place),
    }
}

fn keys() -> Result<(), Failed> {
    let source = source::program(&tokens(SOURCE), "keys", &[]);
    let mut draws = Draws::new(&source, "keys")?;
    for (function, seeds, right) in [
        ("key", "seed", "key"),
        ("narrow_key", "narrow_seed", "narrow_key"),
    ] {
        let program = &mut draws.program;
        let seeds = program.inputs(function, &[seeds.to_owned()])?.remove(0);
        let right = program.data.tensor(right, DType::U32)?;
        for place in 0..seeds.len() {
            let seed = part(&seeds, place).ok_or("a seed")?;
            let found = program.call(function, &[seed])?.remove(0);
            let right = part(&right, place).ok_or("a key")?;
            program.compare_with(function, &right, &found, 0.0);
        }
    }
    let known = draws.program.call("known_keys", &[])?;
    for (key, known) in draws.keys.clone().iter().zip(&known) {
        draws.program.compare_with("known", key, known, 0.0);
    }
    for function in ["split", "split_apart"] {
        draws.check(function, &[], &[("split", 0.0)])?;
    }
    draws.check("fold_in", &[], &[("fold_in", 0.0)])?;
    draws.check("fold_in_computed", &[77_u8.into()], &[("fold_in", 0.0)])?;
    draws.program.finish()
}

fn permutations() -> Result<(), Failed> {
    let source = source::program(&tokens(SOURCE), "permutations", &[]);
    let mut draws = Draws::new(&source, "permutation")?;
    draws.keys.truncate(2);
    draws.check(
        "places",
        &[],
        &[("range", 0.0), ("long", 0.0), ("one", 0.0)],
    )?;
    let matrix = ndarray::Array::from_iter(0..154).into_shape_with_order((77, 2))?;
    draws.check(
        "lines",
        &[matrix.into()],
        &[("rows", 0.0), ("columns", 0.0)],
    )?;
    draws.program.finish()
}

fn integers(ty: &str, [low, high]: [&str; 2], [least, end]: [&str; 2]) -> Result<(), Failed> {
    let variables = [
        ("ty", ty),
        ("program", "P"),
        ("low", low),
        ("high", high),
        ("least", least),
        ("end", end),
    ];
    let source = source::program(
        &definition(&tokens(SOURCE), "integers"),
        "module",
        &variables,
    );
    let mut draws = Draws::new(&source, ty)?;
    let of_bits = [
        ("bits_scalar", 0.0),
        ("bits_small", 0.0),
        ("bits_large", 0.0),
    ];
    draws.check("bits", &[], &of_bits)?;
    // The file has no numbers of 64 bits between these bounds.
    let all = if ty.ends_with("64") { "" } else { "all" };
    draws.check("bounded", &[], &[("dice", 0.0), ("wide", 0.0), (all, 0.0)])?;
    let dtype: DType = ty.parse()?;
    let [low, high, right] =
        ["low", "high", "computed"].map(|name| draws.program.data.tensor(name, dtype));
    let (low, high, right) = (low?, high?, right?);
    for place in 0..low.len() {
        let bounds = [part(&low, place), part(&high, place)].map(|bound| bound.expect("a bound"));
        let [low, high] = bounds;
        let found = draws
            .program
            .call("computed", &[draws.keys[0].clone(), low, high])?;
        let right = part(&right, place).ok_or("the numbers between these bounds")?;
        draws
            .program
            .compare_with("computed", &right, &found[0], 0.0);
    }
    draws.program.finish()
}

fn floats(ty: &str) -> Result<(), Failed> {
    let variables = [("ty", ty), ("program", "P")];
    let source = source::program(&definition(&tokens(SOURCE), "floats"), "module", &variables);
    let mut draws = Draws::new(&source, ty)?;
    let dtype: DType = ty.parse()?;
    let uniform = [
        ("uniform_scalar", 0.0),
        ("uniform_small", 0.0),
        ("uniform_large", 0.0),
    ];
    draws.check("uniform", &[], &uniform)?;
    draws.check("ranges", &[], &[("exact_range", 0.0), ("range", 1.0)])?;
    let high = Tensor::from(ndarray::Array1::from_elem(131, 2.5_f32));
    draws.check(
        "computed_range",
        &[(-1.5_f32).into(), high],
        &[("exact_range", 0.0)],
    )?;
    let low: Tensor = match dtype {
        DType::F16 => half::f16::from_f32(-0.5).into(),
        DType::BF16 => half::bf16::from_f32(-0.5).into(),
        DType::F32 => (-0.5_f32).into(),
        _ => (-0.5_f64).into(),
    };
    let normal = [("normal", 0.0), ("truncated", 1.0), ("truncated", 1.0)];
    draws.check("normal", &[low], &normal)?;
    let p = draws.program.data.tensor("probability", dtype)?;
    draws.check("bernoulli", &[p], &[("bernoulli", 0.0)])?;
    let logits = draws.program.data.tensor("logits", dtype)?;
    let classes = [
        ("categorical", 0.0),
        ("categorical_first", 0.0),
        ("categorical_many", 0.0),
    ];
    draws.check("categorical", &[logits], &classes)?;
    draws.program.finish()
}

fn complex(path: &str, real: &str) -> Result<(), Failed> {
    let variables = [("real", real), ("program", "P")];
    let definition = definition(&tokens(SOURCE), "complex_numbers");
    let source = source::program(&definition, "module", &variables);
    let mut draws = Draws::new(&source, path)?;
    // As in the test: JAX is off by some tens of units where few numbers are.
    draws.check("normal", &[], &[("normal", 32.0)])?;
    draws.program.finish()
}
