//! Sides for trials: a root and an entity of one algorithm, in memory only.

use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Row, SignatureRow};
use grille_tls::{Client, ClientOptions, Identity, Preferences, Server, ServerOptions};
use std::time::Duration;

/// Whom others must trust, and what is shown.
pub(super) struct Party {
    root: Certificate,
    entity: Certificate,
    key: PrivateKey,
}

/// The name that the certificates are for.
pub(super) const NAME: &str = "127.0.0.1";

/// The distinguished names in wolfSSL's generate_falcon_chains.sh and its siblings.
const ROOT: &str = "C=CA,ST=ON,L=Waterloo,O=wolfSSL Inc.,OU=Engineering,CN=Root Certificate";
const ENTITY: &str = "C=CA,ST=ON,L=Waterloo,O=wolfSSL Inc.,OU=Engineering,CN=Entity Certificate";

impl Party {
    /// New keys and certificates: names, usages and validity are those of wolfSSL's scripts, without an address for
    /// mail and with one name for the entity.
    ///
    /// # Errors
    /// None that can happen to new keys.
    pub(super) fn generate(row: &'static SignatureRow) -> Result<Self, Error> {
        let rng = &mut SystemRng;
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let root = Template::new(ROOT, Profile::Root)?.serial(&[20]);
        let root = self_signed(&root, &root_key, rng)?;
        let entity = Template::new(ENTITY, Profile::end_entity(&[NAME])?)?.serial(&[21]);
        let entity = issue(&entity, key.public_key(), &root, &root_key, rng)?;
        Ok(Self { root, entity, key })
    }

    /// The signature algorithm's name.
    pub(super) fn algorithm(&self) -> &'static str {
        self.key.row().name()
    }

    /// A server of this party, and a client that trusts it; with `mutual` the client shows the same identity.
    ///
    /// No tickets are given, so that every handshake is a full one.
    ///
    /// # Errors
    /// If certificates, signatures or the groups' key shares are too long for TLS, or there is no free port.
    pub(super) fn ends(&self, preferences: Preferences, mutual: bool) -> Result<(Server, Client), Error> {
        let server = Server::bind(&format!("{NAME}:0"), self.server_options(preferences.clone(), mutual)?)?;
        Ok((server, Client::new(self.client_options(preferences, mutual)?)?))
    }

    /// For the server of [`Party::ends`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn server_options(
        &self,
        preferences: Preferences,
        mutual: bool,
    ) -> Result<ServerOptions, Error> {
        Ok(ServerOptions {
            preferences,
            client_roots: if mutual { self.roots() } else { Vec::new() },
            tickets: false,
            timeout: Some(PATIENCE),
            ..ServerOptions::new(self.identity()?)
        })
    }

    /// For the client of [`Party::ends`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn client_options(
        &self,
        preferences: Preferences,
        mutual: bool,
    ) -> Result<ClientOptions, Error> {
        Ok(ClientOptions {
            preferences,
            roots: self.roots(),
            identity: mutual.then(|| self.identity()).transpose()?,
            resume: false,
            timeout: Some(PATIENCE),
            ..ClientOptions::default()
        })
    }

    fn roots(&self) -> Vec<Certificate> {
        vec![self.root.clone()]
    }

    fn identity(&self) -> Result<Identity, Error> {
        Ok(Identity::new(std::slice::from_ref(&self.entity), &self.key)?)
    }
}

/// How long either side waits for the other.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
