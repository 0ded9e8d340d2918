//! Classes of authentication (`acr`, OpenID Connect Core section 2). Applications ask for some by `acr_values`, the best
//! one first; a wish that is not met is no error (section 3.1.2.1).

/// Somebody proved a password to this server, over a protected connection; the name is that of SAML 2.0
/// (saml-authn-context-2.0-os section 3.4.2).
const PASSWORD: &str = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

/// Somebody proved a second factor as well; the name is that of OpenID Provider Authentication Policy Extension 1.0,
/// section 4.
const MULTI_FACTOR: &str = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/// The classes that there are, each with the method of authentication (RFC 8176) that it takes.
const CLASSES: [(&str, &str); 2] = [(PASSWORD, "pwd"), (MULTI_FACTOR, "mfa")];

/// The most values of `acr_values` that are kept.
const MAX_VALUES: usize = 16;

/// The names of the classes, for discovery.
pub fn supported() -> impl Iterator<Item = &'static str> {
    CLASSES.into_iter().map(|(class, _)| class)
}

/// The values of `acr_values`, each once.
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

/// The first of the wanted classes that somebody meets who signed in by these methods.
#[must_use]
pub fn met<'w>(wanted: &'w [String], amr: &[String]) -> Option<&'w str> {
    let is_met = |value: &&String| {
        CLASSES.iter().any(|(class, method)| class == value && amr.iter().any(|known| known == method))
    };
    wanted.iter().find(is_met).map(String::as_str)
}

/// Whether an application that wants one of these classes has a second factor proved: step-up (RFC 9470 section 5).
/// One that is content with a password as well has it not.
#[must_use]
pub fn takes_second_factor(wanted: &[String]) -> bool {
    let has = |name| wanted.iter().any(|class| class == name);
    has(MULTI_FACTOR) && !has(PASSWORD)
}

/// Whether somebody who signed in by these methods is asked again for that.
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
