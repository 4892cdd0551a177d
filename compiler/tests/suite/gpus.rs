//! Whether programs for GPUs are free of what IREE does wrong there. No GPU is needed: what the compiler prints shows it.

use crate::language::trace_right;
use iree_abi::build::find_compiler;
use iree_dsl_compiler::{
    artifact::{Chosen, Cpu, Target},
    legalize::{Manner, legalize},
    lower::lower_for,
    machine::Machine,
};
use iree_dsl_ir::verify::verify;
use libtest_mimic::{Failed, Trial};
use std::{env, fs, process::Command};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("gpus/extrema", extrema),
        Trial::test("gpus/parts", parts),
        Trial::test("gpus/sums", sums),
    ]
}

/// Those of integers begin with the greatest or the least number of their type.
fn extrema() -> Result<(), Failed> {
    let procedures = "pub fn places(&self, x: Tensor<f32, 96, 96>) -> (Tensor<i32, 96>, Tensor<i32, 96>) {
        (x.argmax_axis(1), x.argmin_axis(1))
    }
    pub fn extrema(&self, x: Tensor<i32, 96, 96>, y: Tensor<i16, 96, 96>) -> (Tensor<i32, 96>, Tensor<i16, 96>) {
        (x.max_axis(1), y.min_axis(1))
    }";
    let reductions = |is_known: bool, kind: &str| {
        let code = generated(procedures, "iree-llvmgpu-vector-distribute", is_known)?;
        let reduction = format!("multi_reduction <{kind}>");
        Ok::<_, Failed>(
            code.lines()
                .filter(|line| line.contains(&reduction))
                .count(),
        )
    };
    for (wrong, right) in [("minsi", "minui"), ("maxsi", "maxui")] {
        is(
            reductions(true, wrong)? == 0 && reductions(true, right)? > 0,
            right,
        )?;
        is(
            reductions(false, wrong)? > 0,
            "seen where it is not avoided",
        )?;
    }
    Ok(())
}

/// None is looked up in, or reversed, in the dispatch that takes it.
fn parts() -> Result<(), Failed> {
    let procedures = [
        "pub fn columns(&self, x: Tensor<f32, 64, 65>, at: Tensor<i32, 8, 16>) -> Tensor<f32, 64, 8, 16> {
            x[s![.., 1..]].take(at, 1)
        }",
        "pub fn at_parts(&self, x: Tensor<f32, 64, 128>, at: Tensor<i32, 16, 9>) -> Tensor<f32, 64, 16, 8> {
            x.take(at[s![.., 1..]], 1)
        }",
        "pub fn of_any_size<const N: usize>(&self, x: Tensor<f32, N, 65>, at: Tensor<i32, 8, 16>) -> Tensor<f32, N, 8, 16> {
            x[s![.., 1..]].take(at, 1)
        }",
        "pub fn reversed(&self, x: Tensor<f32, 64, 65>) -> Tensor<f32, 64, 64> {
            x[s![.., 1..]].reverse(1)
        }",
        "pub fn reversed_from(&self, x: Tensor<f32, 64, 65>, from: Tensor<i32>) -> Tensor<f32, 64, 64> {
            x.dynamic_slice([0, from], [64, 64]).reverse(1)
        }",
        "pub fn handed_on(&self, x: Tensor<f32, 64, 65>) -> Tensor<f32, 64, 64> {
            turned(x[s![.., 1..]])
        }",
        "pub fn replacing(&self, x: Tensor<f32, 64, 128>, y: Tensor<f32, 64, 65>, at: Tensor<i32, 64>) -> Tensor<f32, 64, 128> {
            x.scatter(at, y[s![.., 1..]], 1)
        }",
    ];
    let reads = |procedure: &str, is_known: bool| {
        let code = generated(procedure, "iree-llvmgpu-lower-executable-target", is_known)?;
        let reads = code.lines().filter(|line| line.contains("vector.gather"));
        let is_of_part = |line: &&str| line.contains("<[65, 1]") || line.contains("<[9, 1]");
        Ok::<_, Failed>((reads.clone().count(), reads.filter(is_of_part).count()))
    };
    for procedure in procedures {
        let (all, of_parts) = reads(procedure, true)?;
        is(all > 0 && of_parts == 0, procedure)?;
        let (_, of_parts) = reads(procedure, false)?;
        is(of_parts > 0, "seen where it is not avoided")?;
    }
    Ok(())
}

/// Those of negatives are accepted.
fn sums() -> Result<(), Failed> {
    let procedures = "pub fn sums(&self, x: Tensor<f32, 64, 512>) -> Tensor<f32, 64> {
        (-x).sum_axis(1)
    }";
    let compiled = |is_known| generated(procedures, "iree-llvmgpu-vector-distribute", is_known);
    compiled(true)?;
    is(compiled(false).is_err(), "seen where it is not avoided")
}

fn is(expected: bool, what: &str) -> Result<(), Failed> {
    match expected {
        true => Ok(()),
        false => Err(format!("not {what}").into()),
    }
}

/// What the compiler makes of a program for a GPU, after a pass. `is_known` says whether it is lowered for one.
fn generated(procedures: &str, pass: &str, is_known: bool) -> Result<String, Failed> {
    let source = format!(
        "mod p {{ pub struct P {{ }} impl P {{\n{procedures}\n}}
        #[kernel] fn turned(x: Tensor<f32, 64, 64>) -> Tensor<f32, 64, 64> {{ x.reverse(1) }} }}"
    );
    let verified = verify(trace_right(&source)?).map_err(|errors| format!("{errors:?}"))?;
    let build = Cpu {
        architecture: env::consts::ARCH.to_owned(),
        chosen: Chosen::EveryLevel,
        multiplies_bf16: false,
    };
    let target = Target::named("cuda", &build)?.remove(0);
    let legalized = legalize(&verified, &Manner::default())?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("program.mlir");
    let machine = match is_known {
        true => target.machine(),
        false => Machine::default(),
    };
    fs::write(&file, lower_for(&legalized, machine)?)?;
    let compiler = find_compiler().ok_or("`./x setup` installs IREE")?;
    let output = Command::new(compiler)
        .args(&target.flags)
        .arg("--iree-opt-level=O3")
        .arg(format!("--mlir-print-ir-after={pass}"))
        .arg(&file)
        .arg("-o")
        .arg(folder.path().join("program.vmfb"))
        .output()?;
    let code = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() && code.contains("func.func") {
        true => Ok(code),
        false => Err(code.chars().take(4000).collect::<String>().into()),
    }
}
