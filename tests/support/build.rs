//! Tells the tests whether there is a PostgreSQL for them, so that those that need one are reported as left out.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(postgres)");
    println!("cargo::rerun-if-env-changed=TEST_DATABASE_URL");
    if std::env::var_os("TEST_DATABASE_URL").is_some() {
        println!("cargo::rustc-cfg=postgres");
    }
}
