//! The request and response bodies of the Management API, a file for each family. The server, the console and the
//! commands use these types, so that none of them falls behind.

#![expect(missing_docs, reason = "comments become descriptions, and many members need none beside their names")]

pub mod applications;
pub mod organization_invitations;
pub mod organization_roles;
pub mod organization_scopes;
pub mod organizations;
pub mod resources;
pub mod roles;
pub mod tenant;
