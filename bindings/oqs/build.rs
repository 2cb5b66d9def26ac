//! Selects the era of liboqs by the name of the package, and sets the name that programs load the library by (soname).

use std::env;

fn main() {
    // the value of `cfg(era)`, and the number at the end of the soname of that release's liboqs.so
    let (era, soname) = match env::var("CARGO_PKG_NAME").as_deref() {
        Ok("grille-oqs-0-5") => ("0.5", 0),
        Ok("grille-oqs-0-7") => ("0.7", 2),
        _ => ("0.16", 9),
    };
    println!("cargo::rustc-check-cfg=cfg(era, values(\"0.5\", \"0.7\", \"0.16\"))");
    println!("cargo::rustc-cfg=era=\"{era}\"");
    println!("cargo::rustc-env=GRILLE_OQS_ERA={era}");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liboqs.so.{soname}");
    }
}
