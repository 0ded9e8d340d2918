//! CSV fields that a spreadsheet would interpret as formulas: the export writes an apostrophe before them, and the
//! import removes it. A spreadsheet with another separator than the comma (as in many languages) finds fields within a
//! field, also within quotes.

/// Characters that begin a formula, also in the full-width forms that some spreadsheets accept.
const BEGINNINGS: [char; 10] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'];
/// Characters that begin another field in such a spreadsheet.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// The field as exported. One that has apostrophes already gets another one, so that nothing is lost.
pub(super) fn guard(field: &str) -> String {
    let mut guarded = String::with_capacity(field.len());
    for (part, rest) in parts(field) {
        if begins_formula(rest) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    guarded
}

/// The original field.
pub(super) fn unguard(field: &str) -> String {
    let unguarded = parts(field).map(|(part, rest)| match part.strip_prefix('\'') {
        Some(guarded) if begins_formula(rest) => guarded,
        _ => part,
    });
    unguarded.collect()
}

/// The parts that may be interpreted as fields, each with the separator after it, and with the rest of the field.
fn parts(field: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    field.split_inclusive(SEPARATORS).map(move |part| {
        let rest = &field[at..];
        at += part.len();
        (part, rest)
    })
}

/// Whether a spreadsheet may find a formula here. Apostrophes, quotes, spaces and invisible characters are skipped: the
/// result is the same with and without the apostrophe that guards it.
fn begins_formula(text: &str) -> bool {
    let is_passed_over = |letter: &char| {
        let is_invisible = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\'' | '"');
        is_invisible || letter.is_whitespace() && !BEGINNINGS.contains(letter)
    };
    text.chars().find(|letter| !is_passed_over(letter)).is_some_and(|first| BEGINNINGS.contains(&first))
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
            ("\t=1", "'\t'=1"),
            ("\r=1", "'\r'=1"),
            ("'=1+1", "''=1+1"),
            ("''=1+1", "'''=1+1"),
            ("a=1", "a=1"),
            ("'", "'"),
            ("＝1＋1", "'＝1＋1"),
            ("＋", "'＋"),
            ("－1", "'－1"),
            ("＠a", "'＠a"),
            (" =1", "' =1"),
            ("\u{200b}=1", "'\u{200b}=1"),
            ("a;=1;b", "a;'=1;b"),
            ("a;\"=1", "a;'\"=1"),
            ("a; '=1", "a;' '=1"),
            ("a\n=1\r＝2", "a\n'=1\r'＝2"),
            ("a,=1", "a,=1"),
            (";;", ";;"),
        ] {
            assert_eq!(guard(field), written, "{field:?}");
            assert_eq!(unguard(written), field, "{written:?}");
        }
        // From a file of another program.
        assert_eq!(unguard("=1+1"), "=1+1");
    }

    #[test]
    fn every_field_comes_back() {
        let letters = ['=', '\'', ';', '\t', '\r', '\n', ' ', 'a', '＝', '"'];
        for number in 0..letters.len().pow(5) {
            let (mut field, mut rest) = (String::new(), number);
            for _ in 0..5 {
                field.push(letters[rest % letters.len()]);
                rest /= letters.len();
            }
            let written = guard(&field);
            assert_eq!(unguard(&written), field, "{written:?}");
            let is_bare = |cell: &str| cell.starts_with(['=', '＝']);
            assert!(!written.split(SEPARATORS).any(is_bare), "{written:?}");
        }
    }
}
