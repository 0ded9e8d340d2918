//! `/second-factor` and `/second-factor/backup-code`: the proof of a second factor that the user has.

use super::messages::field_error;
use super::visitor::{Posted, Visitor, finish};
use crate::domain::mfa::FactorType;
use crate::http::pages::form::FieldError;
use crate::http::pages::second_factor::SecondFactorPage;
use crate::interaction::factors::{self, backup_codes, totp};
use crate::interaction::refusal::Refusal;
use axum::response::Response;

/// The most bytes of a code.
const MAX_BYTES: usize = 64;

pub(super) async fn show(visitor: Visitor) -> Response {
    page(&visitor, FactorType::Totp, None).await
}

pub(super) async fn show_backup_code(visitor: Visitor) -> Response {
    page(&visitor, FactorType::BackupCode, None).await
}

pub(super) async fn submit(Posted(visitor, form): Posted) -> Response {
    prove(visitor, FactorType::Totp, form.all("code").next().unwrap_or_default()).await
}

pub(super) async fn submit_backup_code(Posted(visitor, form): Posted) -> Response {
    prove(visitor, FactorType::BackupCode, form.all("code").next().unwrap_or_default()).await
}

async fn prove(mut visitor: Visitor, kind: FactorType, code: &str) -> Response {
    let code = code.trim();
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(&visitor, kind, Some(error)).await;
    }
    let current = &mut visitor.current;
    let proved = match kind {
        FactorType::Totp if code.len() > MAX_BYTES => Err(Refusal::InvalidTotp),
        FactorType::BackupCode if code.len() > MAX_BYTES => Err(Refusal::InvalidBackupCode),
        FactorType::Totp => totp::verify(current, code).await,
        FactorType::BackupCode => backup_codes::verify(current, code).await,
    };
    match proved {
        Ok(_) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, kind, Some(error)).await,
            None => visitor.fail(&refusal),
        },
    }
}

/// The page, if a second factor is still to be proved; otherwise the one that comes next.
async fn page(visitor: &Visitor, kind: FactorType, error: Option<FieldError<'_>>) -> Response {
    match factors::check(&visitor.current).await {
        Err(Refusal::FactorRequired(available)) => SecondFactorPage {
            frame: &visitor.frame,
            csrf: &visitor.csrf,
            error,
            is_backup_code: kind == FactorType::BackupCode,
            has_other: available.iter().any(|other| *other != kind),
        }
        .answer(),
        Err(refusal) => visitor.next(&refusal),
        // There is nothing to prove.
        Ok(()) => visitor.fail(&Refusal::WrongEvent),
    }
}
