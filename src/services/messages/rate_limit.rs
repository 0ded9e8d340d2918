//! The limits of messages: ten in ten minutes to one recipient, from all callers together, and a total of text messages
//! per hour. The recipient is counted before anything is decided, so that the response does not reveal whether a
//! message was written. Only written text messages spend the budget: requests for numbers that get none are free. A
//! share of it is reserved for second factors and known browsers.

use super::{MessageRefusal, Messages, reaches_from};
use crate::audit::Actor;
use crate::tokens;
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::{Event, Interaction};
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::message::{MessageChannel, TemplateType};
use claimsmith_domain::event::EventType;
use claimsmith_domain::lockout::Limit;
use claimsmith_domain::message::Recipient;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::attempts;
use serde_json::json;

/// Messages of a recipient within the window.
const MAX_MESSAGES: i64 = 10;
const WINDOW_MS: i64 = 600_000;
const LIMIT: Limit =
    Limit { failures: MAX_MESSAGES, window_ms: WINDOW_MS, lockout_ms: WINDOW_MS, longest_lockout_ms: WINDOW_MS };
const HOUR_MS: i64 = 3_600_000;
/// The key under which text messages are counted.
const TEXTS: &str = "texts";
/// One part of so many of the budget of text messages is reserved.
const PARTS_OF_BUDGET: i64 = 4;

/// The share of the budget that a text message uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextShare {
    /// The open share, which strangers can use up.
    Open,
    /// All of the budget: the recipient has proved something, or has signed in here before.
    Reserved,
}

/// An admitted recipient.
#[derive(Clone, Debug)]
pub struct Admitted {
    recipient: Recipient,
    share: TextShare,
}

impl Admitted {
    /// The recipient.
    pub(crate) fn recipient(&self) -> &Recipient {
        &self.recipient
    }
}

/// The requester of a message.
#[derive(Clone, Debug)]
pub struct MessageRequester {
    /// The actor, if known.
    pub actor: Actor,
    /// Where it came from.
    pub origin: RequestOrigin,
    /// The sign-in that it belongs to.
    pub interaction: Option<Interaction>,
    /// Whether the recipient has signed in in this browser before, or is signed in.
    pub is_known: bool,
}

impl Messages {
    /// Whether the recipient may get a message of this type, which counts. The first one above the limit is audited,
    /// and triggers `Message.RateLimited`.
    pub async fn admit(
        &self,
        recipient: Recipient,
        template: TemplateType,
        message_requester: MessageRequester,
    ) -> Result<Admitted, MessageRefusal> {
        let now = self.clock.now_ms();
        let MessageRequester { actor, origin, interaction, is_known } = message_requester;
        let channel = recipient.channel();
        let client_id = match &actor {
            Actor::Application { id } => Some(id.to_string()),
            _ => None,
        };
        let mut work = UnitOfWork::begin(&self.db, actor, origin, now).await?;
        if !reaches_from(&mut work, channel, client_id.as_deref()).await? {
            return Err(MessageRefusal::NoConnector(channel));
        }
        let is_factor = template == TemplateType::MfaVerification;
        // Codes of a second factor are counted separately: requesting one requires the password, so an attacker cannot
        // keep it from the user by requesting other messages.
        let what = if is_factor { "mfa-message" } else { "message" };
        let hash = tokens::hash(&format!("{what}:{}:{}", channel.as_str(), recipient.folded()));
        let counted = attempts::count(&mut work, &hash, LIMIT, now).await?;
        let share = if is_factor || is_known { TextShare::Reserved } else { TextShare::Open };
        let (wait, is_first) = if counted.exceed(LIMIT) {
            (Some(counted.expires_at - now), counted.failures == LIMIT.failures + 1)
        } else if channel == MessageChannel::Sms {
            self.check_budget(&mut work, share, now).await?
        } else {
            (None, false)
        };
        if is_first {
            tell(&mut work, &recipient, template, interaction).await?;
        }
        work.commit().await?;
        wait.map_or(Ok(Admitted { recipient, share }), |wait| Err(MessageRefusal::RateLimited(wait)))
    }

    /// If a share has no text messages left: how long that lasts, and whether this is the first refusal. All requests
    /// are refused alike, whether they would lead to a message or not.
    async fn check_budget(
        &self,
        work: &mut UnitOfWork,
        share: TextShare,
        now: i64,
    ) -> Result<(Option<i64>, bool), MessageRefusal> {
        let sent = attempts::find(work, &tokens::hash(TEXTS)).await?;
        if sent.now(now) < self.budget(share) {
            return Ok((None, false));
        }
        let wait = sent.expires_at - now;
        let refused = tokens::hash(&format!("{TEXTS} refused:{share:?}"));
        let never = Limit { failures: i64::MAX, window_ms: wait, lockout_ms: wait, longest_lockout_ms: wait };
        Ok((Some(wait), attempts::count(work, &refused, never, now).await?.failures == 1))
    }

    /// Counts a text message that is written. `RateLimited` if concurrent ones spent the budget.
    pub(super) async fn spend(&self, tx: &mut Tx, to: &Admitted, now: i64) -> Result<(), MessageRefusal> {
        if to.recipient.channel() != MessageChannel::Sms {
            return Ok(());
        }
        let failures = self.max_texts_per_hour;
        let limit = Limit { failures, window_ms: HOUR_MS, lockout_ms: HOUR_MS, longest_lockout_ms: HOUR_MS };
        let sent = attempts::count(tx, &tokens::hash(TEXTS), limit, now).await?;
        if sent.failures > self.budget(to.share) {
            return Err(MessageRefusal::RateLimited(sent.expires_at - now));
        }
        Ok(())
    }

    /// The maximum number of text messages per hour of a share, counted in total. Each of them costs money.
    const fn budget(&self, share: TextShare) -> i64 {
        match share {
            TextShare::Open => self.max_texts_per_hour - self.max_texts_per_hour / PARTS_OF_BUDGET,
            TextShare::Reserved => self.max_texts_per_hour,
        }
    }
}

/// The first message above the limit: it is audited, and triggers webhooks.
async fn tell(
    work: &mut UnitOfWork,
    recipient: &Recipient,
    template: TemplateType,
    interaction: Option<Interaction>,
) -> Result<(), MessageRefusal> {
    let event = match interaction {
        Some(about) => Event::during(EventType::MessageRateLimited, about),
        None => Event::new(EventType::MessageRateLimited, 429_u16),
    };
    let event = event.of("action", template.as_str()).of("recipient", recipient.address());
    work.emit(&event).await?;
    let key = work.key(AuditOperation::MessageRateLimited);
    let details = json!({
        "channel": recipient.channel().as_str(), "templateType": template.as_str(), "recipient": recipient.address(),
    });
    Ok(work.audit(key, details).await?)
}

#[cfg(test)]
mod tests;
