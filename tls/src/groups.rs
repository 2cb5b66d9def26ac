//! Every KEM of the registry that has a codepoint, as a TLS 1.3 key-exchange group.
//!
//! One type serves pure, hybrid and classical groups alike: the client's key share is an encapsulation key, the
//! server's is a ciphertext. Hybrids concatenate; the key schedule hashes.

use crate::trace::{self, Step};
use grille_core::{DynDecapsKey, Error as CoreError, SystemRng};
use grille_registry::{KEMS, KemRow, Row, Status};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use std::fmt;
use std::sync::OnceLock;

/// The longest key share that is offered, in bytes: a handshake message of rustls ends at 2¹⁶ - 1 bytes, and a kibibyte
/// of them is left to the rest of the ClientHello, which is some 200 bytes and the application's protocols.
pub const MAX_KEY_SHARE_LEN: usize = (1 << 16) - 1 - 1024;

/// The group that `row` stands for; `None` if it has no codepoint or its key shares do not fit into TLS.
#[must_use]
pub fn group(row: &KemRow) -> Option<&'static dyn SupportedKxGroup> {
    let group = groups().iter().find(|group| group.row.name() == row.name())?;
    Some(group)
}

/// What is offered without being asked for: the quantum-safe standards, hybrids first, each kind in the registry's
/// order.
#[must_use]
pub fn default_groups() -> Vec<&'static KemRow> {
    let offered = |row: &&KemRow| row.status == Status::Standard && row.category > 0 && group(row).is_some();
    let (hybrids, pure): (Vec<_>, Vec<_>) = KEMS.iter().filter(offered).partition(|row| row.kem.is_hybrid());
    hybrids.into_iter().chain(pure).collect()
}

fn groups() -> &'static [KemGroup] {
    static GROUPS: OnceLock<Vec<KemGroup>> = OnceLock::new();
    GROUPS.get_or_init(|| KEMS.iter().filter_map(KemGroup::new).collect())
}

struct KemGroup {
    row: &'static KemRow,
    code: u16,
}

impl KemGroup {
    fn new(row: &'static KemRow) -> Option<Self> {
        let info = row.kem.info();
        let fits = info.encaps_key_len.max(info.ciphertext_len) <= MAX_KEY_SHARE_LEN;
        row.tls_group.filter(|_| fits).map(|code| Self { row, code })
    }
}

impl SupportedKxGroup for KemGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (key, key_share) = trace::timed(Step::KeyShare, || {
            let key = self.row.kem.generate(&mut SystemRng);
            let key_share = key.encaps_key_bytes();
            (key, key_share)
        });
        Ok(Box::new(Started { code: self.code, key_share, key }))
    }

    fn start_and_complete(&self, client_share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let encapsulate = || Ok(self.row.kem.encaps_key(client_share)?.encapsulate(&mut SystemRng));
        let sent = trace::timed(Step::Encapsulate, encapsulate).map_err(invalid_share)?;
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

/// The client's side between its ClientHello and the ServerHello.
struct Started {
    code: u16,
    key_share: Vec<u8>,
    key: Box<dyn DynDecapsKey>,
}

impl ActiveKeyExchange for Started {
    fn complete(self: Box<Self>, server_share: &[u8]) -> Result<SharedSecret, Error> {
        let decapsulate = || self.key.decapsulate(server_share);
        let secret = trace::timed(Step::Decapsulate, decapsulate).map_err(invalid_share)?;
        Ok(SharedSecret::from(secret.as_ref()))
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

/// Whatever is wrong with a share, the peer sent it: the alert is `illegal_parameter`.
fn invalid_share(_: CoreError) -> Error {
    PeerMisbehaved::InvalidKeyShare.into()
}
