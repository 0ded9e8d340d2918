//! Whether an upload may become a plugin: compiled, linked, tried and run on its golden cases in a child process. What
//! the server's own folder and store hold is compiled in the same way.
//!
//! Compiling can be neither limited nor cancelled inside a process, and an upload is a stranger's: so the binary runs
//! itself as `claimsmith compile-plugin` (`child`), which limits itself (`confine`) and shuts itself in (`fence`)
//! before it looks at anything, reads a job (`job`), and answers a report (`report`). The parent (`compiler`,
//! `process`) runs one at a time, at low priority, and ends it at its deadline. The child works in an empty folder of
//! its own, from which the parent takes the one file under the key that it knows itself: whoever loads the same source
//! afterwards with the same cache folder compiles nothing.

mod cases;
mod child;
mod compiler;
mod confine;
mod fence;
mod job;
mod process;
mod report;

pub use child::run as run_child;
pub(super) use compiler::Rejected;
pub use compiler::{CompileError, Compiler, CompilerOptions, Place};
pub use job::{Document, Upload};
pub use report::{Accepted, Finding, FindingKind};
