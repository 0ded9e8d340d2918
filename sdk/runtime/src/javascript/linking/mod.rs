//! Static linking: the prebuilt runtime and the glue of a world, made for dynamic linking at every instantiation,
//! become one core module once. Addresses and table indices are constants in it, so that the engine need not fill the
//! table before a call. Its memory belongs to another module, which has the data of both.

mod part;
mod plan;

use super::sections::{LinkFailure, fixed};
use part::Part;
use plan::LinkPlan;
use std::borrow::Cow;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, ElementSection, Elements, Encode as _, ExportKind, ExportSection,
    Function, FunctionSection, Instruction, MemArg, Module, RefType, TableSection, TableType, TypeSection, ValType,
    reencode::Reencode as _,
};
use wasmparser::ExternalKind;

/// Start functions, relocations and constructors run once, before anything else.
const PREPARE: &str = "prepare";
const RELOCATE: &str = "__wasm_apply_data_relocs";
const CONSTRUCT: &str = "__wasm_call_ctors";

/// Returns the whole memory, as a list of bytes.
const TAKE: &str = "take";

/// The prefix of functions between the runtime and the glue; no other code calls them.
const GLUE: &str = "wit_dylib_";

/// The world of [`PREPARE`] and [`TAKE`].
pub(super) const WORLD: &str = "package claimsmith:snapshot;
    world snapshot { export prepare: func(); export take: func() -> list<u8>; }";

/// The linked module.
pub(super) struct LinkedModule {
    /// A library as `wit-component` links them, with nothing left to relocate.
    pub(super) module: Vec<u8>,
    /// The initial data of its memory: addresses and bytes.
    pub(super) data: Vec<(u32, Vec<u8>)>,
}

/// Links `parts`, whose memory begins at `memory_base`, above a stack of `stack` bytes that begins at 0.
pub(super) fn link(parts: &[&[u8]], memory_base: u32, stack: u32) -> Result<LinkedModule, LinkFailure> {
    let parts = parts.iter().map(|bytes| Part::read(bytes)).collect::<Result<Vec<_>, _>>()?;
    LinkPlan::new(&parts, memory_base)?.link(&parts, stack)
}

impl<'a> LinkPlan<'a> {
    fn link(mut self, parts: &[Part<'a>], stack: u32) -> Result<LinkedModule, LinkFailure> {
        let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        let (mut elements, mut data) = (ElementSection::new(), Vec::new());
        for (part, place) in parts.iter().zip(&mut self.places) {
            place.parse_type_section(&mut types, part.types.clone())?;
        }
        let (nothing, list) = (types.len(), types.len() + 1);
        types.ty().function([], []);
        types.ty().function([], [ValType::I32]);
        functions.function(nothing);
        code.function(&empty());
        for (part, place) in parts.iter().zip(&mut self.places) {
            for index in &part.functions {
                functions.function(place.types + index);
            }
            for body in &part.bodies {
                place.parse_function_body(&mut code, body.clone())?;
            }
            for element in &part.elements {
                place.entries(&mut elements, element)?;
            }
            for datum in &part.data {
                data.push(place.datum(datum)?);
            }
        }
        if let Some(realloc) = self.realloc {
            let at = ConstExpr::i32_const(self.table.cast_signed());
            elements.active(None, &at, Elements::Functions(Cow::Owned(vec![realloc])));
            self.table += 1;
        }
        let prepare = self.imported + functions.len();
        functions.function(nothing);
        code.function(&self.prepare(parts)?);
        functions.function(list);
        code.function(&self.take(stack)?);
        let mut exports = self.exports(parts)?;
        exports.export(PREPARE, ExportKind::Func, prepare);
        exports.export(TAKE, ExportKind::Func, prepare + 1);
        let mut tables = TableSection::new();
        let size = u64::from(self.table);
        let funcref = RefType::FUNCREF;
        tables.table(TableType {
            element_type: funcref,
            minimum: size,
            maximum: Some(size),
            table64: false,
            shared: false,
        });
        let mut module = Module::new();
        module.section(&CustomSection { name: Cow::Borrowed("dylink.0"), data: Cow::Owned(self.about_memory()) });
        module.section(&types).section(&self.imports).section(&functions).section(&tables);
        module.section(&exports).section(&elements).section(&code);
        for (name, data) in parts.iter().flat_map(|part| &part.worlds) {
            module.section(&CustomSection { name: Cow::Borrowed(name), data: Cow::Borrowed(data) });
        }
        Ok(LinkedModule { module: module.finish(), data })
    }

    /// The section `dylink.0`: how much memory is to be set aside.
    fn about_memory(&self) -> Vec<u8> {
        let mut info = Vec::new();
        for number in [self.memory_end - self.memory_base, self.memory_alignment, 0, 0] {
            number.encode(&mut info);
        }
        let mut section = vec![1];
        info.as_slice().encode(&mut section);
        section
    }

    fn exports(&self, parts: &[Part<'a>]) -> Result<ExportSection, LinkFailure> {
        let mut exports = ExportSection::new();
        let mut known = Vec::new();
        for (part, place) in parts.iter().zip(&self.places) {
            for export in &part.exports {
                let name = export.name;
                if name == RELOCATE || name == CONSTRUCT || name.starts_with(GLUE) || known.contains(&name) {
                    continue;
                }
                if export.kind != ExternalKind::Func {
                    return Err(LinkFailure(format!("the export {name} is not a function")));
                }
                known.push(name);
                exports.export(name, ExportKind::Func, place.function(export.index)?);
            }
        }
        Ok(exports)
    }

    fn prepare(&self, parts: &[Part<'a>]) -> Result<Function, LinkFailure> {
        let mut function = Function::new([]);
        for (part, place) in parts.iter().zip(&self.places) {
            if let Some(start) = part.start {
                function.instruction(&Instruction::Call(place.function(start)?));
            }
        }
        for name in [RELOCATE, CONSTRUCT] {
            for (part, place) in parts.iter().zip(&self.places) {
                if let Some(index) = part.exported(name) {
                    function.instruction(&Instruction::Call(place.function(fixed(index)?)?));
                }
            }
        }
        function.instruction(&Instruction::End);
        Ok(function)
    }

    /// The list is written to where the stack ends. It traps while anything is on the stack: what is there is not kept.
    fn take(&self, stack: u32) -> Result<Function, LinkFailure> {
        let pointer = self.globals.get(&("env", "__stack_pointer"));
        let pointer = *pointer.ok_or_else(|| LinkFailure("there is no stack".to_owned()))?;
        let at = |offset| MemArg { offset, align: 2, memory_index: 0 };
        let mut function = Function::new([]);
        for instruction in [
            Instruction::GlobalGet(pointer),
            Instruction::I32Const(stack.cast_signed()),
            Instruction::I32Ne,
            Instruction::If(BlockType::Empty),
            Instruction::Unreachable,
            Instruction::End,
            Instruction::I32Const(0),
            Instruction::I32Const(0),
            Instruction::I32Store(at(0)),
            Instruction::I32Const(0),
            Instruction::MemorySize(0),
            Instruction::I32Const(16),
            Instruction::I32Shl,
            Instruction::I32Store(at(4)),
            Instruction::I32Const(0),
            Instruction::End,
        ] {
            function.instruction(&instruction);
        }
        Ok(function)
    }
}

fn empty() -> Function {
    let mut function = Function::new([]);
    function.instruction(&Instruction::End);
    function
}
