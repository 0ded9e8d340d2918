//! The request and response bodies of the Management API, a file for each family. The server, the console and the
//! commands use these types, so that none of them falls behind.

#![expect(missing_docs, reason = "comments become descriptions, and many members need none beside their names")]

pub mod hook_receivers;
pub mod hooks;
pub mod roles;
pub mod tenant;
