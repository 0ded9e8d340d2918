//! Errors: what a failure of the database is, is found by the chain of sources, so that overload is answered 503
//! wherever it comes from.

use super::server_sources;

#[test]
fn an_error_names_the_failure_of_the_database_as_its_source() {
    let mut wrappers = 0;
    for (path, text) in server_sources() {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            if pair[1].contains("#[from]") && pair[1].contains("storage::Error)") {
                wrappers += 1;
                // It would pass on the source of the failure as its own, and hide the failure itself.
                assert_ne!(pair[0], "#[error(transparent)]", "{}: {}", path.display(), pair[1]);
            }
        }
    }
    assert!(wrappers > 10, "{wrappers}");
}
