//! Backup codes, shown once: `POST /second-factor/backup-codes` with `verification_id` confirms that the user saved
//! them.

use super::visitor::{InteractionPost, Visitor, finish};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors;
use claimsmith_identity::interaction::factors::backup_codes::generate;
use claimsmith_identity::interaction::factors::bind::bind;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

/// The page.
#[derive(Debug, Template)]
#[template(path = "backup_codes.html")]
pub(crate) struct BackupCodesPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// The id of the verification that the codes belong to.
    pub(crate) verification_id: &'a str,
    /// The codes.
    pub(crate) codes: &'a [String],
}

impl BackupCodesPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_title
    }

    fn description(&self) -> &str {
        &self.frame.t.second_factor.backup_codes_description
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}

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
