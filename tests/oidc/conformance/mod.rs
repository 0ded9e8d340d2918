//! What OpenID Connect's conformance suite and `OAuch` ask of a provider, told from outside: applications are registered
//! by the Management API, people sign in at the pages. One file per plan; a test is named as the module that it stands
//! for. The modules that two plans share are in `modules`, and every sign-in runs through `checks`.

mod backchannel_logout;
mod basic;
mod checks;
mod concurrency;
mod config;
mod form_post;
mod logout;
mod modules;
mod pkce;
mod redirects;
mod relying_party;

/// Each module as a test of this plan, on both databases. Needs `modules` and `RelyingParty`.
macro_rules! plan {
    ($mode:expr; $($file:ident::$module:ident,)*) => {
        $(claimsmith_test_support::both!($module, async |server: claimsmith_test_support::TestServer| {
            let rp = RelyingParty::register(server, $mode).await;
            modules::$file::$module(&rp).await;
        });)*
    };
}
pub(crate) use plan;
