//! Parses JavaScript and TypeScript: finds syntax errors and the plugin's function, strips types, and makes the source
//! map.

use super::{
    enum_limits,
    source_positions::SourcePositions,
    worlds::{CLAIMS, KINDS, MESSAGE, ScriptKind, TRANSFORM},
};
use crate::{Finding, Kind, Language, LoadError};
use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_diagnostics::{OxcDiagnostic, Severity};
use oxc_parser::{Parser, ParserReturn};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::SourceType;
use oxc_transformer::{TransformOptions, Transformer};
use std::{io, path::Path, thread};

/// The largest source, in bytes. A larger one is not a program that somebody wrote to compute claims.
const MAX_SOURCE_BYTES: usize = 256 << 10;

/// The parser recurses as deep as the text nests, which is at most once a byte: its stack must hold that.
const STACK_BYTES_PER_SOURCE_BYTE: usize = 4 << 10;

/// The stack for a source that hardly nests, in bytes.
const MIN_STACK_BYTES: usize = 8 << 20;

/// How many `async` and `<` one source may have. After these the parser reads ahead and then again, which takes
/// quadratic time and memory where they nest; a thousand take half a second.
const MAX_READ_AHEADS: usize = 1000;

/// How many errors of one source are reported.
const MAX_ERRORS: usize = 8;

/// A module that is ready to run.
pub(super) struct PreparedScript {
    /// JavaScript that exports the author's function.
    pub(super) text: String,
    /// Its kind.
    pub(super) kind: &'static ScriptKind,
    pub(super) positions: SourcePositions,
}

/// Reads the text of the plugin `name`.
pub(super) fn read(name: &str, language: Language, bytes: &[u8]) -> Result<PreparedScript, LoadError> {
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(LoadError::TooLarge { size: bytes.len(), limit: MAX_SOURCE_BYTES });
    }
    let extension = if language == Language::TypeScript { "ts" } else { "js" };
    let file = format!("{name}.{extension}");
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            return Err(refused(&file, Some((number(line), 1)), "the text is not UTF-8"));
        }
    };
    let beginnings: &[&str] = if language == Language::TypeScript { &["async", "<"] } else { &["async"] };
    for beginning in beginnings {
        if text.matches(*beginning).count() > MAX_READ_AHEADS {
            return Err(refused(&file, None, format!("more than {MAX_READ_AHEADS} `{beginning}` in one text")));
        }
    }
    let source = SourceText { file: &file, text };
    // A thread of its own for its stack; joining it also catches a panic in the parser.
    thread::scope(|scope| {
        thread::Builder::new()
            .name("plugin-parser".to_owned())
            .stack_size(MIN_STACK_BYTES + text.len() * STACK_BYTES_PER_SOURCE_BYTE)
            .spawn_scoped(scope, || source.read(language))
            .map_err(|error| no_thread(&error))?
            .join()
            .unwrap_or_else(|_| Err(refused(&file, Some((1, 1)), "the text cannot be parsed")))
    })
}

/// A stack that does not fit is all that keeps a thread from starting, but for a system with too many of them.
fn no_thread(error: &io::Error) -> LoadError {
    let text = format!("the parser thread did not start: {error}");
    match error.kind() {
        io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock => LoadError::OutOfMemory(text),
        _ => LoadError::Internal(text),
    }
}

fn refused(file: &str, place: Option<(u32, u32)>, message: impl Into<String>) -> LoadError {
    LoadError::Syntax(vec![finding(file, place, message)])
}

fn finding(file: &str, place: Option<(u32, u32)>, message: impl Into<String>) -> Finding {
    let (line, column) = place.unzip();
    Finding { file: Some(file.to_owned()), line, column, message: message.into(), ..Finding::default() }
}

/// The text is small: see [`MAX_SOURCE_BYTES`].
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

struct SourceText<'a> {
    file: &'a str,
    text: &'a str,
}

impl SourceText<'_> {
    fn read(&self, language: Language) -> Result<PreparedScript, LoadError> {
        let allocator = Allocator::default();
        let typed = language == Language::TypeScript;
        let kind = if typed { SourceType::ts() } else { SourceType::mjs() };
        let mut parsed = Parser::new(&allocator, self.text, kind.with_module(true)).parse();
        self.refuse_errors(&parsed.diagnostics)?;
        if let Some((span, why)) = enum_limits::find_computed(&parsed.program) {
            return Err(self.refused(span.start, why));
        }
        let checked = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(true).build(&parsed.program);
        self.refuse_errors(&checked.diagnostics)?;
        self.refuse_imports(&parsed)?;
        let scoping = checked.semantic.into_scoping();
        let (script_kind, export) = self.function(&parsed, &scoping)?;
        let (mut text, map) = if typed {
            let options = TransformOptions::default();
            let stripped = Transformer::new(&allocator, Path::new(self.file), &options)
                .build_with_scoping(scoping, &mut parsed.program);
            self.refuse_errors(&stripped.diagnostics)?;
            // Indented, a text that nests deeply would grow by its square.
            let source_map_path = Some(self.file.into());
            let options = CodegenOptions { source_map_path, indent_width: 0, ..CodegenOptions::default() };
            let printed = Codegen::new().with_options(options).build(&parsed.program);
            (printed.code, printed.map)
        } else {
            (self.text.to_owned(), None)
        };
        text.push_str(&export);
        Ok(PreparedScript {
            text,
            kind: script_kind,
            positions: SourcePositions::new(self.file.to_owned(), map.as_ref()),
        })
    }

    fn refuse_errors(&self, diagnostics: &[OxcDiagnostic]) -> Result<(), LoadError> {
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).take(MAX_ERRORS);
        let found = errors.map(|error| {
            let span = error.labels.first();
            let (start, end) = span.map_or((0, None), |span| (span.offset(), Some(span.offset() + span.len())));
            let found = finding(self.file, Some(self.position(start)), error.message.to_string());
            Finding { end: end.filter(|end| *end > start).map(|end| self.position(end)), ..found }
        });
        let found: Vec<_> = found.collect();
        if found.is_empty() { Ok(()) } else { Err(LoadError::Syntax(found)) }
    }

    /// Nothing but types can come from another module.
    fn refuse_imports(&self, parsed: &ParserReturn<'_>) -> Result<(), LoadError> {
        let requested = parsed.module_record.requested_modules.iter();
        let first = requested
            .flat_map(|(name, requests)| requests.iter().map(move |request| (name, request)))
            .filter(|(_, request)| !request.is_type)
            .min_by_key(|(_, request)| request.statement_span.start);
        first.map_or(Ok(()), |(name, request)| {
            let why = format!("a plugin is one file: it cannot import \"{name}\"");
            Err(self.refused(request.statement_span.start, why))
        })
    }

    /// What the plugin is for, and what must be appended so that the author's function is exported. What is exported
    /// decides; where none of the functions is, what is declared.
    fn function(
        &self,
        parsed: &ParserReturn<'_>,
        scoping: &Scoping,
    ) -> Result<(&'static ScriptKind, String), LoadError> {
        let record = &parsed.module_record;
        let by_default = record.local_export_entries.iter().any(|entry| entry.export_name.is_default());
        let is_exported =
            |script_kind: &&ScriptKind| record.exported_bindings.keys().any(|name| name == script_kind.function);
        let bindings = scoping.get_bindings(scoping.root_scope_id());
        let is_declared = |script_kind: &&ScriptKind| bindings.keys().any(|name| name == script_kind.function);
        let several = |how: &str, one: &ScriptKind, other: &ScriptKind| {
            let (one, other) = (one.function, other.function);
            let text = format!("{} {how} both {one} and {other}: a plugin has one of them", self.file);
            Err(LoadError::WrongWorld(text))
        };
        let appended = |script_kind: &ScriptKind| format!("\nexport {{ {} }};\n", script_kind.function);
        let mut exported = KINDS.into_iter().filter(is_exported);
        match (exported.next(), exported.next()) {
            (Some(one), Some(other)) => return several("exports", one, other),
            (Some(one), None) => return Ok((one, String::new())),
            (None, _) => {}
        }
        let mut declared = KINDS.into_iter().filter(is_declared);
        match (declared.next(), declared.next()) {
            (Some(one), Some(other)) => several("declares", one, other),
            (Some(one), None) if one.kind != Kind::Claims => Ok((one, appended(one))),
            // A nameless export is taken for claims, as it is elsewhere.
            _ if by_default => Ok((&CLAIMS, String::new())),
            (Some(one), None) => Ok((one, appended(one))),
            (None, _) => {
                let [claims, transform, compose] = [&CLAIMS, &TRANSFORM, &MESSAGE].map(|kind| kind.function);
                let text = format!("{} defines none of {claims}, {transform} and {compose}", self.file);
                Err(LoadError::WrongWorld(text))
            }
        }
    }

    fn refused(&self, offset: u32, why: impl Into<String>) -> LoadError {
        refused(self.file, Some(self.position(offset)), why)
    }

    /// Line and column, both from 1.
    fn position(&self, offset: u32) -> (u32, u32) {
        let before = self.text.get(..offset as usize).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        (number(line), number(column))
    }
}
