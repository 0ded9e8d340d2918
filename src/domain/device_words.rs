//! Display names of the browser and the operating system of a `User-Agent`. The first match wins, since user agents
//! contain the generic names beside the specific ones.

/// Browsers by a part of their user agent, specific ones first.
const BROWSERS: [(&str, &str); 12] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("YaBrowser/", "Yandex Browser"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Operating systems, likewise.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("FreeBSD", "FreeBSD"),
    ("Linux", "Linux"),
];

/// The browser and its operating system, as far as they are known.
#[must_use]
pub fn device_words(user_agent: &str) -> (Option<&'static str>, Option<&'static str>) {
    let first = |known: &[(&str, &'static str)]| {
        known.iter().find(|(said, _)| user_agent.contains(said)).map(|(_, name)| *name)
    };
    (first(&BROWSERS), first(&SYSTEMS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_browsers_are_named() {
        for (agent, browser, system) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", Some("Firefox"), Some("Linux")),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0",
                Some("Edge"),
                Some("Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1",
                Some("Safari"),
                Some("iPhone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36",
                Some("Samsung Internet"),
                Some("Android"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
                Some("Chrome"),
                Some("macOS"),
            ),
            ("curl/8.5.0", Some("curl"), None),
            ("<script>", None, None),
            ("", None, None),
        ] {
            assert_eq!(device_words(agent), (browser, system), "{agent}");
        }
    }
}
