//! `--system-roots`: the roots that the operating system trusts.

use crate::error::Error;
use crate::output::{Output, counted};
use grille_pki::Certificate;
use rustls::RootCertStore;

/// Reads the roots of the operating system, and skips those that cannot be used, such as very old ones. A note on `out` says
/// how many were skipped.
///
/// # Errors
/// If there is none.
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
        return Err(Error::failure(format_args!("the system has no roots to trust: {reason}"))
            .at_place("--system-roots")
            .advise("install the package ca-certificates, or give --ca"));
    }
    if let Some(out) = out.filter(|_| roots.len() < all) {
        out.note(format_args!(
            "{} of {} of the system cannot be used",
            all - roots.len(),
            counted(all, "root")
        ));
    }
    Ok(roots)
}
