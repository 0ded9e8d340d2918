//! Parses one core module for dynamic linking (`dylink.0`).

use super::super::sections::LinkFailure;
use wasmparser::{
    Data, Dylink0Subsection, Element, Export, ExternalKind, FunctionBody, Global, Import, KnownCustom, MemInfo, Parser,
    Payload, TypeRef, TypeSectionReader,
};

/// A parsed module for dynamic linking.
pub(super) struct Part<'a> {
    pub(super) memory: MemInfo,
    pub(super) types: TypeSectionReader<'a>,
    pub(super) imports: Vec<Import<'a>>,
    pub(super) functions: Vec<u32>,
    pub(super) globals: Vec<Global<'a>>,
    pub(super) exports: Vec<Export<'a>>,
    pub(super) start: Option<u32>,
    pub(super) elements: Vec<Element<'a>>,
    pub(super) bodies: Vec<FunctionBody<'a>>,
    pub(super) data: Vec<Data<'a>>,
    /// Custom sections with the WIT of its world.
    pub(super) worlds: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Part<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, LinkFailure> {
        let mut types = None;
        let (mut memory, mut start) = (None, None);
        let (mut imports, mut functions, mut globals, mut exports) = (vec![], vec![], vec![], vec![]);
        let (mut elements, mut bodies, mut data, mut worlds) = (vec![], vec![], vec![], vec![]);
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::CustomSection(section) if section.name().starts_with("component-type") => {
                    worlds.push((section.name(), section.data()));
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Dylink0(reader) = section.as_known() {
                        for subsection in reader {
                            if let Dylink0Subsection::MemInfo(info) = subsection? {
                                memory = Some(info);
                            }
                        }
                    }
                }
                Payload::TypeSection(reader) => types = Some(reader),
                Payload::ImportSection(reader) => imports = reader.into_imports().collect::<Result<_, _>>()?,
                Payload::FunctionSection(reader) => functions = reader.into_iter().collect::<Result<_, _>>()?,
                Payload::GlobalSection(reader) => globals = reader.into_iter().collect::<Result<_, _>>()?,
                Payload::ExportSection(reader) => exports = reader.into_iter().collect::<Result<_, _>>()?,
                Payload::ElementSection(reader) => elements = reader.into_iter().collect::<Result<_, _>>()?,
                Payload::CodeSectionEntry(body) => bodies.push(body),
                Payload::DataSection(reader) => data = reader.into_iter().collect::<Result<_, _>>()?,
                Payload::StartSection { func, .. } => start = Some(func),
                Payload::TableSection(_) | Payload::MemorySection(_) => {
                    return Err(LinkFailure("the module is not for dynamic linking".to_owned()));
                }
                _ => {}
            }
        }
        let missing = || LinkFailure("a section of a module for dynamic linking is missing".to_owned());
        let (memory, types) = (memory.ok_or_else(missing)?, types.ok_or_else(missing)?);
        Ok(Self { memory, types, imports, functions, globals, exports, start, elements, bodies, data, worlds })
    }

    pub(super) fn imported_functions(&self) -> impl Iterator<Item = (&Import<'a>, u32)> {
        self.imports.iter().filter_map(|import| match import.ty {
            TypeRef::Func(index) => Some((import, index)),
            _ => None,
        })
    }

    pub(super) fn exported(&self, name: &str) -> Option<usize> {
        let found = self.exports.iter().find(|export| export.kind == ExternalKind::Func && export.name == name)?;
        usize::try_from(found.index).ok()
    }
}
