//! The headers of WebAssembly binaries: core modules and components.

/// The magic number of WebAssembly; the version of a core module and of a component follow it.
pub(crate) const MAGIC: &[u8] = b"\0asm";
pub(crate) const MODULE: &[u8] = &[1, 0, 0, 0];
pub(crate) const COMPONENT: &[u8] = &[0x0d, 0, 1, 0];

/// The custom section in which a core module carries its WIT.
pub(crate) const WIT_SECTION: &[u8] = b"component-type";
