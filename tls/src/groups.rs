//! TLS 1.3 key-exchange groups for every KEM of the registry that has a codepoint.
//!
//! One type serves pure, hybrid and classical groups: the client's key share is an encapsulation key, the server's is
//! a ciphertext. Hybrids concatenate their shares and secrets.

use crate::trace::{self, Step};
use grille_core::{DynDecapsKey, Error as CoreError, SystemRng};
use grille_pki::interned::Interned;
use grille_registry::{KemRow, Numbers, Row, Status, kem_by_name};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use std::fmt;

/// Maximum length of a key share, in bytes. rustls limits a handshake message to 2¹⁶ - 1 bytes, of which 1 KiB is
/// reserved for the rest of the ClientHello: some 200 bytes plus the ALPN protocols.
pub const MAX_KEY_SHARE_LEN: usize = (1 << 16) - 1 - 1024;

/// Returns the group of `row`, with its codepoint in `numbers`; `None` if it has no codepoint there, or its key shares
/// are too long for TLS.
#[must_use]
pub fn group(row: &'static KemRow, numbers: Numbers) -> Option<&'static dyn SupportedKxGroup> {
    // rustls requires `'static` groups
    static GROUPS: Interned<(u16, Option<u16>, &str), KemGroup> = Interned::new();
    let code = numbers.group(row).filter(|_| fits_into_hello(row))?;
    let component = component(row, numbers);
    Some(GROUPS.get((code, component, row.name()), || KemGroup { row, code, component }))
}

/// Returns the codepoint of a hybrid's classical part. Returns `None` for other groups, and if the key shares of the
/// hybrid and of its classical part do not fit into one ClientHello together.
fn component(row: &KemRow, numbers: Numbers) -> Option<u16> {
    let classical = row.kem.classical_part()?.info();
    let both = row.kem.info().encaps_key_len + classical.encaps_key_len;
    let component = kem_by_name(classical.name).ok().filter(|_| both <= MAX_KEY_SHARE_LEN)?;
    numbers.group(component)
}

/// Returns the default groups: the standardised post-quantum groups or, in an era without any, all unbroken
/// post-quantum groups. Hybrid groups come first, then pure ones, both in the registry's order.
#[must_use]
pub fn default_groups(numbers: Numbers) -> Vec<&'static KemRow> {
    let offered = |row: &&KemRow| row.category > 0 && row.status != Status::Broken && fits_into_hello(row);
    let mut rows: Vec<_> = numbers.kems().into_iter().filter(offered).collect();
    rows.retain(|row| numbers.group(row).is_some());
    if rows.iter().any(|row| row.status == Status::Standard) {
        rows.retain(|row| row.status == Status::Standard);
    }
    let (hybrids, pure): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.kem.is_hybrid());
    hybrids.into_iter().chain(pure).collect()
}

fn fits_into_hello(row: &KemRow) -> bool {
    let info = row.kem.info();
    info.encaps_key_len.max(info.ciphertext_len) <= MAX_KEY_SHARE_LEN
}

struct KemGroup {
    row: &'static KemRow,
    code: u16,
    /// Codepoint of a hybrid's classical part, see [`component`].
    component: Option<u16>,
}

impl SupportedKxGroup for KemGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (key, key_share) = trace::measure(Step::KeyShare, || {
            let key = self.row.kem.generate(&mut SystemRng);
            let key_share = key.encaps_key_bytes();
            (key, key_share)
        });
        let of_part = |code| Some((code, key.classical_part()?.encaps_key_bytes()));
        let component = self.component.and_then(of_part);
        Ok(Box::new(ClientKeyExchange { code: self.code, key_share, component, key }))
    }

    fn start_and_complete(&self, client_share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let encapsulate = || Ok(self.row.kem.encaps_key(client_share)?.encapsulate(&mut SystemRng));
        let sent = trace::measure(Step::Encapsulate, encapsulate).map_err(invalid_share)?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: sent.ciphertext,
            secret: SharedSecret::from(sent.secret.as_ref()),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(self.code)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

impl fmt::Debug for KemGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (0x{:04X})", self.row.name(), self.code)
    }
}

/// State of the client between its ClientHello and the ServerHello.
struct ClientKeyExchange {
    code: u16,
    key_share: Vec<u8>,
    /// Codepoint and key share of a hybrid's classical part. rustls also sends it if the client offers that group.
    component: Option<(u16, Vec<u8>)>,
    key: Box<dyn DynDecapsKey>,
}

/// Decapsulates the server's share and returns the shared secret.
fn complete(key: &dyn DynDecapsKey, server_share: &[u8]) -> Result<SharedSecret, Error> {
    let decapsulate = || key.decapsulate(server_share);
    let secret = trace::measure(Step::Decapsulate, decapsulate).map_err(invalid_share)?;
    Ok(SharedSecret::from(secret.as_ref()))
}

impl ActiveKeyExchange for ClientKeyExchange {
    fn complete(self: Box<Self>, server_share: &[u8]) -> Result<SharedSecret, Error> {
        complete(&*self.key, server_share)
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        self.component.as_ref().map(|(code, share)| (NamedGroup::from(*code), share.as_slice()))
    }

    fn complete_hybrid_component(self: Box<Self>, server_share: &[u8]) -> Result<SharedSecret, Error> {
        let part = self.key.classical_part();
        complete(
            part.ok_or_else(|| Error::General("the group has no classical part".to_owned()))?,
            server_share,
        )
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn pub_key(&self) -> &[u8] {
        &self.key_share
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::from(self.code)
    }
}

/// A group that no server supports, with a meaningless key share: a GREASE value, RFC 8701.
///
/// A client offers it first, and other groups without key shares after it. The server then requests one of these with
/// a HelloRetryRequest.
#[derive(Debug)]
pub(crate) struct GreaseGroup;

impl GreaseGroup {
    const CODE: u16 = 0x2A2A;
}

impl SupportedKxGroup for GreaseGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Ok(Box::new(Self))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(Self::CODE)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

impl ActiveKeyExchange for GreaseGroup {
    fn complete(self: Box<Self>, _: &[u8]) -> Result<SharedSecret, Error> {
        Err(PeerMisbehaved::InvalidKeyShare.into())
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn pub_key(&self) -> &[u8] {
        &[0]
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::from(Self::CODE)
    }
}

/// Converts any error of a key share to the alert `illegal_parameter`, because the peer sent the share.
fn invalid_share(_: CoreError) -> Error {
    PeerMisbehaved::InvalidKeyShare.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_registry::Profile;

    #[test]
    fn default_groups_are_standardised_and_post_quantum() {
        let offered = default_groups(Numbers::default());
        assert!(!offered.is_empty());
        for row in offered {
            assert!(row.status == Status::Standard && row.category > 0, "{}", row.name());
        }
    }

    #[test]
    fn every_era_has_default_groups_and_prefers_standards() {
        for numbers in Profile::ALL.map(Numbers::for_profile) {
            let offered = default_groups(numbers);
            assert!(!offered.is_empty(), "{numbers}");
            let standard = |row: &&KemRow| row.status == Status::Standard;
            assert!(offered.iter().all(standard) || !offered.iter().any(standard), "{numbers}");
            assert!(offered.iter().all(|row| row.status != Status::Broken && row.category > 0), "{numbers}");
        }
    }

    #[test]
    fn hybrids_expose_their_classical_part() {
        for (hybrid, part) in
            [("X25519MLKEM768", Some(0x001D)), ("SecP384r1MLKEM1024", Some(0x0018)), ("ML-KEM-768", None)]
        {
            let numbers = Numbers::default();
            let group = group(kem_by_name(hybrid).unwrap(), numbers).unwrap();
            let started = group.start().unwrap();
            let component = started.hybrid_component().map(|(group, _)| u16::from(group));
            assert_eq!(component, part, "{hybrid}");
            if let Some((code, share)) = started.hybrid_component() {
                let row = numbers.kem_by_group(code.into()).unwrap();
                assert_eq!(share.len(), row.kem.info().encaps_key_len);
                let server = super::group(row, numbers).unwrap().start_and_complete(share).unwrap();
                let secret = started.complete_hybrid_component(&server.pub_key).unwrap();
                assert_eq!(secret.secret_bytes(), server.secret.secret_bytes());
            }
        }
    }
}
