use crate::tool::{failure, output, tool};
use ndarray::{Array1, Array2, arr1, arr2};
use ndarray_npy::{NpzWriter, read_npy, write_npy};
use std::{fs::File, path::Path};
use tempfile::TempDir;

fn shown(arguments: &[&str]) -> String {
    output(&mut tool(&[&["run"], arguments].concat()))
}

fn mistake(arguments: &[&str]) -> String {
    failure(&mut tool(&[&["run"], arguments].concat()))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn inputs_are_written_out() {
    let (_folder, model) = supply();
    let expected = "result: Tensor<f32, 2, 3>\n[[ 7,  7,  7],\n [15, 15, 15]]\n";
    assert_eq!(
        shown(&["scaling", "run", "--input", "x=2x2xf32=1,2,3,4"]),
        expected
    );
    assert_eq!(
        shown(&["scaling", "run", "-i", "x=[[1 2] [3 4]]", "--size", "N=2"]),
        expected
    );
    let device = ["--device", "local-sync", "--target", "vmvx"];
    let arguments = [
        &["scaling", "run", "-i", "x=1,2,3,4", "--size", "N=2"],
        &device[..],
    ]
    .concat();
    assert_eq!(shown(&arguments), expected);
    assert_eq!(
        shown(&[
            "supplied",
            "split",
            "-i",
            "z=1+2i,3-4i",
            "--parameters",
            &model
        ]),
        "0: Tensor<f32, 2>\n[1, 3]\n1: Tensor<f32, 2>\n[ 2, -4]\n"
    );
}

#[test]
fn results_are_printed_as_people_read_them() {
    let run = |arguments: &[&str]| shown(&[&["scaling", "run"], arguments].concat());
    // Twice the sum of both, and one.
    let third = ["-i", "x=1x2xf32=0.1,0.06666667"];
    assert_eq!(
        run(&third),
        "result: Tensor<f32, 1, 3>\n[[1.33333, 1.33333, 1.33333]]\n"
    );
    let all_digits = run(&[&third[..], &["--digits", "9"]].concat());
    assert!(all_digits.contains("1.333333"), "{all_digits}");
    let long = ["-i", "x=1", "--size", "N=400"];
    let cut = run(&long);
    assert_eq!(cut.lines().count(), 8, "{cut}");
    assert!(cut.contains("\n …,\n"), "{cut}");
    assert_eq!(run(&[&long[..], &["--all"]].concat()).lines().count(), 401);
}

/// An archive for the scope of the program `supplied`, in a folder that goes with it.
fn supply() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npz");
    let mut archive = NpzWriter::new(File::create(&path).unwrap());
    archive.add_array("w", &arr1(&[7i32, -8])).unwrap();
    archive.finish().unwrap();
    let model = format!("model={}", text(&path));
    (folder, model)
}

#[test]
fn parameters_are_converted_if_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layers.npz");
    let mut archive = NpzWriter::new(File::create(&path).unwrap());
    for layer in 0..6 {
        let (w, b) = (Array2::<f64>::zeros((4, 4)), Array1::<f64>::zeros(4));
        archive.add_array(format!("layers.{layer}.w"), &w).unwrap();
        archive.add_array(format!("layers.{layer}.b"), &b).unwrap();
    }
    archive.finish().unwrap();
    let model = format!("model={}", text(&path));
    let arguments = ["stacked", "run", "-i", "x=0.5", "--parameters", &model];
    let refused = mistake(&arguments);
    assert!(
        refused.contains("12 tensors have elements of `f64`"),
        "{refused}"
    );
    let converted = shown(&[&arguments[..], &["--convert-parameters"]].concat());
    assert!(converted.contains("[[0.5, 0.5, 0.5, 0.5],"), "{converted}");
}

#[test]
fn files_go_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let (input, results) = (folder.path().join("x.npy"), folder.path().join("results"));
    write_npy(&input, &arr2(&[[1.0f32, 0.0]])).unwrap();
    let x = format!("x=@{}", text(&input));
    let said = shown(&["scaling", "run", "-i", &x, "--output", text(&results)]);
    assert!(said.starts_with("result: Tensor<f32, 1, 3> in "), "{said}");
    let result: Array2<f32> = read_npy(results.join("result.npy")).unwrap();
    assert_eq!(result, arr2(&[[3.0, 3.0, 3.0]]));
    assert_eq!(std::fs::read_dir(&results).unwrap().count(), 1);
}

#[test]
fn state_goes_from_one_call_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.safetensors");
    let first = [
        "scaling",
        "run",
        "-i",
        "x=1x2xf32=1",
        "--save-state",
        text(&state),
    ];
    shown(&first);
    let count = |arguments: &[&str]| shown(&[&["scaling", "count"], arguments].concat());
    assert_eq!(count(&[]), "result: Tensor<u8>\n0\n");
    assert_eq!(
        count(&["--load-state", text(&state)]),
        "result: Tensor<u8>\n1\n"
    );
}

#[test]
fn a_tree_is_given_as_an_archive_or_leaf_by_leaf() {
    let folder = tempfile::tempdir().unwrap();
    let (archive, state) = (
        folder.path().join("p.npz"),
        folder.path().join("state.irpa"),
    );
    let mut writer = NpzWriter::new(File::create(&archive).unwrap());
    writer
        .add_array("w", &Array2::<f32>::zeros((2, 3)))
        .unwrap();
    writer
        .add_array("b", &Array1::from_elem(3, 9.0f32))
        .unwrap();
    writer.finish().unwrap();
    let tree = format!("params=@{}", text(&archive));
    let leaves = ["params.w=0", "params.b=9"];
    for inputs in [&[tree.as_str()][..], &leaves] {
        let inputs = inputs.iter().flat_map(|input| ["-i", input]);
        let arguments: Vec<_> = ["scaling", "set", "--save-state", text(&state)]
            .into_iter()
            .chain(inputs)
            .collect();
        shown(&arguments);
        let result = shown(&[
            "scaling",
            "run",
            "-i",
            "x=1x2xf32=5",
            "--load-state",
            text(&state),
        ]);
        assert_eq!(result, "result: Tensor<f32, 1, 3>\n[[9, 9, 9]]\n");
    }
}

#[test]
fn globals_are_supplied_and_traces_are_shown() {
    let (_folder, model) = supply();
    let mut run = tool(&["run", "supplied", "get", "--parameters", &model]);
    let said = run.assert().success().get_output().clone();
    assert_eq!(
        String::from_utf8_lossy(&said.stdout),
        "result: Tensor<i32, 2>\n[ 7, -8]\n"
    );
    let traced = String::from_utf8_lossy(&said.stderr);
    assert!(
        traced.contains("[trace] w (cargo-iree/tests/suite/programs.rs:"),
        "{traced}"
    );
}

#[test]
fn mistakes_are_told_with_their_cure() {
    let folder = tempfile::tempdir().unwrap();
    let doubles = folder.path().join("doubles.npy");
    write_npy(&doubles, &arr2(&[[1.0f64, 2.0]])).unwrap();
    let doubles = format!("x=@{}", text(&doubles));
    let said = [
        mistake(&["scaling", "rnu"]),
        mistake(&["scaling", "run"]),
        mistake(&["scaling", "run", "-i", "y=1"]),
        mistake(&["scaling", "run", "-i", "x=1"]),
        mistake(&["scaling", "run", "-i", "x=1x3xf32=1"]),
        mistake(&["scaling", "run", "-i", "x=1x2xf32=one"]),
        mistake(&["scaling", "run", "-i", "x=1", "-i", "x=2", "--size", "N=1"]),
        mistake(&["scaling", "run", "-i", &doubles]),
        mistake(&["scaling", "set", "-i", "params=1"]),
        mistake(&[
            "scaling", "run", "-i", "x=1", "--size", "N=1", "--device", "cuda",
        ]),
        mistake(&[
            "scaling", "run", "-i", "x=1", "--size", "N=1", "--target", "vmv",
        ]),
        mistake(&["scaling", "run", "-i", "x=@none.npy"]),
        mistake(&["supplied", "get"]),
        mistake(&["scaling", "run", "-i", "x=1", "--size", "M=1"]),
        mistake(&["scaling", "run", "--size", "N=1", "--size", "N=2"]),
    ];
    insta::assert_snapshot!(said.join("\n"));
}
