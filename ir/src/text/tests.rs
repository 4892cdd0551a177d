mod random;

use super::*;

/// Every construct of the text form, as it is printed.
const EVERYTHING: &str = r#"module @everything {
  global mutable @params.x: Tensor<f32, 2> = splat 4.0
  global @table: Tensor<i8, 2, 2> = [1, -2, 3, -128]
  global @"a name": Tensor<Complex<f32>, 2> = [(1.0, -0.5), (inf, 0x7fc00001)]
  global @made: Tensor<f64> = @init result 0
  global @later: Tensor<bool, 0> uninitialized
  global @wrong: Tensor<bool> = bytes "020304" as Tensor<u16, 2>

  func private @init() -> Tensor<f64> {
    %0 = constant splat 1e-300 : Tensor<f64>
    return %0
  }

  func public @run(%0 x: Tensor<f32, 2>, %1 "its \"rows\"": Tensor<f32, B, _>) -> Tensor<i32>, Tensor<f32, 2> {
    %2 = global_load @params.x : Tensor<f32, 2>
    %3 = add %0, %2 : Tensor<f32, 2>
    global_store @params.x %3
    %4 = broadcast %3 axes [1] : Tensor<f32, 3, 2>
    %5 = transpose %4 permutation [1, 0] : Tensor<f32, 2, 3>
    %6 = dot_general %4, %5 batch [] x [] contract [1] x [0] : Tensor<f32, 3, 3>
    %7 = reduce_sum %6 axes [1] : Tensor<f32, 3>
    %8 = arg_maximum %7 axis 0 : Tensor<i32>
    %9 = call @init : Tensor<f64>
    %10 = call @init as (Tensor<f32>) -> (Tensor<f64>, Tensor<f64>) : Tensor<f64>
    %11 = iota axis 0 : Tensor<u8, 4>
    %12 = reshape %11 as [2, 2] : Tensor<u8, 4>
    %13 = convert %12 as bool : Tensor<i8, 4> region(%14: Tensor<f16>) {
      %15 = negate %14 : Tensor<f16>
      return %15
    }
    %16 = bitcast %11 as i8 : Tensor<u8, 4>
    %17 = size of [2*B + 1] as i64 : Tensor<i32>
    %18 = dynamic_slice %5, %8, %8 sizes [1, 2] : Tensor<f32, 1, 2>
    %19 = dynamic_update_slice %5, %18, %8, %8 : Tensor<f32, 2, 3>
    trace @"a key" %19, %8 site 3
    %20 = import %8 name draw parameters [seed: Tensor<i32>] results [Tensor<f32>] : Tensor<f32>
    assert @holds %20 site 0
    global_store @params.x %3 as Tensor<f32>
    return %8, %3
  }
}
"#;

#[test]
fn everything_reads_back() {
    let module = parse(EVERYTHING).expect("it is a module");
    assert_eq!(module.to_string(), EVERYTHING);
    assert_eq!(parse(&module.to_string()), Ok(module));
}

fn error(text: &str) -> String {
    parse(text).expect_err("it is no module").to_string()
}

fn error_in_function(line: &str) -> String {
    error(&format!(
        "module @m {{\nfunc public @f() {{\n{line}\nreturn\n}}\n}}"
    ))
}

#[test]
fn errors_name_the_place() {
    assert_eq!(error(""), "1:1: expected `module`, found the end");
    assert_eq!(
        error("module @m {\n  // a comment\n  globe"),
        "3:3: expected `global`, `func` or `}`, found `globe`"
    );
    assert_eq!(
        error("module @m { global @g: Tensor<u8> = splat 256 }"),
        "1:43: `256` is not an element of type `u8`"
    );
    assert_eq!(
        error("module @m { global @g: Tensor<u8> = @f result 0 }"),
        "1:37: there is no function `f`"
    );
    assert_eq!(error("module @\"m"), "1:8: the quotes are not closed");
    assert_eq!(
        error("module @m { global @g: Tensor<f8> uninitialized }"),
        "1:31: `f8` is not an element type"
    );
}

#[test]
fn errors_in_functions_name_the_place() {
    assert_eq!(
        error_in_function("%0 = ad %1 : Tensor<f32>"),
        "3:6: there is no operation `ad`"
    );
    assert_eq!(
        error_in_function("%0 = negate %0 as f32 : Tensor<f32>"),
        "3:6: `negate` has another attribute, or none, behind `as`"
    );
    assert_eq!(
        error_in_function("constant splat 1"),
        "3:1: `constant` has another attribute, or none, behind `as`"
    );
    assert_eq!(
        error_in_function("%0 = negate %1 : Tensor<f32>"),
        "3:13: nothing defines `%1`"
    );
    assert_eq!(
        error_in_function("%1 = iota axis 0 : Tensor<f32, 2>"),
        "3:1: the 1 values are numbered from `%0` without gaps"
    );
    assert_eq!(
        error_in_function("%0, %1 = call @f : Tensor<f32>"),
        "3:18: 2 results have 1 types"
    );
    assert_eq!(
        error_in_function("global_store @x"),
        "3:14: the access has no type: write it behind `as`"
    );
    let regions = "%0 = iota axis 0 : Tensor<f32> region() {".repeat(300);
    assert!(error_in_function(&regions).contains("nested too deeply"));
}

#[test]
fn deep_branches_read_back_and_are_verified() {
    // As deep as a program may be.
    let depth = 255;
    let mut body = String::from("return %1");
    for level in (0..depth).rev() {
        let result = depth + 1 - level;
        body = format!(
            "%{result} = if %0 : Tensor<f32> region() {{ {body} }} region() {{ return %1 }} return %{result}"
        );
    }
    let text = format!(
        "module @m {{ func public @f(%0 p: Tensor<bool>, %1 x: Tensor<f32>) -> Tensor<f32> {{ {body} }} }}"
    );
    let module = parse(&text).expect("a module");
    let verified = crate::verify::verify(module).expect("a sound module");
    let again = parse(&verified.module().to_string()).expect("the printed module");
    assert_eq!(again, *verified.module());
}
