//! `--system-roots`: trusts the roots of the operating system.

use crate::error::Error;
use crate::output::{Output, format_count};
use grille_pki::Certificate;
use rustls::RootCertStore;

/// Reads the system's roots. Unusable ones, for example with outdated algorithms, are skipped, with a note on `out`.
///
/// # Errors
/// Returns an error if there is no usable root.
pub(crate) fn system_roots(out: Option<&Output>) -> Result<Vec<Certificate>, Error> {
    let found = rustls_native_certs::load_native_certs();
    let all = found.certs.len();
    let usable = |der: rustls::pki_types::CertificateDer<'static>| {
        let certificate = Certificate::from_pem_or_der(&der).ok()?;
        RootCertStore::empty().add(der).ok().map(|()| certificate)
    };
    let roots: Vec<_> = found.certs.into_iter().filter_map(usable).collect();
    if roots.is_empty() {
        let reason = found.errors.first().map_or_else(|| "none is installed".to_owned(), ToString::to_string);
        return Err(Error::failure(format_args!("the system has no trusted roots: {reason}"))
            .with_place("--system-roots")
            .advise("install the package ca-certificates, or give --ca"));
    }
    if let Some(out) = out.filter(|_| roots.len() < all) {
        out.note(format_args!(
            "skipped {} of the system's {}: unusable",
            all - roots.len(),
            format_count(all, "root")
        ));
    }
    Ok(roots)
}
