//! Warns if SQLite is compiled without the flags that `.cargo/config.toml` sets. Cargo reads that file only for builds
//! that start in this repository, and without the flags every statement takes locks of the whole process.

/// The variable from which `libsqlite3-sys` takes its flags.
const VARIABLE: &str = "LIBSQLITE3_FLAGS";
/// The flags that the server needs for its performance, as in `.cargo/config.toml`.
const FLAGS: [&str; 2] = ["-DSQLITE_DEFAULT_MEMSTATUS=0", "-USQLITE_ENABLE_MEMORY_MANAGEMENT"];

fn main() {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let set = std::env::var(VARIABLE).unwrap_or_default();
    if !FLAGS.iter().all(|flag| set.split_whitespace().any(|known| known == *flag)) {
        let flags = FLAGS.join(" ");
        println!("cargo::warning=SQLite is slower without {VARIABLE}=\"{flags}\": build in the repository, or set it");
    }
}
