//! Character classes of a password.

/// Number of character classes in a password; `None` if it has a character that cannot be typed.
///
/// A space is a symbol, and so is a letter of a script without case: whole sentences in any language are good
/// passwords.
pub(super) fn kinds(password: &str) -> Option<usize> {
    let mut found = [false; 4];
    for character in password.chars() {
        let kind = match character {
            _ if character.is_control() => return None,
            _ if character.is_lowercase() => 0,
            _ if character.is_uppercase() => 1,
            _ if character.is_numeric() => 2,
            _ => 3,
        };
        found[kind] = true;
    }
    Some(found.into_iter().filter(|is_there| *is_there).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted() {
        for (password, count) in [
            ("", Some(0)),
            ("abc", Some(1)),
            ("aB", Some(2)),
            ("aB3", Some(3)),
            ("aB3 ", Some(4)),
            ("äÖ٣€", Some(4)),
            ("密码", Some(1)),
            ("a\u{7}", None),
            ("a\n", None),
        ] {
            assert_eq!(kinds(password), count, "{password:?}");
        }
    }
}
