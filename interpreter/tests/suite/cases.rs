//! The cases in `tests/cases`, which its README explains.

use crate::device::verified;
use iree_abi::DType;
use iree_dsl_interpreter::{Error, Host, Interpreter, Tensor};
use iree_dsl_ir::{ConstantData, GlobalInit, text};
use libtest_mimic::{Failed, Trial};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = fs::read_dir(folder).expect("the folder of the cases");
    let files = files.map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "ir"))
        .collect();
    files.sort();
    let trial = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        Trial::test(format!("cases/{name}"), move || run(&file))
    };
    files.into_iter().map(trial).collect()
}

/// What a file says beside its module.
#[derive(Default)]
struct Case {
    parameters: Vec<(String, String, Tensor)>,
    refused: Option<String>,
    memory: Option<usize>,
    calls: Vec<Call>,
}

#[derive(Default)]
struct Call {
    function: String,
    arguments: Vec<Tensor>,
    results: Vec<Expected>,
    traces: Vec<(String, Tensor)>,
    error: Option<String>,
}

struct Expected {
    tensor: Tensor,
    is_exact: bool,
}

type Traces = Arc<Mutex<Vec<(String, Tensor)>>>;

fn run(file: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(file)?;
    let case = Case::read(&text)?;
    let verified = verified(text::parse(&text)?)?;
    let traces = Traces::default();
    let shown = traces.clone();
    let mut host = Host::default();
    host.trace(move |trace| {
        let tensors = trace.tensors.iter().cloned();
        let tensors = tensors.map(|tensor| (trace.key.to_owned(), tensor));
        shown.lock().expect("no panic").extend(tensors);
    });
    host.import("add", |arguments| match arguments {
        [Tensor::F32(a), Tensor::F32(b)] => Ok(vec![Tensor::from(a + b)]),
        _ => Err("two numbers".into()),
    });
    host.import("fail", |_| Err("as it should".into()));
    if let Some(bytes) = case.memory {
        host.memory(bytes);
    }
    for (scope, key, tensor) in &case.parameters {
        host.parameter(scope, key, tensor.clone());
    }
    let loaded = host.load(verified);
    match (loaded, &case.refused) {
        (Ok(mut program), None) => case
            .calls
            .iter()
            .try_for_each(|call| call.check(&mut program, &traces)),
        (Ok(_), Some(message)) => Err(format!("it is loaded, without `{message}`").into()),
        (Err(error), expected) => expect_error(&error, expected.as_deref()),
    }
}

fn expect_error(error: &Error, expected: Option<&str>) -> Result<(), Failed> {
    let found = error.to_string();
    match expected {
        Some(expected) if found.contains(expected) => Ok(()),
        Some(expected) => Err(format!("expected `{expected}`, found `{found}`").into()),
        None => Err(found.into()),
    }
}

impl Case {
    fn read(text: &str) -> Result<Self, Failed> {
        let mut case = Self::default();
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("//|"));
        for line in lines {
            case.line(line.trim())
                .map_err(|failed| format!("{line}: {}", failed.message().unwrap_or_default()))?;
        }
        Ok(case)
    }

    fn line(&mut self, line: &str) -> Result<(), Failed> {
        let (word, rest) = line.split_once(' ').ok_or("a word and what it is about")?;
        let call = self.calls.last_mut().ok_or("there is no call yet");
        match word {
            "call" => self.calls.push(Call {
                function: rest.to_owned(),
                ..Call::default()
            }),
            "argument" => call?.arguments.push(tensor(rest)?),
            "result" | "near" => call?.results.push(Expected {
                tensor: tensor(rest)?,
                is_exact: word == "result",
            }),
            "trace" => {
                let (key, rest) = rest.split_once(' ').ok_or("a key and a tensor")?;
                call?.traces.push((key.to_owned(), tensor(rest)?));
            }
            "error" => call?.error = Some(rest.to_owned()),
            "parameter" => {
                let mut words = rest.splitn(3, ' ');
                let mut word = || words.next().ok_or("a scope, a key and a tensor");
                let parameter = (word()?.to_owned(), word()?.to_owned(), tensor(word()?)?);
                self.parameters.push(parameter);
            }
            "refused" => self.refused = Some(rest.to_owned()),
            "memory" => self.memory = Some(rest.parse()?),
            other => return Err(format!("nothing is called `{other}`").into()),
        }
        Ok(())
    }
}

/// A tensor in the form of the first value of a global.
fn tensor(text: &str) -> Result<Tensor, Failed> {
    let module = text::parse(&format!("module @m {{ global @x: {text} }}"))?;
    let (_, global) = module.globals.iter().next().ok_or("a tensor")?;
    let GlobalInit::Constant(constant) = &global.init else {
        return Err("the elements of a tensor".into());
    };
    let count: usize = constant
        .ty
        .shape
        .known()
        .unwrap_or_default()
        .iter()
        .product();
    let bytes = match &constant.data {
        ConstantData::Splat(bytes) => bytes.repeat(count),
        ConstantData::Dense(bytes) => bytes.clone(),
    };
    Ok(Tensor::from_bytes(&constant.ty, &bytes)?)
}

impl Call {
    fn check(&self, program: &mut Interpreter, traces: &Traces) -> Result<(), Failed> {
        traces.lock().expect("no panic").clear();
        let outcome = program.call(&self.function, &self.arguments);
        let shown = traces.lock().expect("no panic").clone();
        if shown != self.traces {
            return Err(format!("expected {:?}, shown is {shown:?}", self.traces).into());
        }
        let found = match outcome {
            Ok(found) => found,
            Err(error) => return expect_error(&error, self.error.as_deref()),
        };
        if let Some(message) = &self.error {
            return Err(format!("`{}` returns, without `{message}`", self.function).into());
        }
        let same = self.results.len() == found.len()
            && self
                .results
                .iter()
                .zip(&found)
                .all(|(expected, found)| expected.is(found));
        match same {
            true => Ok(()),
            false => {
                let expected = self.results.iter().map(|expected| &expected.tensor);
                let expected: Vec<_> = expected.collect();
                Err(format!("{}: expected {expected:?}, found {found:?}", self.function).into())
            }
        }
    }
}

impl Expected {
    fn is(&self, found: &Tensor) -> bool {
        let (ty, dtype) = (self.tensor.ty(), self.tensor.dtype().real());
        let is_real = dtype.is_float();
        let (expected, bytes) = (self.tensor.to_bytes(), found.to_bytes());
        let parts = expected
            .chunks(dtype.size())
            .zip(bytes.chunks(dtype.size()));
        let equal = |(expected, found): (&[u8], &[u8])| {
            expected == found || is_real && self.is_near(dtype, expected, found)
        };
        found.ty() == ty && { parts }.all(equal)
    }

    /// Whether two numbers, or parts of complex ones, are both NaN, or as near as they should be.
    fn is_near(&self, dtype: DType, expected: &[u8], found: &[u8]) -> bool {
        let number = |bytes| {
            let tensor = Tensor::from_bytes(&iree_abi::TensorType::new(dtype, []), bytes);
            match tensor.expect("a number") {
                Tensor::F16(x) => (x.iter().map(|x| x.to_f64()).sum(), 2_f64.powi(-10)),
                Tensor::BF16(x) => (x.iter().map(|x| x.to_f64()).sum(), 2_f64.powi(-7)),
                Tensor::F32(x) => (x.sum().into(), f32::EPSILON.into()),
                Tensor::F64(x) => (x.sum(), f64::EPSILON),
                _ => (f64::NAN, 0.0),
            }
        };
        let ((expected, epsilon), (found, _)) = (number(expected), number(found));
        let near = (expected - found).abs() <= epsilon * expected.abs();
        expected.is_nan() && found.is_nan() || near && !self.is_exact
    }
}
