//! Sides for trials: a root and an entity of one algorithm, in memory only.

use crate::cert::scripts::{self, Scripted};
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
pub(super) const NAME: &str = scripts::ENTITY_NAME;

impl Party {
    /// New keys, and certificates that say what those of wolfSSL's scripts say but for an address for mail; of algorithms
    /// without a script, with the serial numbers of Dilithium.
    ///
    /// # Errors
    /// None that can happen to new keys.
    pub(super) fn generate(row: &'static SignatureRow) -> Result<Self, Error> {
        let rng = &mut SystemRng;
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let [root_serial, serial] = Scripted::of(row).map_or([[0, 20], [0, 21]], Scripted::serials);
        let root = scripts::root(Template::new(scripts::ROOT, Profile::Root)?).serial(&root_serial);
        let root = self_signed(&root, &root_key, rng)?;
        let entity = Template::new(scripts::ENTITY, Profile::end_entity(&[NAME])?)?.serial(&serial);
        let entity = issue(&scripts::entity(entity), key.public_key(), &root, &root_key, rng)?;
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
