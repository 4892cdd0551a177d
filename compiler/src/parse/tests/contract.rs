//! The first program of the language's contract.

use super::Outcome;
use crate::ast::Module;

const TRIVIAL: &str = "
pub mod trivial {
    //! Notes.
    use std::fmt;

    /// A tree.
    #[derive(Clone)]
    pub struct Params {
        pub x: Tensor<f32, 3, 4>,
        #[param(\"bias\")]
        pub b: Tensor<f32, 3, 4>,
    }

    pub struct TrivialKernel {
        #[global(init = Params { x: full(4.0), b: ones() })]
        params: Params,
        #[global(alias = params.x)]
        x: Tensor<f32, 3, 4>,
    }

    impl TrivialKernel {
        /// The parameters.
        pub fn get_params(&self) -> Params {
            self.params
        }

        pub fn run(&mut self, multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let result = linear(multiplier, self.params.x, self.params.b);
            self.x = result;
            result
        }
    }

    impl TrivialKernel {
        pub fn set_params(&mut self, new_params: Params) {
            self.params = new_params;
        }
    }

    #[kernel]
    fn linear<const M: usize, const N: usize>(
        m: Tensor<f32, M, N>,
        x: Tensor<f32, M, N>,
        b: Tensor<f32, M, N>,
    ) -> Tensor<f32, M, N> {
        m * x + b
    }
}";

/// The module, an item in a line, without the places.
fn outline(module: &Module) -> String {
    let mut lines = vec![short(&module.name), short(&module.options)];
    lines.extend(module.trees.iter().map(short));
    if let Some(program) = &module.program {
        lines.push(short(&program.name));
        lines.extend(program.globals.iter().map(short));
    }
    lines.extend(module.kernels.iter().map(short));
    lines.extend(module.procedures.iter().map(short));
    lines.join("\n")
}

fn short(item: &impl std::fmt::Debug) -> String {
    let mut text = format!("{item:?}");
    while let Some(start) = text.find("SpanId(") {
        let end = text[start..].find(')').expect("a closing parenthesis");
        text.replace_range(start..=start + end, "@");
    }
    let text = text
        .replace(", span: @", "")
        .replace(", operator_span: @", "");
    let names: Vec<_> = text.split("Ident { name: \"").collect();
    let text = names.join("").replace("\" }", "");
    let text = text.replace("Path { segments: [Segment { name: ", "Path { ");
    text.replace(", arguments: [] }] }", " }")
}

#[test]
fn the_program_of_the_contract() {
    let outcome = Outcome::of(
        "name = \"small\", targets = [\"cpu\"], opt = \"size\", emit = [\"vm-c\"], flags = [\"--a\", \"--b\"]",
        TRIVIAL,
    );
    assert_eq!(outcome.mistakes(), [""; 0]);
    let parsed = outcome.parsed.expect("a program");
    insta::assert_snapshot!(outline(&parsed.module));
}

#[test]
fn the_host_side_of_the_contract() {
    let outcome = Outcome::of("", TRIVIAL);
    let host = outcome.parsed.expect("a program").host;
    assert_eq!(host.name, "trivial");
    assert_eq!(host.visibility.to_string(), "pub");
    assert_eq!(host.attributes.to_string(), "# [doc = \" Notes.\"]");
    assert_eq!(host.uses.len(), 1);
    assert_eq!(host.program.expect("the program").name, "TrivialKernel");
    let [params] = host.trees.as_slice() else {
        panic!("one tree, found {:?}", host.trees);
    };
    let fields: Vec<_> = params.fields.iter().map(|f| f.name.to_string()).collect();
    assert_eq!(fields, ["x", "b"]);
    assert!(params.attributes.to_string().contains("derive (Clone)"));
    assert!(
        params
            .fields
            .iter()
            .all(|field| field.attributes.is_empty())
    );
    let procedures: Vec<_> = host
        .procedures
        .iter()
        .map(|one| format!("{} {} {:?}", one.name, one.receiver, one.parameters.len()))
        .collect();
    assert_eq!(
        procedures,
        [
            "get_params & self 0",
            "run & mut self 1",
            "set_params & mut self 1"
        ]
    );
}
