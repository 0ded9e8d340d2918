//! Fields of CSV that a spreadsheet would take for formulas: the export writes an apostrophe before them, and the import
//! takes it away again.

/// What formulas begin with.
const BEGINNINGS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The field as it is written. One that has apostrophes already gets another one, so that nothing is lost.
pub(super) fn guard(field: String) -> String {
    if begins_formula(&field) { format!("'{field}") } else { field }
}

/// The field as it was.
pub(super) fn unguard(field: String) -> String {
    match field.strip_prefix('\'') {
        Some(guarded) if begins_formula(guarded) => guarded.to_owned(),
        _ => field,
    }
}

fn begins_formula(field: &str) -> bool {
    field.trim_start_matches('\'').starts_with(BEGINNINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_a_formula_and_each_comes_back() {
        for (field, written) in [
            ("Ada", "Ada"),
            ("", ""),
            ("'Ada'", "'Ada'"),
            ("=1+1", "'=1+1"),
            ("+49", "'+49"),
            ("-", "'-"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1+1", "''=1+1"),
            ("''=1+1", "'''=1+1"),
            ("a=1", "a=1"),
            ("'", "'"),
        ] {
            assert_eq!(guard(field.to_owned()), written);
            assert_eq!(unguard(written.to_owned()), field, "{written:?}");
        }
        // Of a file that something else wrote.
        assert_eq!(unguard("=1+1".to_owned()), "=1+1");
    }
}
