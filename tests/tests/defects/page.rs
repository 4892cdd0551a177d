//! The guide's page of what was met in IREE.

use crate::{
    compare,
    registry::{self, Defect},
};
use libtest_mimic::Failed;
use std::fs;

/// What the table stands behind.
const MARK: &str = "--test defects -- page`. -->\n";

/// Compares the table of the page, or writes it if `BLESS=1` is set.
pub(crate) fn is_current() -> Result<(), Failed> {
    let file = registry::root().join("guide/src/defects.md");
    let text = fs::read_to_string(&file)?;
    let (prose, _) = text.split_once(MARK).ok_or("the mark is missing")?;
    compare(&file, &format!("{prose}{MARK}{}", table(&registry::all())))
}

fn table(defects: &[Defect]) -> String {
    let head = "\n| what was met | seen as | what programs would show | how it is avoided |\n|---|---|---|---|\n";
    let rows = defects.iter().map(|defect| {
        let cells = [
            format!("{} (`{}`)", defect.title, defect.name),
            defect.symptom.words().to_owned(),
            defect.users.clone(),
            defect.avoided.clone(),
        ];
        format!(
            "| {} |\n",
            cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
        )
    });
    head.to_owned() + &rows.collect::<String>()
}
