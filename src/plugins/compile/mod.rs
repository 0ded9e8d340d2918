//! Whether an upload may become a plugin: compiled, linked, tried and run on its golden cases in a child process.
//!
//! Compiling can be neither limited nor cancelled inside a process, and an upload is a stranger's: so the binary runs
//! itself as `claimsmith compile-plugin` (`child`), which limits itself (`confine`) before it looks at anything, reads a
//! job (`job`), and answers a report (`report`). The parent (`compiler`, `process`) runs one at a time, at low
//! priority, and ends it at its deadline. What the child compiled it leaves in the cache: whoever loads the same source
//! afterwards with the same cache folder compiles nothing.

mod cases;
mod child;
mod compiler;
mod confine;
mod job;
mod process;
mod report;

pub use child::run as run_child;
pub use compiler::{CompileError, Compiler, CompilerOptions};
pub use job::{Document, Upload};
pub use report::{Accepted, Finding, FindingKind};
