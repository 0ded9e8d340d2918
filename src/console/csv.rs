//! CSV cells (RFC 4180) that spreadsheets do not interpret as formulas.

/// Characters that start a formula, including full-width forms that some spreadsheets treat alike.
const BEGINNINGS: [char; 10] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'];
/// Characters at which a spreadsheet with another separator starts a new cell, even within quotes.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// A quoted cell, with an apostrophe before anything that would start a formula at its start or after a separator.
pub(crate) fn cell(text: &str) -> String {
    let mut guarded = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while !rest.is_empty() {
        if begins_formula(rest) {
            guarded.push('\'');
        }
        let end = rest.find(SEPARATORS).map_or(rest.len(), |at| at + 1);
        guarded.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    format!("\"{}\"", guarded.replace('"', "\"\""))
}

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
    fn cells_are_no_formulas_and_do_not_break_lines() {
        for (text, written) in [
            ("plain", "\"plain\""),
            ("", "\"\""),
            ("a \"b\"\n,", "\"a \"\"b\"\"\n,\""),
            ("=1+1", "\"'=1+1\""),
            ("＝1＋1", "\"'＝1＋1\""),
            (" \u{200b}@a", "\"' \u{200b}@a\""),
            ("a;=1;b", "\"a;'=1;b\""),
            ("a\"\r\n-1", "\"a\"\"\r'\n'-1\""),
            ("a=1", "\"a=1\""),
        ] {
            assert_eq!(cell(text), written, "{text:?}");
        }
    }
}
