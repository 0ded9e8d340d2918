//! Source maps for stack traces: maps the positions that the guest saw to the author's file, line and column, and
//! removes the frames of the runtime's own modules.

use super::modules::{AUTHOR_MODULE, RUNTIME_MODULES};
use oxc_sourcemap::SourceMap;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The source map of one plugin. For JavaScript the text runs as written; TypeScript has a map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SourcePositions {
    file: String,
    /// Generated line and column, in order, each with the author's own.
    tokens: Option<Vec<[u32; 4]>>,
}

impl SourcePositions {
    pub(super) fn new(file: String, map: Option<&SourceMap<'_>>) -> Self {
        Self { file, tokens: map.map(|map| map.get_tokens().map(numbers).collect()) }
    }

    /// Rewrites a message with its stack trace.
    pub(crate) fn rewrite(&self, text: String) -> String {
        if !text.contains(AUTHOR_MODULE) && !text.contains(RUNTIME_MODULES) {
            return text;
        }
        let lines: Vec<String> =
            text.lines().filter(|line| !is_runtime_frame(line)).map(|line| self.rewrite_line(line)).collect();
        lines.join("\n")
    }

    fn rewrite_line(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, after)) = rest.split_once(AUTHOR_MODULE) {
            out.push_str(before);
            out.push_str(&self.file);
            rest = after;
            if let Some((line, column, after)) = read_position(after) {
                let (line, column) = self.original(line, column);
                // Writing to a String cannot fail.
                let _ = write!(out, ":{line}:{column}");
                rest = after;
            }
        }
        out + rest
    }

    /// From 1-based to 1-based.
    fn original(&self, line: u32, column: u32) -> (u32, u32) {
        let Some(tokens) = &self.tokens else { return (line, column) };
        let wanted = (line.saturating_sub(1), column.saturating_sub(1));
        let after = tokens.partition_point(|token| (token[0], token[1]) <= wanted);
        match after.checked_sub(1).and_then(|at| tokens.get(at)) {
            Some(&[of, _, line, column]) if of == wanted.0 => (line.saturating_add(1), column.saturating_add(1)),
            _ => (line, column),
        }
    }
}

fn numbers(token: oxc_sourcemap::Token) -> [u32; 4] {
    [token.get_dst_line(), token.get_dst_col(), token.get_src_line(), token.get_src_col()]
}

fn is_runtime_frame(line: &str) -> bool {
    line.trim_start().starts_with("at ") && line.contains(RUNTIME_MODULES)
}

/// Reads `:LINE:COLUMN`.
fn read_position(text: &str) -> Option<(u32, u32, &str)> {
    let (line, rest) = read_number(text.strip_prefix(':')?)?;
    let (column, rest) = read_number(rest.strip_prefix(':')?)?;
    Some((line, column, rest))
}

fn read_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
