//! Compiles and tests uploads in a child process: an upload is compiled, linked, started and run on its golden cases
//! before it is accepted. Plugins of the server's own folder and store are compiled in the same way.
//!
//! Compiling can be neither limited nor cancelled inside a process, and uploads are untrusted. So the binary runs
//! itself as `claimsmith compile-plugin` (`child`). The child sets its resource limits (`resource_limits`) and enters
//! the sandbox (`sandbox`) before it reads its job (`job`), and writes a report (`report`). The parent (`compiler`,
//! `process`) runs one child at a time, at low priority, and kills it at its deadline. The child works in an empty
//! folder of its own, from which the parent takes one file, under a key that the parent computes itself: the compiled
//! plugin, so that loading the same source with the same cache folder compiles nothing.

mod cases;
mod child;
mod compiler;
mod job;
mod process;
mod report;
mod resource_limits;
mod sandbox;

pub use child::run as run_child;
pub(super) use compiler::SourceRejection;
pub use compiler::{CompileError, Compiler, CompilerOptions, QueuePlace};
pub use job::{Upload, UploadedText};
pub use report::{Accepted, CaseResult, CheckedDraft, Finding, FindingKind};
