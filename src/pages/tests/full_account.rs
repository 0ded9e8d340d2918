//! The page of an account that has everything.

use crate::account::overview::AccountPage;
use crate::account::overview_data::{
    AcceptedPasskeys, ActedView, AvailableFactors, DeviceView, FactorKind, FactorView, GrantView, LinkView, PersonView,
    SessionView,
};
use crate::custom_fields::{InputView, OptionView};
use crate::form::FieldError;
use crate::frame::Frame;
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;

/// The address of a picture that was uploaded here.
pub(super) const PICTURE: &str = "https://id.test/avatars/0123456789abcdefghijABCDEFGHIJ45";

/// An input of each kind.
pub(super) fn inputs(text: &str) -> Vec<InputView> {
    let own = || text.to_owned();
    let choice = OptionView { value: own(), label: own(), is_chosen: true };
    let input = |kind: &'static str| InputView {
        id: format!("field-{kind}"),
        label: own(),
        kind,
        value: own(),
        hint: own(),
        placeholder: own(),
        required: kind == "url",
        bounds: vec![("min", "1".to_owned())],
        options: vec![choice.clone()],
    };
    ["text", "number", "date", "url", "checkbox", "select"].map(input).into()
}

/// The page, with `text` in every place that shows untrusted text.
pub(super) fn full_account<'a>(frame: &'a Frame, settings: &'a AccountCenter, text: &'a str) -> AccountPage<'a> {
    let own = || text.to_owned();
    let link = |kind| LinkView { kind, id: own(), name: own() };
    let factor = |id: &str, kind| FactorView { id: id.to_owned(), kind, name: own(), remaining: 3, since: own() };
    let session = |is_current: bool| SessionView {
        id: own(),
        browser: Some("Firefox"),
        system: None,
        address: own(),
        since: own(),
        used: own(),
        is_current,
    };
    let acted = |is_active: bool| ActedView {
        id: own(),
        actor: is_active.then(own),
        application: own(),
        reason: Some(own()),
        ticket: Some(own()),
        from: own(),
        until: own(),
        is_active,
    };
    AccountPage {
        frame,
        csrf: text,
        error: Some(FieldError::at("new_password", text)),
        is_saved: true,
        settings,
        person: PersonView {
            shown: own(),
            name: own(),
            avatar: own(),
            picture: Some(PICTURE.to_owned()),
            username: own(),
            email: Some(own()),
            phone: Some(own()),
            has_password: true,
        },
        inputs: inputs(text),
        seen: vec![(own(), own())],
        factors: vec![
            factor("f1", FactorKind::Authenticator),
            factor("f2", FactorKind::BackupCodes),
            factor("f3", FactorKind::Passkey),
        ],
        available: AvailableFactors { authenticator: true, backup_codes: true, passkeys: true },
        identities: vec![link(ConnectorKind::Social), link(ConnectorKind::Enterprise)],
        linkable: vec![link(ConnectorKind::Social), link(ConnectorKind::Enterprise)],
        channels: vec![Channel::Email, Channel::Phone],
        sessions: vec![session(true), session(false)],
        devices: vec![DeviceView { id: own(), browser: None, system: None, address: own(), used: own(), until: own() }],
        grants: vec![GrantView { id: own(), name: own(), since: own() }],
        acted: vec![acted(true), acted(false)],
        passkeys: Some(AcceptedPasskeys { user: "aGFuZGxl".to_owned(), ids: "Zmlyc3Q c2Vjb25k".to_owned() }),
    }
}
