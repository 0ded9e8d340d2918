//! The owner of a verification code: one browser's interaction, and one type of verification in it. A new one replaces
//! the former.

use crate::interaction::current::CurrentInteraction;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_services::verification_codes::Requester;

/// The purpose of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodePurpose {
    /// To verify an email address or phone number.
    Identifier,
    /// As a second factor.
    Factor,
}

/// The owner of codes over this channel in this interaction.
pub(crate) fn requester(current: &CurrentInteraction, role: CodePurpose, channel: Channel) -> Requester {
    let role = match role {
        CodePurpose::Identifier => "identifier",
        CodePurpose::Factor => "factor",
    };
    Requester::new(&["interaction", current.id(), role, channel.identifier().as_str()])
}
