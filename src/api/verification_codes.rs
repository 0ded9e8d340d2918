//! Bodies of `/api/verification-codes`.

use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;

/// Where a code goes: one of the two.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "email": "ada@example.com" }))]
pub struct SendCode {
    /// An email address.
    #[serde(default)]
    pub email: Given<Text<1, 128>>,
    /// A phone number with its country code.
    #[serde(default)]
    pub phone: Given<Text<1, 128>>,
}

/// A code that the caller received at the email address or phone number.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "ada@example.com", "verificationCode": "123456" }))]
pub struct VerifyCode {
    /// An email address.
    #[serde(default)]
    pub email: Given<Text<1, 128>>,
    /// A phone number with its country code.
    #[serde(default)]
    pub phone: Given<Text<1, 128>>,
    /// The code.
    pub verification_code: Text<1, 64>,
}
