//! Names that the host side needs for itself.

use crate::{
    ast::{Ident, Program, Visibility},
    diagnostic::{Code, Diagnostic, Report},
    expand::RESERVED,
};

/// Reports exported procedures with the name of a function that every program has.
pub(super) fn check(program: &Program, report: &mut Report) {
    for procedure in &program.procedures {
        let Ident { name, span } = &procedure.name;
        let exported = procedure.visibility == Visibility::Exported;
        if exported && RESERVED.contains(&name.as_str()) {
            let message = format!("every program has a function `{name}` on the host");
            let help = "give the procedure another name";
            report.push(Diagnostic::new(Code::Duplicate, *span, message).help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        parse::{ModuleKind, Source, parse},
        span::SpanTable,
    };
    use proc_macro2::TokenStream;

    #[test]
    fn exported_procedures_do_not_take_the_names_of_the_host() {
        let program = "mod m { struct P; impl P { pub fn load(&self) {} fn loader(&self) {} } }";
        let (mut spans, mut report) = (SpanTable::new(), Report::default());
        let tokens = program.parse().unwrap();
        let source = Source::attributed(ModuleKind::Program, TokenStream::new(), tokens);
        let parsed = parse(&source, &mut spans, &mut report).unwrap();
        check(&Program::new(parsed.module), &mut report);
        let [mistake] = report.diagnostics() else {
            panic!("{report:?}");
        };
        assert_eq!(mistake.code, Code::Duplicate);
        assert_eq!(spans.location(mistake.span).column, 35);
    }
}
