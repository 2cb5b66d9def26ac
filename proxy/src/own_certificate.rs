//! Certificates that the proxy presents, and their validity.

use grille_tls::format_time;
use std::time::Duration;

/// A certificate that the proxy presents.
#[derive(Clone, Debug)]
pub struct OwnCertificate {
    /// Name of the certificate's file; a reload compares certificates with the same name.
    pub name: String,
    /// Side that the certificate is presented to.
    pub to: Peer,
    /// Start of validity, as the time since the Unix epoch.
    pub not_before: Duration,
    /// End of validity, as the time since the Unix epoch.
    pub not_after: Duration,
}

/// Side that a certificate of the proxy is presented to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// The clients.
    Client,
    /// The service.
    Service,
}

impl OwnCertificate {
    fn is_valid_at(&self, time: Duration) -> bool {
        (self.not_before..=self.not_after).contains(&time)
    }

    /// Returns the reason why peers refuse the certificate at this time; `None` if it is valid.
    pub(crate) fn invalidity_at(&self, time: Duration) -> Option<String> {
        let Self { name, not_before: begins, not_after: ends, .. } = self;
        if time < *begins {
            return Some(format!("{name}: the certificate is not valid before {}", format_time(*begins)));
        }
        (time > *ends).then(|| format!("{name}: the certificate expired on {}", format_time(*ends)))
    }
}

/// Returns the reason why `new` must not replace `old`: peers would refuse a new certificate but accept the old one.
pub(crate) fn invalid_replacement(
    old: &[OwnCertificate],
    new: &[OwnCertificate],
    time: Duration,
) -> Option<String> {
    new.iter().find_map(|certificate| {
        let fault = certificate.invalidity_at(time)?;
        let replaced = old.iter().find(|old| old.name == certificate.name && old.to == certificate.to)?;
        replaced
            .is_valid_at(time)
            .then(|| format!("{fault}; the one in use is valid until {}", format_time(replaced.not_after)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(name: &str, begins: u64, ends: u64) -> [OwnCertificate; 1] {
        let (begins, ends) = (Duration::from_secs(begins), Duration::from_secs(ends));
        [OwnCertificate { name: name.to_owned(), to: Peer::Client, not_before: begins, not_after: ends }]
    }

    #[test]
    fn rejects_an_invalid_replacement_of_a_valid_certificate() {
        let now = Duration::from_secs(50);
        let (valid, expired, early) =
            (certificate("a", 0, 100), certificate("a", 0, 49), certificate("a", 51, 100));
        let refusal = invalid_replacement(&valid, &expired, now).unwrap();
        assert!(refusal.starts_with("a: the certificate expired on 1970-01-01T00:00:49Z; "), "{refusal}");
        assert!(
            invalid_replacement(&valid, &early, now)
                .unwrap()
                .contains("is not valid before 1970-01-01T00:00:51Z")
        );
        for (old, new) in
            [(&expired, &valid), (&expired, &early), (&valid, &valid), (&certificate("b", 0, 100), &expired)]
        {
            assert_eq!(invalid_replacement(old, new, now), None);
        }
    }
}
