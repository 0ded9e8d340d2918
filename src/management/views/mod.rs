//! JSON views that several families of the Management API share; the views of one family are in its folder.

mod application;
mod log;
mod organization;
mod organization_role;
mod role;

pub(super) use organization_role::held_roles;
pub(super) use role::assigned_roles;

/// A row that responses show as a `V`: both are types of other crates.
pub(super) trait IntoView<V> {
    /// The body of a response.
    fn into_view(self) -> V;
}
