"""Builds the modules of `work.rs` with MLIR's Python bindings, as IREE's compiler or JAX have them, and prints seconds and mebibytes."""

import sys
import time

ROUNDS = 3


def bindings():
    try:
        from iree.compiler import ir
        from iree.compiler.dialects import arith, func

        return ir, arith, func, ir.Context
    except ImportError:
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import arith, func
        from jax.interpreters.mlir import make_ir_context

        return ir, arith, func, make_ir_context


def sums(ir, arith, func, x, i32, operations):
    total = x
    for _ in range(operations):
        total = arith.addi(total, x)
    return total


def mixed(ir, arith, func, x, i32, operations):
    last = x
    for index in range(operations // 5):
        number = arith.constant(i32, index)
        less = arith.cmpi(arith.CmpIPredicate.slt, last, number)
        chosen = arith.select(less, x, number)
        called = func.call([i32], "main", [chosen])
        last = arith.addi(last, called)
    return last


def resident_mebibytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024


def main(work, operations):
    ir, arith, func, make_context = bindings()
    times, memory = [], None
    for _ in range(ROUNDS):
        with make_context(), ir.Location.unknown():
            before = resident_mebibytes()
            module = ir.Module.create()
            i32 = ir.IntegerType.get_signless(32)
            start = time.perf_counter()
            with ir.InsertionPoint(module.body):
                function = func.FuncOp("main", ([i32], [i32]))
                with ir.InsertionPoint(function.add_entry_block()):
                    x = function.arguments[0]
                    func.ReturnOp([globals()[work](ir, arith, func, x, i32, operations)])
            times.append(time.perf_counter() - start)
            memory = memory or resident_mebibytes() - before
            assert module.operation.verify()
    print(min(times), memory)


main(sys.argv[1], int(sys.argv[2]))
