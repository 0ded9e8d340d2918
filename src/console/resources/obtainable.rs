//! The API resources that an application can get tokens for: what every chooser of the console offers.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::model::ResourceFacts;
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_domain::documents::application::ApplicationType;

/// Who gets the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recipient {
    /// An application of this type. Machines also get tokens for the Management API.
    Application(ApplicationType),
    /// Any application, where plugins run: they never run for tokens of the server's own APIs.
    AnyWithPlugins,
}

/// The resources, custom ones first, in the order of the API; empty if the operator may not read them.
///
/// The console's own resource is never among them: only the server's own applications get tokens for it.
pub(crate) async fn obtainable(caller: &Caller, recipient: Recipient) -> Result<Vec<ResourceWithScopes>, Failure> {
    let listed: Option<Vec<ResourceWithScopes>> = caller.get_if_allowed("/api/resources?includeScopes=true").await?;
    let mut resources = listed.unwrap_or_default();
    let management = &caller.console().management_resource;
    let gets_management = recipient == Recipient::Application(ApplicationType::MachineToMachine);
    resources.retain(|ResourceWithScopes { resource, .. }| {
        resource.fixed(management).is_none() || gets_management && !resource.is_of_console()
    });
    resources.sort_by_key(|listed| listed.resource.fixed(management).is_some());
    Ok(resources)
}

/// The resources as options of a select field: pairs of indicator and label.
pub(crate) fn options(resources: &[ResourceWithScopes]) -> impl Iterator<Item = (String, String)> {
    resources.iter().map(|ResourceWithScopes { resource, .. }| {
        (resource.indicator.clone(), format!("{} ({})", resource.name, resource.indicator))
    })
}
