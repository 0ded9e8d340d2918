//! Recognizes files that are no plugin, and says what each is and what to do (`sdk/docs/deploying.md`).

use crate::wasm::{COMPONENT, MAGIC, MODULE};
use wasmparser::{Parser, Payload};

/// A file that is neither a component nor a core module with its WIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignFile {
    Empty,
    Gzip,
    Zip,
    Page,
    TextFormat,
    Other,
    OtherVersion,
    CutOff,
    Extism,
    WasmBindgen,
    WasiCommand,
    CoreModule,
}

impl ForeignFile {
    /// What these bytes are; to be asked only once they are known not to be a plugin.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let Some(version) = bytes.strip_prefix(MAGIC) else { return Self::of_other(bytes) };
        if version.len() >= MODULE.len() && !version.starts_with(MODULE) && !version.starts_with(COMPONENT) {
            return Self::OtherVersion;
        }
        Self::of_wasm(bytes)
    }

    fn of_other(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match text {
            [] => Self::Empty,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            [b'<', ..] => Self::Page,
            [b'(', b';' | b'm' | b'c', ..] | [b';', b';', ..] => Self::TextFormat,
            _ => Self::Other,
        }
    }

    /// A core module by its imports and exports, or a component that is not whole.
    fn of_wasm(bytes: &[u8]) -> Self {
        let (mut imports_wasi, mut exports_start) = (false, false);
        for payload in Parser::new(0).parse_all(bytes) {
            match payload {
                Err(_) => return Self::CutOff,
                Ok(Payload::ImportSection(section)) => {
                    for import in section.into_imports() {
                        match import {
                            Err(_) => return Self::CutOff,
                            Ok(import) if import.module.starts_with("extism:") => return Self::Extism,
                            Ok(import) if import.module.starts_with("__wbindgen") => return Self::WasmBindgen,
                            Ok(import) => imports_wasi |= import.module.starts_with("wasi_"),
                        }
                    }
                }
                Ok(Payload::ExportSection(section)) => {
                    for export in section.into_iter().flatten() {
                        if export.name.starts_with("__wbindgen") {
                            return Self::WasmBindgen;
                        }
                        exports_start |= export.name == "_start";
                    }
                }
                Ok(_) => {}
            }
        }
        if exports_start && imports_wasi { Self::WasiCommand } else { Self::CoreModule }
    }

    /// What it is and what to do, for the author.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Empty => "the file is not WebAssembly: it is empty",
            Self::Gzip => "the file is not WebAssembly: it is compressed with gzip; decompress it first",
            Self::Zip => "the file is not WebAssembly: it is a ZIP archive; unpack it, and use the component in it",
            Self::Page => {
                "the file is not WebAssembly: it is an HTML or XML page, perhaps the error page of a failed download"
            }
            Self::TextFormat => {
                "the file is not WebAssembly in its binary form: it is the text format (WAT); convert it to a \
                 component with `wasm-tools parse`"
            }
            Self::Other => "the file is not WebAssembly: it does not begin with its magic number",
            Self::OtherVersion => "the file is of a version of WebAssembly that is not supported",
            Self::CutOff => {
                "the file is damaged WebAssembly, not a whole component: it ends too early or was changed; build or \
                 download it again"
            }
            Self::Extism => {
                "the file is an Extism plugin, not a component: it imports `extism:host/env`, and exports functions \
                 without the types of this contract. Making it a component does not help: write it against the WIT of \
                 the plugin contract (`claimsmith plugin new`)"
            }
            Self::WasmBindgen => {
                "the file is the output of wasm-bindgen, a core module for JavaScript in browsers, not a component: \
                 build with the Rust package of this SDK for the target wasm32-unknown-unknown without wasm-bindgen or \
                 wasm-pack (`claimsmith plugin new --lang rust`)"
            }
            Self::WasiCommand => {
                "the file is a WASI command, a core module with a program (`_start`), not a component: build a library \
                 that exports the function of a plugin world, without `main`, and make it a component \
                 (`claimsmith plugin build`)"
            }
            Self::CoreModule => {
                "the file is a core module without its WIT (it has no `component-type` section): make it a component \
                 (`claimsmith plugin build`)"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn each_kind_of_file_is_told_by_its_name() {
        let module = |text: &str| wat::parse_str(text).unwrap();
        let extism = module(r#"(module (import "extism:host/env" "input_length" (func (result i64))))"#);
        let placeholder = module(r#"(module (import "__wbindgen_placeholder__" "__wbindgen_throw" (func)))"#);
        let exported = module(r#"(module (func (export "__wbindgen_malloc")))"#);
        let imports_wasi =
            r#"(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))"#;
        let command = module(&format!(r#"(module {imports_wasi} (func (export "_start")))"#));
        let reactor = module(&format!(r#"(module {imports_wasi} (func (export "_initialize")))"#));
        let cut = |bytes: &[u8]| bytes[..bytes.len() - 5].to_vec();
        for (bytes, kind) in [
            (Vec::new(), ForeignFile::Empty),
            (b" \n".to_vec(), ForeignFile::Empty),
            (vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0], ForeignFile::Gzip),
            (b"PK\x03\x04\x14\0".to_vec(), ForeignFile::Zip),
            (b"<!DOCTYPE html><html>404".to_vec(), ForeignFile::Page),
            (b"\xef\xbb\xbf\n<html>".to_vec(), ForeignFile::Page),
            (b"(module)".to_vec(), ForeignFile::TextFormat),
            (b";; a plugin\n(component)".to_vec(), ForeignFile::TextFormat),
            (b"(; a plugin ;) (component)".to_vec(), ForeignFile::TextFormat),
            (b"(async () => {})()".to_vec(), ForeignFile::Other),
            (b"\0as".to_vec(), ForeignFile::Other),
            (b"export const getCustomJwtClaims = () => ({})".to_vec(), ForeignFile::Other),
            (b"\0asm\x02\0\0\0".to_vec(), ForeignFile::OtherVersion),
            (b"\0asm\x01\0".to_vec(), ForeignFile::CutOff),
            (cut(&extism), ForeignFile::CutOff),
            (cut(&module("(component (component))")), ForeignFile::CutOff),
            (extism, ForeignFile::Extism),
            (placeholder, ForeignFile::WasmBindgen),
            (exported, ForeignFile::WasmBindgen),
            (command, ForeignFile::WasiCommand),
            (reactor, ForeignFile::CoreModule),
            (module("(module)"), ForeignFile::CoreModule),
            (module(r#"(module (func (export "_start")))"#), ForeignFile::CoreModule),
        ] {
            let found = ForeignFile::of(&bytes);
            assert_eq!(found, kind, "{:?}", String::from_utf8_lossy(&bytes));
            assert!(found.text().starts_with("the file is"), "{}", found.text());
        }
    }
}
