//! The accounts that a change of an enterprise connector leaves without effect.

use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::sign_in_experience::accepted_credentials::ClosedCompany;

/// A change of a connector.
pub(super) struct Closing<'c> {
    pub(super) connector_id: &'c SsoConnectorId,
    /// The domains before and after it, if it changes them.
    pub(super) domains: Option<(&'c [String], &'c [String])>,
    /// Whether the accounts are at another issuer after it.
    pub(super) moves: bool,
    /// Whether the connector no longer signs in administrators after it.
    pub(super) stops_administrators: bool,
}

impl Closing<'_> {
    /// The accounts that it closes.
    pub(super) fn closed(&self) -> Vec<ClosedCompany> {
        let close = |domains, is_for_administrators| ClosedCompany {
            connector_id: self.connector_id.clone(),
            domains,
            is_for_administrators,
        };
        let (before, after) = self.domains.unwrap_or_default();
        // Without domains, no address leads to the connector.
        let ends = self.moves || !before.is_empty() && after.is_empty();
        if ends {
            return vec![close(None, false)];
        }
        let removed: Vec<String> = before.iter().filter(|domain| !after.contains(domain)).cloned().collect();
        let of_domains = (!removed.is_empty()).then(|| close(Some(removed), false));
        let of_administrators = self.stops_administrators.then(|| close(None, true));
        of_domains.into_iter().chain(of_administrators).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_change_takes_away_is_closed() {
        let id = SsoConnectorId::from("acme");
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let closed = |domains: Option<(&[&str], &[&str])>, moves, stops_administrators| {
            let domains = domains.map(|(before, after)| (texts(before), texts(after)));
            let domains = domains.as_ref().map(|(before, after)| (before.as_slice(), after.as_slice()));
            let closed = Closing { connector_id: &id, domains, moves, stops_administrators }.closed();
            closed.into_iter().map(|one| (one.domains, one.is_for_administrators)).collect::<Vec<_>>()
        };
        assert_eq!(closed(None, false, false), []);
        assert_eq!(closed(Some((&["a.example"], &["a.example", "b.example"])), false, false), []);
        assert_eq!(closed(Some((&[], &[])), false, false), []);
        assert_eq!(closed(None, true, true), [(None, false)]);
        assert_eq!(closed(Some((&["a.example"], &[])), false, false), [(None, false)]);
        assert_eq!(
            closed(Some((&["a.example", "b.example"], &["b.example"])), false, true),
            [(Some(texts(&["a.example"])), false), (None, true)]
        );
    }
}
