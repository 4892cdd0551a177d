//! Generates the operations of each dialect from its TableGen source.

use std::process::ExitCode;

/// Each dialect with its source: ours by path, upstream's by its name in the include directory.
const DIALECTS: [(&str, &str); 6] = [
    ("arith", "mlir/Dialect/Arith/IR/ArithOps.td"),
    ("cf", "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"),
    ("func", "mlir/Dialect/Func/IR/FuncOps.td"),
    ("math", "mlir/Dialect/Math/IR/MathOps.td"),
    ("stablehlo", "td/stablehlo.td"),
    ("tensor", "mlir/Dialect/Tensor/IR/TensorOps.td"),
];

/// Those of which some operations are always there, and all if the feature of their name is.
const IN_PART: [(&str, &str, &[&str]); 5] = [
    (
        "complex",
        "mlir/Dialect/Complex/IR/ComplexOps.td",
        &["add", "mul"],
    ),
    (
        "flow",
        "td/flow.td",
        &[
            "tensor.barrier",
            "tensor.bitcast",
            "tensor.constant",
            "tensor.reshape",
            "tensor.tie_shape",
            "tensor.trace",
        ],
    ),
    (
        "iree_linalg_ext",
        "td/iree_linalg_ext.td",
        &["gather", "scan", "yield"],
    ),
    (
        "linalg",
        "mlir/Dialect/Linalg/IR/LinalgDoc.td",
        &["fill", "yield"],
    ),
    (
        "util",
        "td/util.td",
        &[
            "call",
            "func",
            "global",
            "global.load",
            "global.store",
            "initializer",
            "optimization_barrier",
            "return",
        ],
    ),
];

/// Those that are there if the feature of their name is.
const FEATURES: [(&str, &str); 31] = [
    ("acc", "mlir/Dialect/OpenACC/OpenACCOps.td"),
    ("affine", "mlir/Dialect/Affine/IR/AffineOps.td"),
    ("amdgpu", "mlir/Dialect/AMDGPU/IR/AMDGPU.td"),
    ("async", "mlir/Dialect/Async/IR/AsyncOps.td"),
    (
        "bufferization",
        "mlir/Dialect/Bufferization/IR/BufferizationOps.td",
    ),
    ("chlo", "td/chlo.td"),
    ("emitc", "mlir/Dialect/EmitC/IR/EmitC.td"),
    ("gpu", "mlir/Dialect/GPU/IR/GPUOps.td"),
    ("hal", "td/hal.td"),
    ("iree_tensor_ext", "td/iree_tensor_ext.td"),
    ("index", "mlir/Dialect/Index/IR/IndexOps.td"),
    ("llvm", "mlir/Dialect/LLVMIR/LLVMOps.td"),
    ("memref", "mlir/Dialect/MemRef/IR/MemRefOps.td"),
    ("ml_program", "mlir/Dialect/MLProgram/IR/MLProgramOps.td"),
    ("mpi", "mlir/Dialect/MPI/IR/MPIOps.td"),
    ("nvgpu", "mlir/Dialect/NVGPU/IR/NVGPUOps.td"),
    ("omp", "mlir/Dialect/OpenMP/OpenMPOps.td"),
    ("pdl", "mlir/Dialect/PDL/IR/PDLOps.td"),
    ("ptr", "mlir/Dialect/Ptr/IR/PtrOps.td"),
    ("quant", "mlir/Dialect/Quant/IR/QuantOps.td"),
    ("scf", "mlir/Dialect/SCF/IR/SCFOps.td"),
    ("shape", "mlir/Dialect/Shape/IR/ShapeOps.td"),
    ("shard", "mlir/Dialect/Shard/IR/ShardOps.td"),
    ("smt", "mlir/Dialect/SMT/IR/SMTOps.td"),
    (
        "sparse_tensor",
        "mlir/Dialect/SparseTensor/IR/SparseTensorOps.td",
    ),
    ("spirv", "mlir/Dialect/SPIRV/IR/SPIRVOps.td"),
    ("stream", "td/stream.td"),
    ("tosa", "mlir/Dialect/Tosa/IR/TosaOps.td"),
    ("transform", "mlir/Dialect/Transform/IR/TransformOps.td"),
    ("ub", "mlir/Dialect/UB/IR/UBOps.td"),
    ("vector", "mlir/Dialect/Vector/IR/VectorOps.td"),
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");

    let build = iree_dialects_generator::build()
        .include("td")
        .module("arith", "::iree_dialects::arith");
    let features = FEATURES.iter().filter(|(name, _)| has_feature(name));
    let build = DIALECTS
        .iter()
        .chain(features)
        .fold(build, |build, (name, source)| build.dialect(*name, source));
    let build = IN_PART
        .iter()
        .fold(build, |build, (name, source, operations)| {
            let build = build.dialect(*name, source);
            match has_feature(name) {
                true => build,
                false => build.operations(*name, operations.iter().copied()),
            }
        });
    match build.compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn has_feature(name: &str) -> bool {
    let variable = format!("CARGO_FEATURE_{}", name.to_uppercase());
    std::env::var_os(variable).is_some()
}
