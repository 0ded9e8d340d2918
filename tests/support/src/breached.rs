//! A list of breached passwords, made by the command from range files.

use crate::{CommandOutput, Home, Process};
use std::fs;

/// A password that every policy accepts, and that is on the list.
pub const BREACHED_PASSWORD: &str = "trombone weather kettle";

/// The range file of its digest, as it is published.
const RANGE: (&str, &str) = ("3164C", "43324D39AEB7E16E5C96CB86E134DAC597A:27\r\n");
/// Another one, of a password that was seen once.
const RARE: (&str, &str) = ("51CF5", "9ACDA01630EDCF89AD5F6BA9DF8781A3B99:1\r\n");

/// Has `binary` (`env!("CARGO_BIN_EXE_claimsmith")`) make the list in this home; answers its path.
pub async fn breached_file(binary: &str, home: &Home) -> String {
    let (from, to) = (home.folder().join("ranges"), home.folder().join("breached"));
    fs::create_dir(&from).unwrap();
    for (name, lines) in [RANGE, RARE] {
        fs::write(from.join(name), lines).unwrap();
    }
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    // Few passwords with many bits each: no other password of a test is refused by accident.
    let arguments = ["breached-passwords", "build", "--from", from, "--to", to, "--bits-per-entry", "32"];
    CommandOutput::from(Process::run(binary, home, &[], &arguments).await).ok();
    to.to_owned()
}
