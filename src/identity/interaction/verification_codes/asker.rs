//! The owner of a verification code: one browser's interaction, and one type of verification in it. A new one replaces
//! the former.

use crate::interaction::current::Current;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_services::verification_codes::Asker;

/// What a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::interaction) enum CodePurpose {
    /// For an address or a number.
    Identifier,
    /// For a second factor.
    Factor,
}

/// Whoever types a code over this channel in this interaction.
pub(in crate::interaction) fn asker(current: &Current, role: CodePurpose, channel: Channel) -> Asker {
    let role = match role {
        CodePurpose::Identifier => "identifier",
        CodePurpose::Factor => "factor",
    };
    Asker::new(&["interaction", current.id(), role, channel.identifier().name()])
}
