//! The layout of the linked module: indices and addresses of everything, assigned before anything is written.

use super::{
    super::sections::{LinkFailure, constant, fixed},
    part::Part,
};
use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};
use wasm_encoder::{
    ConstExpr, ElementSection, Elements, EntityType, GlobalType, ImportSection, Instruction, MemoryType, ValType,
    reencode::{self, Reencode},
};
use wasmparser::{Data, DataKind, Element, ElementItems, ElementKind, Import, Operator, TypeRef};

/// An import without effect here: the runtime calls nothing else of WASI preview 1, so there is no state to reset.
const NO_EFFECT: (&str, &str) = ("wasi_snapshot_preview1", "reset_adapter_state");

/// Where one part's items are in the linked module.
#[derive(Default)]
pub(super) struct PartLayout {
    pub(super) memory_base: u32,
    pub(super) table_base: u32,
    pub(super) types: u32,
    pub(super) functions: Vec<u32>,
    pub(super) globals: Vec<GlobalValue>,
}

/// What a global is in the linked module.
#[derive(Clone, Copy)]
pub(super) enum GlobalValue {
    Constant(i32),
    Imported(u32),
}

/// The layout of the linked module.
pub(super) struct LinkPlan<'a> {
    pub(super) places: Vec<PartLayout>,
    pub(super) imports: ImportSection,
    /// The number of imported functions, with the one without effect.
    pub(super) imported: u32,
    pub(super) globals: HashMap<(&'a str, &'a str), u32>,
    /// What follows the entries of the parts in the table.
    pub(super) realloc: Option<u32>,
    pub(super) table: u32,
    pub(super) memory_end: u32,
    pub(super) memory_alignment: u32,
    pub(super) memory_base: u32,
}

impl<'a> LinkPlan<'a> {
    pub(super) fn new(parts: &[Part<'a>], memory_base: u32) -> Result<Self, LinkFailure> {
        let mut plan = Self {
            places: vec![],
            imports: ImportSection::new(),
            imported: 0,
            globals: HashMap::new(),
            realloc: None,
            table: 1,
            memory_end: memory_base,
            memory_alignment: 0,
            memory_base,
        };
        for part in parts {
            let types = plan.places.last().map_or(0, |place| place.types);
            let before = plan.places.len().checked_sub(1).map_or(0, |last| parts[last].types.count());
            plan.memory_alignment = plan.memory_alignment.max(part.memory.memory_alignment);
            plan.memory_end = plan.memory_end.next_multiple_of(1 << part.memory.memory_alignment);
            plan.table = plan.table.next_multiple_of(1 << part.memory.table_alignment);
            plan.places.push(PartLayout {
                memory_base: plan.memory_end,
                table_base: plan.table,
                types: types + before,
                ..PartLayout::default()
            });
            plan.memory_end += part.memory.memory_size;
            plan.table += part.memory.table_size;
        }
        plan.import(parts)?;
        plan.place_functions(parts)?;
        plan.place_globals(parts)?;
        Ok(plan)
    }

    /// Imports that no part answers.
    fn import(&mut self, parts: &[Part<'a>]) -> Result<(), LinkFailure> {
        for (part, place) in parts.iter().zip(&self.places) {
            for (import, index) in part.imported_functions() {
                if !is_answered(parts, import) {
                    self.imports.import(import.module, import.name, EntityType::Function(place.types + index));
                    self.imported += 1;
                }
            }
        }
        let minimum = u64::from(self.memory_end.div_ceil(1 << 16));
        let memory = MemoryType { minimum, maximum: None, memory64: false, shared: false, page_size_log2: None };
        self.imports.import("env", "memory", memory);
        for import in parts.iter().flat_map(|part| &part.imports) {
            if let TypeRef::Global(ty) = import.ty
                && (import.module, import.name) != ("env", "__memory_base")
                && (import.module, import.name) != ("env", "__table_base")
                && import.module != "GOT.func"
            {
                let next = fixed(self.globals.len())?;
                if let Entry::Vacant(place) = self.globals.entry((import.module, import.name)) {
                    place.insert(next);
                    let ty = GlobalType { val_type: ValType::I32, mutable: ty.mutable, shared: false };
                    self.imports.import(import.module, import.name, ty);
                }
            }
        }
        Ok(())
    }

    fn place_functions(&mut self, parts: &[Part<'a>]) -> Result<(), LinkFailure> {
        let (mut next_import, no_effect) = (0, self.imported);
        let mut next = no_effect + 1;
        for (part, place) in parts.iter().zip(&mut self.places) {
            for (import, _) in part.imported_functions() {
                if is_answered(parts, import) {
                    // Filled in below, or without effect.
                    place.functions.push(no_effect);
                } else {
                    place.functions.push(next_import);
                    next_import += 1;
                }
            }
            for _ in &part.functions {
                place.functions.push(next);
                next += 1;
            }
        }
        for (at, part) in parts.iter().enumerate() {
            for (number, (import, _)) in part.imported_functions().enumerate() {
                if import.module == "env" {
                    self.places[at].functions[number] = self.answer(parts, import.name)?;
                }
            }
        }
        Ok(())
    }

    /// The function that the parts export under this name.
    fn answer(&self, parts: &[Part<'a>], name: &str) -> Result<u32, LinkFailure> {
        let mut found = parts.iter().zip(&self.places).filter_map(|(part, place)| {
            let index = part.exported(name)?;
            let is_defined = index >= part.imported_functions().count();
            is_defined.then(|| place.functions.get(index).copied()).flatten()
        });
        found.next().ok_or_else(|| LinkFailure(format!("no module exports {name}")))
    }

    fn place_globals(&mut self, parts: &[Part<'a>]) -> Result<(), LinkFailure> {
        for (at, part) in parts.iter().enumerate() {
            let mut globals = Vec::new();
            for import in part.imports.iter().filter(|import| matches!(import.ty, TypeRef::Global(_))) {
                globals.push(match (import.module, import.name) {
                    ("env", "__memory_base") => GlobalValue::Constant(self.places[at].memory_base.cast_signed()),
                    ("env", "__table_base") => GlobalValue::Constant(self.places[at].table_base.cast_signed()),
                    ("GOT.func", "cabi_realloc") => {
                        self.realloc = Some(self.answer(parts, import.name)?);
                        GlobalValue::Constant(self.table.cast_signed())
                    }
                    ("GOT.func", name) => return Err(LinkFailure(format!("{name} has no place in the table"))),
                    name => {
                        GlobalValue::Imported(*self.globals.get(&name).ok_or_else(|| LinkFailure(format!("{name:?}")))?)
                    }
                });
            }
            self.places[at].globals = globals;
            for global in &part.globals {
                if global.ty.mutable {
                    return Err(LinkFailure("a mutable global belongs to no snapshot".to_owned()));
                }
                let value = constant(&global.init_expr, |index| self.places[at].constant(index))?;
                self.places[at].globals.push(GlobalValue::Constant(value));
            }
        }
        Ok(())
    }
}

/// Whether an import is a function of another part, or one without effect.
fn is_answered(parts: &[Part<'_>], import: &Import<'_>) -> bool {
    let name = import.name;
    (import.module, name) == NO_EFFECT
        || import.module == "env" && parts.iter().any(|part| part.exported(name).is_some())
}

impl PartLayout {
    pub(super) fn function(&self, index: u32) -> Result<u32, LinkFailure> {
        let found = usize::try_from(index).ok().and_then(|index| self.functions.get(index));
        found.copied().ok_or_else(|| LinkFailure(format!("there is no function {index}")))
    }

    fn global(&self, index: u32) -> Option<GlobalValue> {
        self.globals.get(usize::try_from(index).ok()?).copied()
    }

    fn constant(&self, index: u32) -> Option<i32> {
        match self.global(index)? {
            GlobalValue::Constant(value) => Some(value),
            GlobalValue::Imported(_) => None,
        }
    }

    pub(super) fn entries(&self, elements: &mut ElementSection, element: &Element<'_>) -> Result<(), LinkFailure> {
        let (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(functions)) =
            (&element.kind, &element.items)
        else {
            return Err(LinkFailure("entries of the table that are not functions".to_owned()));
        };
        let at = ConstExpr::i32_const(constant(offset_expr, |index| self.constant(index))?);
        let mut entries = Vec::new();
        for function in functions.clone() {
            entries.push(self.function(function?)?);
        }
        elements.active(None, &at, Elements::Functions(Cow::Owned(entries)));
        Ok(())
    }

    pub(super) fn datum(&self, datum: &Data<'_>) -> Result<(u32, Vec<u8>), LinkFailure> {
        let DataKind::Active { offset_expr, .. } = &datum.kind else {
            return Err(LinkFailure("data that is not in memory from the start".to_owned()));
        };
        Ok((constant(offset_expr, |index| self.constant(index))?.cast_unsigned(), datum.data.to_vec()))
    }
}

/// Functions, types and globals get their new numbers; a global that is constant becomes its value.
impl Reencode for PartLayout {
    type Error = LinkFailure;

    fn function_index(&mut self, index: u32) -> Result<u32, reencode::Error<LinkFailure>> {
        self.function(index).map_err(reencode::Error::UserError)
    }

    fn type_index(&mut self, index: u32) -> Result<u32, reencode::Error<LinkFailure>> {
        Ok(self.types + index)
    }

    fn global_index(&mut self, index: u32) -> Result<u32, reencode::Error<LinkFailure>> {
        match self.global(index) {
            Some(GlobalValue::Imported(index)) => Ok(index),
            _ => Err(reencode::Error::UserError(LinkFailure(format!("global {index} is constant")))),
        }
    }

    fn instruction<'a>(&mut self, operator: Operator<'a>) -> Result<Instruction<'a>, reencode::Error<LinkFailure>> {
        if let Operator::GlobalGet { global_index } = operator
            && let Some(value) = self.constant(global_index)
        {
            return Ok(Instruction::I32Const(value));
        }
        reencode::utils::instruction(self, operator)
    }
}
