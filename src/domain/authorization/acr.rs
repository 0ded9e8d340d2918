//! Authentication context classes (`acr`, OpenID Connect Core section 2). Applications request them with `acr_values`
//! in order of preference; a request that is not met is not an error (section 3.1.2.1).

/// Password authentication over a protected connection; the name is from SAML 2.0 (saml-authn-context-2.0-os section
/// 3.4.2).
const PASSWORD: &str = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

/// Authentication with a second factor as well; the name is from OpenID Provider Authentication Policy Extension 1.0,
/// section 4.
const MULTI_FACTOR: &str = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/// The supported classes, each with the authentication method (RFC 8176) that it requires.
const CLASSES: [(&str, &str); 2] = [(PASSWORD, "pwd"), (MULTI_FACTOR, "mfa")];

/// Maximum number of `acr_values` that are kept.
const MAX_VALUES: usize = 16;

/// The names of the classes, for discovery.
pub fn supported() -> impl Iterator<Item = &'static str> {
    CLASSES.into_iter().map(|(class, _)| class)
}

/// The values of `acr_values`, without duplicates.
#[must_use]
pub fn wanted(acr_values: &str) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for value in acr_values.split(' ').filter(|value| !value.is_empty()) {
        if wanted.len() < MAX_VALUES && !wanted.iter().any(|known| known == value) {
            wanted.push(value.to_owned());
        }
    }
    wanted
}

/// The first of the requested classes that these authentication methods satisfy.
#[must_use]
pub fn met<'w>(wanted: &'w [String], amr: &[String]) -> Option<&'w str> {
    let is_met = |value: &&String| {
        CLASSES.iter().any(|(class, method)| class == value && amr.iter().any(|known| known == method))
    };
    wanted.iter().find(is_met).map(String::as_str)
}

/// Whether these requested classes require a second factor: step-up (RFC 9470 section 5). They do not if a password
/// also satisfies them.
#[must_use]
pub fn takes_second_factor(wanted: &[String]) -> bool {
    let has = |name| wanted.iter().any(|class| class == name);
    has(MULTI_FACTOR) && !has(PASSWORD)
}

/// Whether a user who signed in with these methods must provide a second factor for step-up.
#[must_use]
pub fn is_step_up(wanted: &[String], amr: &[String]) -> bool {
    takes_second_factor(wanted) && met(wanted, amr).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_class_that_is_met_is_told_and_no_other() {
        let pwd = ["pwd".to_owned()];
        let both = ["pwd".to_owned(), "otp".to_owned(), "mfa".to_owned()];
        for (asked, amr, expected) in [
            ("", &pwd[..], None),
            ("1 2", &pwd, None),
            (PASSWORD, &pwd, Some(PASSWORD)),
            (&format!("phr {PASSWORD} 1"), &pwd, Some(PASSWORD)),
            (PASSWORD, &[], None),
            (&PASSWORD.to_lowercase(), &pwd, None),
            (MULTI_FACTOR, &pwd, None),
            (&format!("{MULTI_FACTOR} {PASSWORD}"), &pwd, Some(PASSWORD)),
            (&format!("{MULTI_FACTOR} {PASSWORD}"), &both, Some(MULTI_FACTOR)),
        ] {
            assert_eq!(met(&wanted(asked), amr), expected, "{asked}");
        }
        assert_eq!(wanted(" b a  b "), ["b", "a"]);
        let many: Vec<String> = (0..100).map(|number: u32| number.to_string()).collect();
        assert_eq!(wanted(&many.join(" ")).len(), MAX_VALUES);
        assert!(supported().eq([PASSWORD, MULTI_FACTOR]));
    }
}
