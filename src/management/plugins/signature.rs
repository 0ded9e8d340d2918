//! Signatures of uploads: verified before anything is compiled, and again before a version is activated.

use super::refusal::refused;
use claimsmith_domain::plugin_signature::TrustMode;
use claimsmith_services::plugins::Origin;
use claimsmith_services::plugins::compile::Finding;
use claimsmith_services::plugins::trust::{GivenSignature, TrustVerdict};
use claimsmith_storage::plugins::versions;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// What is known of an upload's signature; 422 if a trusted key must have signed and none has.
pub(super) fn check_signature(
    caller: &Caller,
    source: &[u8],
    signature: Option<&str>,
) -> Result<TrustVerdict, ApiError> {
    let verdict = caller.app.plugins.trust().judge(Origin::Store, source, &GivenSignature::of(signature));
    match &verdict.problem {
        Some(problem) if verdict.is_refused => Err(refused(&[Finding::of_signature(problem)])),
        _ => Ok(verdict),
    }
}

/// Refuses to activate a version that would not be loaded: it was uploaded when no signature was asked for, or its key is
/// no longer trusted. A version that does not exist is left to the caller.
pub(super) async fn check_stored(caller: &Caller, name: &str, id: &str) -> Result<(), ApiError> {
    let Some(id) =
        id.parse::<i64>().ok().filter(|_| caller.app.plugins.trust().mode(Origin::Store) == TrustMode::Require)
    else {
        return Ok(());
    };
    let (source, signature) = {
        let mut tx = caller.read().await?;
        (versions::source(&mut tx, name, id).await?, versions::signature(&mut tx, name, id).await?)
    };
    let Some(source) = source else { return Ok(()) };
    check_signature(caller, &source, signature.as_deref()).map(drop)
}
