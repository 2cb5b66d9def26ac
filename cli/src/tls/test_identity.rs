//! Test identities for measurements: a root and an end entity of one algorithm, in memory only.

use crate::cert::scripts::{self, ScriptChain};
use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Row, SignatureRow};
use grille_tls::{Client, ClientOptions, Identity, Preferences, Server, ServerOptions};
use std::time::Duration;

/// A root certificate, an end-entity certificate and its key.
pub(super) struct TestIdentity {
    root: Certificate,
    entity: Certificate,
    key: PrivateKey,
}

/// The name in the certificates.
pub(super) const NAME: &str = scripts::ENTITY_NAME;

impl TestIdentity {
    /// Generates keys and issues certificates.
    ///
    /// Their contents are those of wolfSSL's scripts without the e-mail address. Algorithms without a script get the
    /// serial numbers of Dilithium.
    ///
    /// # Errors
    /// None in practice: new keys are always valid.
    pub(super) fn generate(row: &'static SignatureRow) -> Result<Self, Error> {
        let rng = &mut SystemRng;
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let [root_serial, serial] =
            ScriptChain::for_algorithm(row).map_or([[0, 20], [0, 21]], ScriptChain::serials);
        let root = scripts::with_root_usage(Template::new(scripts::ROOT_SUBJECT, Profile::Root)?)
            .serial(&root_serial);
        let root = self_signed(&root, &root_key, rng)?;
        let entity = Template::new(scripts::ENTITY_SUBJECT, Profile::end_entity(&[NAME])?)?.serial(&serial);
        let entity = issue(&scripts::with_entity_purposes(entity), key.public_key(), &root, &root_key, rng)?;
        Ok(Self { root, entity, key })
    }

    /// Returns the signature algorithm's name.
    pub(super) fn algorithm(&self) -> &'static str {
        self.key.row().name()
    }

    /// Makes a server with this identity, and a client that trusts it; with `mutual` the client has the same identity.
    ///
    /// The server gives no tickets, so that every handshake is a full one.
    ///
    /// # Errors
    /// Returns an error if certificates, signatures or key shares are too long for TLS, or no port is free.
    pub(super) fn server_and_client(
        &self,
        preferences: Preferences,
        mutual: bool,
    ) -> Result<(Server, Client), Error> {
        let server = Server::bind(&format!("{NAME}:0"), self.server_options(preferences.clone(), mutual)?)?;
        Ok((server, Client::new(self.client_options(preferences, mutual)?)?))
    }

    /// Returns the options of the server of [`TestIdentity::server_and_client`].
    ///
    /// # Errors
    /// The errors of [`TestIdentity::server_and_client`].
    pub(super) fn server_options(
        &self,
        preferences: Preferences,
        mutual: bool,
    ) -> Result<ServerOptions, Error> {
        Ok(ServerOptions {
            preferences,
            client_roots: if mutual { self.roots() } else { Vec::new() },
            tickets: false,
            timeout: Some(TIMEOUT),
            ..ServerOptions::new(self.identity()?)
        })
    }

    /// Returns the options of the client of [`TestIdentity::server_and_client`].
    ///
    /// # Errors
    /// The errors of [`TestIdentity::server_and_client`].
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
            timeout: Some(TIMEOUT),
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

/// The default timeout of either side.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);
