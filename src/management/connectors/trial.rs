//! `POST /api/connectors/{factoryId}/test`: sends a message with a configuration that is not stored yet.

use super::refused;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchId};
use axum::http::StatusCode;
use claimsmith_api::connectors::TestConnector;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::connector::configuration::keep_secrets;
use claimsmith_domain::connector::factory;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::management::Everything;
use claimsmith_domain::message::Recipient;
use claimsmith_services::connectors::decrypt;
use claimsmith_storage::connectors;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Value, json};

/// Sends the code `000000`, which works nowhere, at once and without retries.
#[utoipa::path(
    post, path = "/api/connectors/{factoryId}/test", tag = "Connectors",
    params(("factoryId" = String, Path, description = "The factory, such as `smtp`")),
    request_body = TestConnector,
    responses(
        (status = 204, description = "The message was sent"),
        BodyRefused, AccessRefused, NoSuchId,
        (status = 422, description = "No such factory, or the message was not sent", body = ApiErrorBody),
    ),
)]
pub(super) async fn test_connector(
    management: Management<Everything>,
    Id(factory_id): Id,
    JsonBody(body): JsonBody<TestConnector>,
) -> Result<StatusCode, ApiError> {
    let factory = factory(&factory_id).ok_or_else(|| refused::unknown_factory(&factory_id))?;
    let invalid =
        |name: &str, problem: &str| ApiError::invalid_input("body", format!("Error in key path \"{name}\": {problem}"));
    let recipient = match factory.kind {
        ConnectorType::Email => {
            let email = body.email.0.ok_or_else(|| invalid("email", "it is missing"))?;
            Recipient::email(email.as_str()).ok_or_else(|| invalid("email", "expected an email address"))?
        }
        ConnectorType::Sms => {
            let phone = body.phone.0.ok_or_else(|| invalid("phone", "it is missing"))?;
            Recipient::phone(phone.as_str()).ok_or_else(|| invalid("phone", "expected a phone number"))?
        }
        ConnectorType::Social => {
            return Err(ApiError::new(ApiCode::ConnectorUnexpectedType, "Social connectors send no messages."));
        }
    };
    let before = connectors::find_of_type(&mut management.read().await?, factory.kind).await?;
    let before = before.filter(|known| known.connector_id == factory.id);
    let before = before.and_then(|known| decrypt(&management.app.cipher, &known).ok());
    let mut config = Value::Object(body.config);
    keep_secrets(factory, &mut config, before.as_ref()).map_err(|fault| refused::invalid_config(factory, &fault))?;
    (factory.check)(&config).map_err(|fault| refused::invalid_config(factory, &fault))?;

    let language = body.locale.unwrap_or_else(LanguageTag::english);
    let sent = management.app.messages.try_out(factory, config, &recipient, language).await;
    let sent = sent.map_err(|error| ApiError::failed(&*error))?;
    let mut tx = management.begin().await?;
    let details = json!({ "factoryId": factory.id, "recipient": recipient.address(), "sent": sent.is_ok() });
    tx.audit(AuditKey::ManagementConnectorTest, details).await?;
    tx.commit().await?;
    sent.map_err(|failure| {
        let message = format!("The message was not sent: {}.", failure.error);
        ApiError::new(ApiCode::ConnectorGeneralTrial, message)
    })?;
    Ok(StatusCode::NO_CONTENT)
}
