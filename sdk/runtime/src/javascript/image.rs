//! The memory image of a plugin, as a core module: its memory is all that its top-level code changes. The code is a
//! component that plugins share, which imports this module.

use super::sections::{LinkFailure, constant, fixed, sections};
use wasm_encoder::{
    Component, ComponentImportSection, ComponentSectionId, ComponentTypeRef, ConstExpr, CoreTypeSection, DataSection,
    EntityType, MemorySection, Module, ModuleType, RawSection, SectionId,
    reencode::{Reencode as _, RoundtripReencoder},
};
use wasmparser::{BinaryReader, ExternalKind, MemorySectionReader, Parser, Payload, TypeRef};

/// The name under which the component imports it.
pub(crate) const IMAGE: &str = "image";

/// The suffix of the global that holds a library's memory base.
const BASE: &str = ":memory_base";

/// Bytes of a page of an image; pages of zeros are left out.
const PAGE_BYTES: usize = 4 << 10;

/// Where the memory of the one library of a component begins.
pub(super) fn memory_base(component: &[u8]) -> Result<u32, LinkFailure> {
    let (module, _) = cut(component)?;
    let mut globals = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::GlobalSection(reader) => globals = reader.into_iter().collect::<Result<_, _>>()?,
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = export?;
                    let global = usize::try_from(export.index).ok().and_then(|index| globals.get(index));
                    if export.name.ends_with(BASE)
                        && let Some(global) = global
                    {
                        return Ok(constant(&global.init_expr, |_| None)?.cast_unsigned());
                    }
                }
            }
            _ => {}
        }
    }
    Err(LinkFailure("no module exports its memory base".to_owned()))
}

/// The component without the module of its memory, which it imports, and that module.
pub(super) fn without(component: &[u8]) -> Result<(Vec<u8>, Vec<u8>), LinkFailure> {
    let (module, at) = cut(component)?;
    let mut types = CoreTypeSection::new();
    types.ty().module(&module_type(module)?);
    let mut imports = ComponentImportSection::new();
    imports.import(IMAGE, ComponentTypeRef::Module(0));
    let mut shared = Component::new();
    for (number, (id, data)) in sections(component)?.into_iter().enumerate() {
        if number == at {
            shared.section(&types).section(&imports);
        } else if id == ComponentSectionId::CoreType as u8 {
            return Err(LinkFailure("the component has core types of its own".to_owned()));
        } else {
            shared.section(&RawSection { id, data });
        }
    }
    Ok((shared.finish(), module.to_vec()))
}

/// `module` with a memory of this many WebAssembly pages, or as many as it had, that begins with `data`.
pub(super) fn with(
    module: &[u8],
    pages: Option<u64>,
    data: impl IntoIterator<Item = (u32, Vec<u8>)>,
) -> Result<Vec<u8>, LinkFailure> {
    let mut written = Module::new();
    for (id, section) in sections(module)? {
        if id == SectionId::Memory as u8 {
            let mut memories = MemorySection::new();
            for memory in MemorySectionReader::new(BinaryReader::new(section, 0))? {
                let mut memory = RoundtripReencoder.memory_type(memory?).map_err(unreadable)?;
                memory.minimum = pages.unwrap_or(memory.minimum);
                memories.memory(memory);
            }
            written.section(&memories);
        } else if id != SectionId::Custom as u8 && id != SectionId::Data as u8 {
            written.section(&RawSection { id, data: section });
        }
    }
    let mut segments = DataSection::new();
    for (at, bytes) in data {
        segments.active(0, &ConstExpr::i32_const(at.cast_signed()), bytes);
    }
    written.section(&segments);
    Ok(written.finish())
}

/// What of `memory` is not zero, in runs of whole pages. What is below `from` is not kept.
pub(super) fn pages(memory: &[u8], from: usize) -> Result<Vec<(u32, Vec<u8>)>, LinkFailure> {
    let mut runs: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut goes_on = false;
    for (number, page) in memory.chunks(PAGE_BYTES).enumerate().skip(from / PAGE_BYTES) {
        let is_zero = page.iter().all(|byte| *byte == 0);
        match runs.last_mut() {
            _ if is_zero => {}
            Some((_, run)) if goes_on => run.extend_from_slice(page),
            _ => runs.push((fixed(number * PAGE_BYTES)?, page.to_vec())),
        }
        goes_on = !is_zero;
    }
    Ok(runs)
}

/// The module that has the memory, and the number of its section.
fn cut(component: &[u8]) -> Result<(&[u8], usize), LinkFailure> {
    for (number, (id, section)) in sections(component)?.into_iter().enumerate() {
        if id == ComponentSectionId::CoreModule as u8
            && sections(section)?.iter().any(|(id, _)| *id == SectionId::Memory as u8)
        {
            return Ok((section, number));
        }
    }
    Err(LinkFailure("no module has a memory of its own".to_owned()))
}

/// The module's type, for the component that imports it.
fn module_type(module: &[u8]) -> Result<ModuleType, LinkFailure> {
    let mut ty = ModuleType::new();
    let (mut functions, mut tables, mut memories, mut globals) = (vec![], vec![], vec![], vec![]);
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(reader) => {
                for function in reader.into_iter_err_on_gc_types() {
                    let function = RoundtripReencoder.func_type(function?).map_err(unreadable)?;
                    ty.ty().func_type(&function);
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    let import = import?;
                    let TypeRef::Func(function) = import.ty else { return Err(unknown(import.name)) };
                    functions.push(EntityType::Function(function));
                    ty.import(import.module, import.name, EntityType::Function(function));
                }
            }
            Payload::FunctionSection(reader) => {
                for function in reader {
                    functions.push(EntityType::Function(function?));
                }
            }
            Payload::TableSection(reader) => {
                for table in reader {
                    tables.push(EntityType::Table(RoundtripReencoder.table_type(table?.ty).map_err(unreadable)?));
                }
            }
            Payload::MemorySection(reader) => {
                for memory in reader {
                    memories.push(EntityType::Memory(RoundtripReencoder.memory_type(memory?).map_err(unreadable)?));
                }
            }
            Payload::GlobalSection(reader) => {
                for global in reader {
                    globals.push(EntityType::Global(RoundtripReencoder.global_type(global?.ty).map_err(unreadable)?));
                }
            }
            Payload::ExportSection(reader) => {
                for export in reader {
                    let export = export?;
                    let of_its_kind = match export.kind {
                        ExternalKind::Func => &functions,
                        ExternalKind::Table => &tables,
                        ExternalKind::Memory => &memories,
                        ExternalKind::Global => &globals,
                        _ => return Err(unknown(export.name)),
                    };
                    let found = usize::try_from(export.index).ok().and_then(|index| of_its_kind.get(index));
                    ty.export(export.name, *found.ok_or_else(|| unknown(export.name))?);
                }
            }
            _ => {}
        }
    }
    Ok(ty)
}

fn unknown(name: &str) -> LinkFailure {
    LinkFailure(format!("the module of the memory has {name}, whose type is not known"))
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn unreadable(error: wasm_encoder::reencode::Error) -> LinkFailure {
    LinkFailure(format!("{error:?}"))
}
