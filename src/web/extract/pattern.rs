//! Which regular expressions a search may use: those whose matching is cheap on both databases. The size of the
//! compiled pattern and the nesting of its repetitions decide.

use regex::RegexBuilder;
use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{self, Ast, ClassSetBinaryOp, ClassSetItem, ErrorKind, Visitor};

/// The most bytes that a pattern may compile to. An address of e-mail with `\w` takes 148 KiB; a comparison with a text
/// of a few hundred characters takes at most a millisecond or two.
const MAX_COMPILED_BYTES: usize = 192 << 10;
/// How deep repetitions nest at most.
const MAX_REPETITION_DEPTH: usize = 3;
/// How deep the parts of a pattern nest at most.
const MAX_PATTERN_DEPTH: u32 = 50;

/// What is wrong with a pattern, if anything is, as the end of a sentence.
pub(super) fn fault(pattern: &str, case_sensitive: bool) -> Result<(), &'static str> {
    let parsed = ParserBuilder::new().nest_limit(MAX_PATTERN_DEPTH).build().parse(pattern);
    let ast = parsed.map_err(|error| match error.kind() {
        ErrorKind::UnsupportedLookAround => {
            "a regular expression cannot look ahead or behind: (?=, (?!, (?<= and (?<! are not supported"
        }
        ErrorKind::UnsupportedBackreference => {
            r"a regular expression cannot refer back to a group: \1 is not supported"
        }
        ErrorKind::NestLimitExceeded(_) => "the groups of the regular expression nest too deep",
        _ => "this is not a regular expression",
    })?;
    ast::visit(&ast, Nesting { repetitions: 0 })?;
    // As the databases compile it.
    let built = RegexBuilder::new(pattern).case_insensitive(!case_sensitive).size_limit(MAX_COMPILED_BYTES).build();
    built.map(drop).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large: repeat less, or name fewer characters",
        _ => "this is not a regular expression",
    })
}

/// How deep repetitions nest where the visitor is.
struct Nesting {
    repetitions: usize,
}

impl Visitor for Nesting {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> Result<(), Self::Err> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if matches!(ast, Ast::Repetition(_)) {
            self.repetitions += 1;
            if self.repetitions > MAX_REPETITION_DEPTH {
                return Err("the repetitions of the regular expression nest too deep");
            }
        }
        Ok(())
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        self.repetitions -= usize::from(matches!(ast, Ast::Repetition(_)));
        Ok(())
    }

    // PostgreSQL has no nested classes: it would read such a pattern differently, without these limits.
    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        if matches!(item, ClassSetItem::Bracketed(_)) { Err(NESTED_CLASS) } else { Ok(()) }
    }

    fn visit_class_set_binary_op_pre(&mut self, _: &ClassSetBinaryOp) -> Result<(), Self::Err> {
        Err(NESTED_CLASS)
    }
}

const NESTED_CLASS: &str = r"a class of the regular expression holds another one: write \[ for the character";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_search_for_fits() {
        for pattern in [
            "^ada",
            r"^[\w.+-]+@[\w-]+\.[\w.-]+$",
            r"^\+?[0-9]{4,15}$",
            "^.{3,64}$",
            "(a|b)+(c*d)?",
            "((ab)+c)*",
            "[[:alpha:]_][[:alnum:]_-]*",
            "[^a-z]{2,}",
            r"\d{3}-\d{4}",
        ] {
            for case_sensitive in [true, false] {
                assert_eq!(fault(pattern, case_sensitive), Ok(()), "{pattern}");
            }
        }
    }

    #[test]
    fn what_costs_too_much_or_cannot_be_said_is_refused() {
        for (pattern, part) in [
            ("(", "not a regular expression"),
            ("a(?=b)", "look ahead"),
            ("a(?!b)", "look ahead"),
            ("(?<=a)b", "behind"),
            (r"(a)\1", "refer back"),
            ("((((a*)*)*)*)*", "repetitions"),
            ("(((x{1,30}){1,30}){1,30}){1,4}", "repetitions"),
            ("((x{1,255}){1,255}){1,255}", "too large"),
            ("(a{1,99}){1,99}", "too large"),
            (r"\w{200}", "too large"),
            (".{250}", "too large"),
            ("[a[b]]", "class"),
            ("[a&&b]", "class"),
            ("[a[b](?=x)]", "class"),
        ] {
            let found = fault(pattern, true).err().unwrap_or_default();
            assert!(found.contains(part), "{pattern}: {found}");
        }
        assert!(fault(&"(".repeat(100), true).is_err());
        assert!(fault(&format!("{}a{}", "(".repeat(100), ")".repeat(100)), true).is_err());
    }
}
