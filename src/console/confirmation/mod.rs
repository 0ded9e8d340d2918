//! Confirmation of the operator's identity ("sudo"): a form that needs a recent sign-in is answered, at the same path,
//! by a page that asks for the password and second factor, or a passkey. The form travels in that page, sealed by the
//! server, and is carried out at once when the operator has confirmed. Nothing of it needs JavaScript but the passkey.

mod layer;
mod page;

pub(crate) use layer::layer;

use crate::Console;
use axum::Router;
use axum::routing::get;

/// The page that asks without a form, and then leads to the page in `return`.
const PATH: &str = "/console/confirm";
/// Where a repeated sign-in in another tab ends.
const CONFIRMED: &str = "/console/confirmed";
/// The fields of the page's form.
const FORM: &str = "confirm.form";
const PASSWORD: &str = "confirm.password";
const CODE: &str = "confirm.code";
const PASSKEY: &str = "confirm.passkey";

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route(PATH, get(page::show).post(page::go_on)).route(CONFIRMED, get(page::show_confirmed))
}
