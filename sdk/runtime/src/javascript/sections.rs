//! Reads sections and constant expressions of WebAssembly's binary format, for linking and for snapshots.

use wasm_encoder::reencode;
use wasmparser::{BinaryReader, ConstExpr, Operator};

/// Why linking failed: an error of the host, not of an author.
#[derive(Debug)]
pub(super) struct LinkFailure(pub(super) String);

impl From<wasmparser::Error> for LinkFailure {
    fn from(error: wasmparser::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<reencode::Error<Self>> for LinkFailure {
    fn from(error: reencode::Error<Self>) -> Self {
        match error {
            reencode::Error::UserError(failure) => failure,
            error => Self(format!("{error:?}")),
        }
    }
}

/// Number and bytes of each section of a module or a component, in their order.
pub(super) fn sections(bytes: &[u8]) -> Result<Vec<(u8, &[u8])>, LinkFailure> {
    let mut reader = BinaryReader::new(bytes, 0);
    reader.read_bytes(8)?;
    let mut sections = Vec::new();
    while !reader.eof() {
        let id = reader.read_u8()?;
        let size = reader.read_var_u32()?;
        let section = reader.read_bytes(usize::try_from(size).map_err(|error| LinkFailure(error.to_string()))?)?;
        sections.push((id, section));
    }
    Ok(sections)
}

/// The value of an expression of constants and sums; `global` knows those of globals.
pub(super) fn constant(expression: &ConstExpr<'_>, global: impl Fn(u32) -> Option<i32>) -> Result<i32, LinkFailure> {
    let mut stack: Vec<i32> = Vec::new();
    let unknown = || LinkFailure("an expression is not constant".to_owned());
    for operator in expression.get_operators_reader() {
        match operator? {
            Operator::I32Const { value } => stack.push(value),
            Operator::GlobalGet { global_index } => stack.push(global(global_index).ok_or_else(unknown)?),
            Operator::I32Add => {
                let (right, left) = (stack.pop().ok_or_else(unknown)?, stack.pop().ok_or_else(unknown)?);
                stack.push(left.wrapping_add(right));
            }
            Operator::End => {}
            _ => return Err(unknown()),
        }
    }
    stack.pop().ok_or_else(unknown)
}

/// A number in the format's own size.
pub(super) fn fixed(number: usize) -> Result<u32, LinkFailure> {
    u32::try_from(number).map_err(|error| LinkFailure(error.to_string()))
}
