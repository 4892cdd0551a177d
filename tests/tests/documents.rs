//! What the documents show is what the examples run, and what the guide says of a mistake is what the
//! compiler says.

use std::{
    env, fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// The codes of messages that depend on the machine, or on mistakes of ours, so that no test has them.
const CODES_WITHOUT_TEST: [&str; 4] = ["internal", "iree", "toolchain", "vendored"];

const DOCUMENTS: [&str; 4] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

fn path_to(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(path_to(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_program_of_the_readme_is_the_first_example() {
    let readme = read("README.md");
    let (_, after) = readme
        .split_once("```rust\n")
        .expect("a program in README.md");
    let (program, _) = after.split_once("```").expect("the end of the program");
    let example = read("examples/first/main.rs");
    let (_, example) = example
        .split_once("\n\n")
        .expect("documentation, and then the program");
    assert_eq!(program, example);
}

/// The pages of the guide, relative to the root of the repository.
fn pages() -> Vec<String> {
    let root = path_to("");
    let files = WalkDir::new(path_to("guide/src")).sort_by_file_name();
    files
        .into_iter()
        .map(|entry| entry.expect("a file of the guide").into_path())
        .filter(|file| file.is_file())
        .map(|file| {
            let page = file.strip_prefix(&root).expect("a file below the root");
            page.display().to_string()
        })
        .collect()
}

/// Where the links of a document lead, relative to its folder.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).map(|link| {
        let (target, _) = link.split_once(')').expect("the end of a link");
        target
    })
}

/// The parts of a page between fences of this kind.
fn blocks<'t>(page: &'t str, kind: &str) -> Vec<&'t str> {
    let fence = format!("```{kind}\n");
    page.split(fence.as_str())
        .skip(1)
        .map(|block| block.split_once("```").expect("the end of a block").0)
        .collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let documents = DOCUMENTS.map(str::to_owned).into_iter().chain(pages());
    for document in documents {
        let folder = path_to(&document).with_file_name("");
        let text = read(&document);
        for target in links(&text).filter(|target| !target.starts_with("http")) {
            let (file, _) = target.split_once('#').unwrap_or((target, ""));
            assert!(folder.join(file).exists(), "{document}: `{target}`");
        }
    }
}

#[test]
fn every_page_of_the_guide_is_in_its_summary() {
    let summary = read("guide/src/SUMMARY.md");
    for page in pages() {
        let page = page.trim_start_matches("guide/src/");
        let is_listed = page == "SUMMARY.md" || links(&summary).any(|target| target == page);
        assert!(is_listed, "`{page}`");
    }
}

#[test]
fn every_listing_of_the_guide_is_a_documentation_test() {
    // The page on dialects is of another crate.
    let tested = read("dsl/src/guide.rs") + &read("examples/ttx/src/lib.rs");
    for page in pages() {
        let is_tested = tested.contains(&format!("/../{page}\")]"));
        let has_listings = !blocks(&read(&page), "rust").is_empty();
        assert_eq!(is_tested, has_listings, "`{page}`");
    }
}

#[test]
fn error_pages_show_what_the_compiler_says() {
    let cases = WalkDir::new(path_to("dsl/tests/ui"))
        .into_iter()
        .map(|entry| entry.expect("a case").into_path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|file| {
            let program = fs::read_to_string(&file).expect("a program");
            // A program without mistakes has no message.
            let message = fs::read_to_string(file.with_extension("stderr")).ok()?;
            Some((program, message))
        })
        .collect::<Vec<_>>();
    for page in pages() {
        let Some(code) = page.strip_prefix("guide/src/errors/") else {
            continue;
        };
        let code = code.trim_end_matches(".md");
        let text = read(&page);
        let messages = blocks(&text, "text");
        let [message] = messages[..] else {
            panic!("`{page}` shows one message");
        };
        assert!(
            message.starts_with(&format!("error: [{code}] ")),
            "`{page}`"
        );
        let programs = blocks(&text, "rust,compile_fail");
        if let ([], true) = (&programs[..], CODES_WITHOUT_TEST.contains(&code)) {
            continue;
        }
        let [program] = programs[..] else {
            panic!("`{page}` shows one program");
        };
        let case = cases.iter().find(|case| case.0.contains(program));
        let (_, said) = case.unwrap_or_else(|| panic!("`{page}` shows no case of dsl/tests/ui"));
        if env::var_os("BLESS").is_some_and(|value| value == "1") {
            fs::write(path_to(&page), text.replace(message, said)).expect("the page is written");
            continue;
        }
        assert_eq!(message, said, "`{page}`; BLESS=1 writes it");
    }
}

#[test]
fn files_that_documents_name_are_there() {
    const FOLDERS: [&str; 8] = [
        "abi/",
        "compiler/",
        "dialects/",
        "dsl/",
        "examples/",
        "guide/",
        "runtime/",
        "tests/",
    ];
    for document in DOCUMENTS {
        let text = read(document);
        for path in text.split('`').skip(1).step_by(2) {
            let is_path =
                FOLDERS.iter().any(|folder| path.starts_with(folder)) && !path.contains('<');
            assert!(!is_path || path_to(path).exists(), "{document}: `{path}`");
        }
    }
}
