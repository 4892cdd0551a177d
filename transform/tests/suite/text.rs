//! What derived functions look like: the primal once, no zeros and ones, nothing that nobody reads.

use crate::check::{check_by, last, module, places, some, sound};
use iree_dsl_ir::SpanId;
use iree_dsl_ir::{Function, OperationId};
use iree_dsl_transform::{Checkpoints, Piece, Variable, jvp, remove_dead, vjp};
use std::collections::BTreeMap;

/// The body of the function that is derived, a line for each operation.
fn body(text: &str, inputs: &[usize], reverse: bool) -> String {
    let module = module(&format!("module @m {{ {text} }}"));
    let derive = if reverse { vjp } else { jvp };
    let derived = derive(&module, last(&module), inputs).expect("it has a derivative");
    let text = derived.module.to_string();
    let start = text.rfind("func").expect("a function");
    let lines = text[start..].lines().skip(1).map(str::trim);
    let lines: Vec<_> = lines.take_while(|line| *line != "}").collect();
    lines.join("\n")
}

const LOSS: &str =
    "func public @loss(%0 w: Tensor<f64, 3, 2>, %1 x: Tensor<f64, B, 3>) -> Tensor<f64> {
    %2 = dot_general %1, %0 batch [] x [] contract [1] x [0] : Tensor<f64, B, 2>
    %3 = tanh %2 : Tensor<f64, B, 2>
    %4 = reduce_sum %3 axes [0, 1] : Tensor<f64>
    return %4 }";

#[test]
fn reverse_mode() {
    let expected = "%3 = dot_general %1, %0 batch [] x [] contract [1] x [0] : Tensor<f64, B, 2>
%4 = tanh %3 : Tensor<f64, B, 2>
%5 = constant splat 1.0 : Tensor<f64>
%6 = broadcast %5 axes [] : Tensor<f64, B, 2>
%7 = subtract %6, %4 : Tensor<f64, B, 2>
%8 = add %6, %4 : Tensor<f64, B, 2>
%9 = multiply %7, %8 : Tensor<f64, B, 2>
%10 = reduce_sum %4 axes [0, 1] : Tensor<f64>
%11 = broadcast %2 axes [] : Tensor<f64, B, 2>
%12 = multiply %11, %9 : Tensor<f64, B, 2>
%13 = dot_general %12, %1 batch [] x [] contract [0] x [0] : Tensor<f64, 2, 3>
%14 = transpose %13 permutation [1, 0] : Tensor<f64, 3, 2>
return %10, %14";
    assert_eq!(body(LOSS, &[0], true), expected);
}

#[test]
fn forward_mode() {
    let expected = "%3 = sin %0 : Tensor<f64, N>
%4 = cos %0 : Tensor<f64, N>
%5 = multiply %2, %4 : Tensor<f64, N>
%6 = add %3, %1 : Tensor<f64, N>
return %6, %5";
    let text = "func public @f(%0 x: Tensor<f64, N>, %1 y: Tensor<f64, N>) -> Tensor<f64, N> {
        %2 = sin %0 : Tensor<f64, N> %3 = add %2, %1 : Tensor<f64, N> return %3 }";
    assert_eq!(body(text, &[0], false), expected);
}

#[test]
fn lookups_add_into_one_buffer() {
    let text = "func public @f(%0 x: Tensor<f64, 9>, %1 i: Tensor<i32>) -> Tensor<f64, 2> {
        %2 = dynamic_slice %0, %1 sizes [2] : Tensor<f64, 2>
        %3 = slice %0 start [1] limit [3] stride [1] : Tensor<f64, 2>
        %4 = add %2, %3 : Tensor<f64, 2>
        return %4 }";
    let body = body(text, &[0], true);
    let count = |operation: &str| body.matches(operation).count();
    assert_eq!(
        (count("dynamic_update_slice"), count("pad")),
        (1, 1),
        "{body}"
    );
}

#[test]
fn effects_happen_once() {
    let text = "func public @f(%0 x: Tensor<f64>, %1 c: Tensor<bool>) -> Tensor<f64> {
        %2 = exp %0 : Tensor<f64>
        trace @\"y\" %2 site 0
        assert @\"c\" %1 site 1
        return %2 }";
    for reverse in [false, true] {
        let body = body(text, &[0], reverse);
        let count = |operation: &str| body.matches(operation).count();
        assert_eq!(
            (count("trace"), count("assert"), count("exp")),
            (1, 1, 1),
            "{body}"
        );
    }
}

#[test]
fn regions_that_read_nothing_that_changes_are_kept() {
    let text = "module @m { func public @f(%0 x: Tensor<f64>, %1 n: Tensor<i32>) -> Tensor<f64> {
        %2 = while %1 : Tensor<i32> region(%3: Tensor<i32>) {
            %4 = constant splat 9 : Tensor<i32>
            %5 = less %3, %4 : Tensor<bool>
            return %5
        } region(%6: Tensor<i32>) {
            %7 = add %6, %6 : Tensor<i32>
            return %7
        }
        %8 = convert %2 : Tensor<f64>
        %9 = multiply %0, %0 : Tensor<f64>
        %10 = multiply %9, %8 : Tensor<f64>
        return %10 } }";
    check_by(&module(text), &[some(&[], 1), places(&[], &[1])], &[0], 2);
}

#[test]
fn what_is_derived_has_the_spans_of_the_primal() {
    let verified = module(&format!("module @m {{ {LOSS} }}"));
    let id = last(&verified);
    let mut primal = verified.into_module();
    let function = primal.functions.get_mut(id).expect("a function");
    let steps: Vec<_> = function.operations.iter().map(|(id, _)| id).collect();
    for (number, step) in steps.into_iter().enumerate() {
        let step = function.operations.get_mut(step).expect("an operation");
        step.span = SpanId::new(number as u32 + 1);
    }
    let derived = vjp(&sound(primal), id, &[0]).expect("it has a derivative");
    let function = derived
        .module
        .functions
        .get(derived.function)
        .expect("a function");
    let spans = function
        .operations
        .iter()
        .map(|(_, step)| step.span.index());
    // The product, the tangent with its factor, the sum; then back.
    assert_eq!(
        spans.collect::<Vec<_>>(),
        [1, 2, 2, 2, 2, 2, 2, 3, 3, 2, 1, 1]
    );
}

/// The names of the operations of the gradient of the last function, also of those in regions, if some are marked.
fn marked(text: &str, mark: impl FnOnce(&Function) -> Checkpoints) -> Vec<&'static str> {
    let module = module(text);
    let function = module.module().functions.get(last(&module)).cloned();
    let mut function = function.expect("a function");
    let checkpoints = mark(&function);
    let x = function.body.parameters[0];
    let mut piece = Piece {
        module: module.module(),
        rules: &BTreeMap::new(),
        checkpoints: &checkpoints,
        operations: std::mem::take(&mut function.body.operations),
        function,
        first: 0,
    };
    let results = piece.function.body.results.clone();
    let variable = Variable { name: x, value: x };
    let linear = piece.linearise(&[variable], &results).expect("a rule");
    let back = linear.pull_back(&mut piece, &[Some(results[0])]);
    let Piece {
        mut function,
        operations,
        ..
    } = piece;
    function.body.operations = operations;
    function.body.results = back.expect("a cotangent");
    let function = remove_dead(module.module(), &function).expect("it is sound");
    let steps = function.operations.iter();
    steps.map(|(_, step)| step.op.name()).collect()
}

fn count(names: &[&str], name: &str) -> usize {
    names.iter().filter(|other| **other == name).count()
}

fn again(groups: &[&[OperationId]]) -> Checkpoints {
    let mut checkpoints = Checkpoints::default();
    for group in groups {
        checkpoints.run_again(group.to_vec());
    }
    checkpoints
}

/// What is run again is not kept: `tanh` runs twice forwards, and twice again, of what nobody finds to be the same.
#[test]
fn checkpoints_keep_what_they_read() {
    let text = "module @m { func public @f(%0 x: Tensor<f64, 3>) -> Tensor<f64, 3> {
        %1 = tanh %0 : Tensor<f64, 3>
        trace @\"y\" %1 site 0
        %2 = tanh %1 : Tensor<f64, 3>
        return %2 } }";
    let names = marked(text, |function| again(&[&function.body.operations]));
    assert_eq!(count(&names, "tanh"), 4);
    assert_eq!(count(&names, "trace"), 1);
    assert_eq!(count(&names, "barrier"), 1);
}

/// In what runs again, the inner one runs once more: three times forwards, of which the derivative needs the last. Nothing
/// needs the second of an inner one with which the outer one ends.
#[test]
fn checkpoints_are_in_checkpoints() {
    let text = "module @m { func public @f(%0 x: Tensor<f64, 3>) -> Tensor<f64, 3> {
        %1 = sin %0 : Tensor<f64, 3>
        %2 = tanh %1 : Tensor<f64, 3>
        %3 = sin %2 : Tensor<f64, 3>
        return %3 } }";
    for (inner, times) in [(1..2, 3), (0..2, 3), (1..3, 2), (0..3, 2)] {
        let names = marked(text, |function| {
            let operations = &function.body.operations;
            again(&[&operations[inner.clone()], operations])
        });
        assert_eq!(count(&names, "tanh"), times, "{inner:?}");
        assert_eq!(count(&names, "barrier"), 2, "{inner:?}");
    }
}

const LOOP: &str = "module @m { func public @f(%0 x: Tensor<f64, 3>) -> Tensor<f64, 3> {
    %1 = constant splat 0 : Tensor<i32>
    %2, %3 = while %1, %0 : Tensor<i32>, Tensor<f64, 3>
    region(%4: Tensor<i32>, %5: Tensor<f64, 3>) {
        %6 = constant splat 9 : Tensor<i32>
        %7 = less %4, %6 : Tensor<bool>
        return %7
    } region(%8: Tensor<i32>, %9: Tensor<f64, 3>) {
        %10 = constant splat 1 : Tensor<i32>
        %11 = add %8, %10 : Tensor<i32>
        %12 = tanh %9 : Tensor<f64, 3>
        trace @\"y\" %12 site 0
        return %11, %12
    }
    return %3 } }";

/// What a loop shows, it shows once, however often its iterations run.
#[test]
fn loops_that_run_again_have_no_effects() {
    let whole = marked(LOOP, |function| again(&[&function.body.operations]));
    assert_eq!((count(&whole, "tanh"), count(&whole, "trace")), (2, 1));
    let bounded = marked(LOOP, |function| {
        let mut checkpoints = Checkpoints::default();
        checkpoints.bound(function, &function.body.operations, 2, true);
        checkpoints
    });
    // Forwards, up to the next that is kept, and in the iteration that is led back through.
    assert_eq!((count(&bounded, "tanh"), count(&bounded, "trace")), (3, 1));
}

/// Of the weights of a loop, the cotangents of all iterations are one contraction behind the transposed loop, if those of an
/// iteration are not larger than the weights.
#[test]
fn weights_of_loops_have_one_contraction_behind() {
    let of = |rows: usize| {
        let state = format!("Tensor<f64, {rows}, 3>");
        let text = format!(
            "module @m {{ func public @f(%0 w: Tensor<f64, 3, 3>, %1 x: {state}) -> {state} {{
                %2 = constant splat 0 : Tensor<i32>
                %3, %4 = while %2, %1 : Tensor<i32>, {state}
                region(%5: Tensor<i32>, %6: {state}) {{
                    %7 = constant splat 9 : Tensor<i32>
                    %8 = less %5, %7 : Tensor<bool>
                    return %8
                }} region(%9: Tensor<i32>, %10: {state}) {{
                    %11 = constant splat 1 : Tensor<i32>
                    %12 = add %9, %11 : Tensor<i32>
                    %13 = dot_general %10, %0 batch [] x [] contract [1] x [0] : {state}
                    %14 = sin %13 : {state}
                    return %12, %14
                }}
                return %4 }} }}"
        );
        let module = module(&text);
        let reverse = vjp(&module, last(&module), &[0])
            .expect("a derivative")
            .module;
        let function = reverse.functions.iter().last();
        let (_, function) = function.expect("a function");
        let function = remove_dead(&reverse, function).expect("it is sound");
        let steps = function.body.operations.iter();
        let steps = steps.filter_map(|id| function.operations.get(*id));
        let names = steps.map(|step| step.op.name());
        count(&names.collect::<Vec<_>>(), "dot_general")
    };
    assert_eq!([of(1), of(3), of(4)], [1, 1, 0]);
}

/// Cotangents of rows that iterations write are read where they are, unless something else may have them too.
#[test]
fn cotangents_of_rows_are_not_handed_on() {
    let of = |first: &str, inputs: &[usize]| {
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f64>, %1 y: Tensor<f64, 9>) -> Tensor<f64, 9> {{
                %2 = constant splat 0 : Tensor<i32>
                %3 = constant splat 1.0 : Tensor<f64, 9>
                %4 = constant splat 9 : Tensor<i32>
                %5, %6 = while %2, {first} : Tensor<i32>, Tensor<f64, 9>
                region(%7: Tensor<i32>, %8: Tensor<f64, 9>) {{
                    %9 = less %7, %4 : Tensor<bool>
                    return %9
                }} region(%10: Tensor<i32>, %11: Tensor<f64, 9>) {{
                    %12 = constant splat 1 : Tensor<i32>
                    %13 = add %10, %12 : Tensor<i32>
                    %14 = convert %10 : Tensor<f64>
                    %15 = multiply %0, %14 : Tensor<f64>
                    %16 = reshape %15 : Tensor<f64, 1>
                    %17 = dynamic_update_slice %11, %16, %10 : Tensor<f64, 9>
                    return %13, %17
                }}
                return %6 }} }}"
        );
        let module = module(&text);
        let reverse = vjp(&module, last(&module), inputs);
        let text = reverse.expect("a derivative").module.to_string();
        let (_, derived) = text.rsplit_once("func").expect("a function");
        derived.matches("dynamic_update_slice").count()
    };
    assert_eq!([of("%3", &[0]), of("%1", &[0, 1])], [1, 2]);
}

/// The loop hands on what the sum needs, not the product, and the branch has one result.
#[test]
fn what_nobody_reads_of_loops_and_branches_is_removed() {
    let text = "module @m { func public @f(%0 x: Tensor<f64>, %1 n: Tensor<i32>) -> Tensor<f64> {
        %2, %3, %4 = while %1, %0, %0 : Tensor<i32>, Tensor<f64>, Tensor<f64>
        region(%5: Tensor<i32>, %6: Tensor<f64>, %7: Tensor<f64>) {
            %8 = constant splat 9 : Tensor<i32>
            %9 = less %5, %8 : Tensor<bool>
            return %9
        } region(%10: Tensor<i32>, %11: Tensor<f64>, %12: Tensor<f64>) {
            %13 = add %10, %10 : Tensor<i32>
            %14 = add %11, %0 : Tensor<f64>
            %15 = multiply %12, %11 : Tensor<f64>
            return %13, %14, %15
        }
        %16 = constant splat true : Tensor<bool>
        %17, %18 = if %16 : Tensor<f64>, Tensor<f64> region() {
            %19 = sin %3 : Tensor<f64>
            return %3, %19
        } region() { return %3, %4 }
        return %17 } }";
    let module = module(text);
    let function = module.module().functions.get(last(&module));
    let function = function.expect("a function");
    let left = remove_dead(module.module(), function).expect("it is sound");
    let results = left.operations.iter().map(|(_, step)| {
        let name = step.op.name();
        (name, step.operands.len(), step.results.len())
    });
    let results: Vec<_> = results
        .filter(|(name, ..)| ["while", "if", "sin", "multiply"].contains(name))
        .collect();
    assert_eq!(results, [("while", 2, 2), ("if", 1, 1)]);
}
