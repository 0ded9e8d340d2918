//! `/second-factor/backup-codes`: new backup codes, shown once; reloading the page generates others.

use super::visitor::{InteractionPost, Visitor, finish};
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors;
use claimsmith_identity::interaction::factors::backup_codes::generate;
use claimsmith_identity::interaction::factors::bind::bind;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::sign_in::backup_codes::BackupCodesPage;

pub(super) async fn show(mut visitor: Visitor) -> Response {
    match factors::check(&visitor.current).await {
        Err(InteractionRefusal::BackupCodesRequired) => {}
        Err(refusal) => return visitor.next(&refusal),
        Ok(()) => return visitor.fail(&InteractionRefusal::WrongEvent),
    }
    match generate(&mut visitor.current).await {
        Ok(new) => BackupCodesPage {
            frame: &visitor.frame,
            csrf: &visitor.csrf,
            verification_id: &new.verification_id,
            codes: &new.codes,
        }
        .answer(),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn keep(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let id = form.all("verification_id").next().unwrap_or_default();
    match bind(&mut visitor.current, FactorType::BackupCode, id).await {
        Ok(()) => finish(visitor).await,
        // The shown codes are void: others were generated meanwhile.
        Err(InteractionRefusal::UnknownVerification) => show(visitor).await,
        Err(refusal) => visitor.fail(&refusal),
    }
}
