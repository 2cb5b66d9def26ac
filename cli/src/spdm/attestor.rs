//! Attestation of one device: the shared options, and the SPDM exchange.

use super::appraisal::criteria::Criteria;
use super::appraisal::device_mode::Modes;
use super::appraisal::identity::Fingerprint;
use super::appraisal::reason::Reason;
use super::attested::{Attested, Authenticated, Proof};
use super::capability_conflicts::remove_contradictory_versions;
use super::credential_place::CredentialPlace;
use super::device::{MUTUAL, REQUESTER};
use super::emulation::slot;
use super::hybrid_options;
use super::link::Link;
use super::local_identity::{self, KeyFiles, Psk};
use super::manifest::Manifest;
use super::options::{Options, certificates, in_era, revocation_lists, seconds};
use super::policy::{Form, Policy};
use super::pqc2021::description::{is_dialect, signs_measurements};
use super::pqc2021::dialect::Dialect;
use super::pqc2021::key_set::PeerRawKeys;
use super::requirements;
use super::session_method::Session;
use super::target::Target;
use crate::arguments::host_and_address;
use crate::error::Error;
use crate::hex;
use crate::output::Output;
use clap::ArgGroup;
use clap::builder::PossibleValuesParser;
use grille_pki::PublicKey;
use grille_registry::Numbers;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Binding, Config, Role};
use grille_spdm_engine::connection::Connection;
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure,
    MeasuredBlock, OpenPskSession, OpenSession,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::Roots;
use serde_json::json;
use std::collections::HashMap;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Options for attesting a device or a fleet.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("trust_anchor").required(true).multiple(true).args(["ca", "peer_key", "peer_raw_keys"]))]
pub(super) struct AttestOptions {
    /// Trust these roots (PEM); repeatable.
    #[arg(long, value_name = "FILE", conflicts_with = "peer_key")]
    ca: Vec<PathBuf>,
    /// Distrust chains that contain a certificate revoked by these lists (CRL, PEM or DER); repeatable. Each issuer
    /// in the chain needs a current list [default: revocation is not checked].
    #[arg(long, value_name = "FILE", conflicts_with = "peer_key")]
    crl: Vec<PathBuf>,
    /// Trust this public key of the device (PEM or DER), or a certificate with it, instead of roots. The device then
    /// uses slot 0xFF, without a chain.
    #[arg(long = "peer-key", alias = "peer_key", value_name = "FILE", conflicts_with = "peer_raw_keys")]
    peer_key: Option<PathBuf>,
    /// Request the chain in this slot, 0 to 7 [default: 0; 0xFF with --peer-key, or with --peer-raw-keys and without
    /// --ca].
    #[arg(long = "slot-id", alias = "slot_id", visible_alias = "slot", value_name = "N", value_parser = slot)]
    slot: Option<u8>,
    /// Authenticate this side with this slot if the device requires it. Slots 0 to 7 use the chain of --cert. Slot 0xFF
    /// uses public keys that the device already knows: that of --key, or in the dialect those of --raw-keys
    /// [default: 0].
    #[arg(long = "req-slot-id", alias = "req_slot_id", value_name = "N", value_parser = slot)]
    req_slot: Option<u8>,
    /// Compare the measurements with this manifest, which --save writes [default: measurements are not compared].
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// Accept devices in these modes with --reference; comma-separated [default: normal operation only].
    #[arg(long = "allow-mode", value_name = "MODES", value_delimiter = ',', value_parser = PossibleValuesParser::new(Modes::NAMES.map(|(name, _)| name)))]
    allow_mode: Vec<String>,
    /// Trust roots whose private keys are published, such as DMTF's sample roots. A verdict that relies on
    /// one of them says so.
    #[arg(long = "test-root", alias = "test_root")]
    test_root: bool,
    /// Read the measurements in a session, opened with a key exchange (KEY_EX) or a pre-shared key (PSK).
    #[arg(long, value_name = "HOW")]
    session: Option<Session>,
    /// Limit the total time for one device, in seconds; --timeout limits the wait for each response.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, allow_negative_numbers = true, value_parser = seconds())]
    deadline: u64,
    /// The pre-shared key, which only --session PSK uses.
    #[command(flatten)]
    psk: Psk,
    /// This side's chain and key, which are used if devices require mutual authentication.
    #[command(flatten)]
    files: KeyFiles,
    #[command(flatten)]
    options: Options,
}

impl AttestOptions {
    /// Returns whether existing files may be replaced.
    pub(super) const fn overwrites(&self) -> bool {
        self.options.overwrites()
    }

    /// Returns the slot to attest.
    ///
    /// # Errors
    /// Returns an error if the slot has a chain and the options trust only a public key, or vice versa.
    fn slot(&self) -> Result<u8, Error> {
        let wrong =
            |problem: &str, advice: &str| Err(Error::usage(problem).with_place("--slot-id").advise(advice));
        let (is_dialect, has_roots) = (self.options.spec.is_dialect(), !self.ca.is_empty());
        match (self.slot, &self.peer_key) {
            (None, None) if !has_roots => Ok(PROVISIONED),
            (Some(PROVISIONED), None) if is_dialect && has_roots => wrong(
                "slot 0xFF has no chain, so --ca has no effect",
                "omit --ca, or name a slot from 0 to 7",
            ),
            (Some(PROVISIONED), None) if is_dialect => Ok(PROVISIONED),
            (Some(_), None) if is_dialect && !has_roots => wrong(
                "this slot has a chain, and no roots are trusted",
                "name the roots with --ca, or give --slot-id 0xFF",
            ),
            (Some(PROVISIONED), None) => wrong(
                "slot 0xFF has a provisioned public key and no chain",
                "name the file of the key with --peer-key",
            ),
            (Some(slot), Some(_)) if slot != PROVISIONED => {
                wrong("--peer-key works only with slot 0xFF", "omit --slot-id, or name the roots with --ca")
            }
            (slot, key) => Ok(slot.unwrap_or(if key.is_some() { PROVISIONED } else { 0 })),
        }
    }

    /// Returns the slot with which this side authenticates itself.
    fn req_slot(&self) -> u8 {
        self.req_slot.unwrap_or_default()
    }

    /// Checks that options name a key for the slot of --req-slot-id.
    ///
    /// # Errors
    /// Returns an error if the key is missing, or is not of the kind that the slot has.
    fn check_req_slot(&self) -> Result<(), Error> {
        let Some(slot) = self.req_slot else { return Ok(()) };
        let has_raw_keys = self.options.spec.has_own_keys();
        let is_raw = self.options.spec.is_dialect() && slot == PROVISIONED;
        let (problem, advice) = match (is_raw, self.files.are_given()) {
            (true, true) => (
                "slot 0xFF of the dialect has only the keys of --raw-keys",
                "omit --key, or name a slot from 0 to 7",
            ),
            (true, false) if !has_raw_keys => {
                ("the private keys of this slot are missing", "name their folder with --raw-keys")
            }
            (false, false) => ("the private key of this slot is missing", "name its file with --key"),
            _ => return Ok(()),
        };
        Err(Error::usage(problem).with_place("--req-slot-id").advise(advice))
    }

    /// Adds this side's chain or provisioned key to `identity`, if files name them. `allowed` are the allowed signature
    /// algorithms, and `numbers` the object identifiers in the files.
    ///
    /// # Errors
    /// Returns an error if a file is missing or invalid.
    fn identify(
        &self,
        identity: Identity,
        allowed: &[Asym],
        numbers: Numbers,
        out: &Output,
    ) -> Result<Option<Identified>, Error> {
        if self.req_slot() == PROVISIONED && !self.options.spec.is_dialect() {
            return Ok(Some((self.files.add_provisioned_key(identity, allowed)?, None)));
        }
        let Some(signed) = self.files.read(allowed, numbers)? else { return Ok(None) };
        signed.warn(Prover::Requester, out);
        let identity = local_identity::add_to_slot(identity, self.req_slot(), 1, &signed);
        Ok(Some((identity, Some(signed.asym()))))
    }

    /// Adds this side's credentials of all kinds to `identity`, and its capabilities to `config`.
    ///
    /// # Errors
    /// Returns an error if a file is missing or invalid.
    fn credentials(
        &self,
        identity: Identity,
        dialect: &mut Dialect,
        config: &mut Config,
        out: &Output,
    ) -> Result<Identity, Error> {
        if dialect.needs_requester_chain() && !self.files.are_given() {
            let problem =
                Error::usage("the requester needs a hybrid certificate").with_place("--pqc-req-sig");
            return Err(problem.advise("name its chain with --cert and its key with --key"));
        }
        let bits = hybrid_options::requester_algorithms(&config.algorithms);
        let chains = dialect.chains(Role::Requester, &bits)?;
        let allowed: Vec<Asym> = chains.iter().map(|chain| chain.asym).collect();
        let certified = self.identify(identity.clone(), &allowed, dialect.numbers(), out)?;
        dialect.limit(config, Role::Requester, &chains, certified.as_ref().and_then(|(_, asym)| *asym));
        if certified.is_some() || !dialect.own.is_empty() {
            let place = self.options.place(CredentialPlace::new(self.req_slot(), 1));
            config.limits.flags = place.adapt_capabilities(config.limits.flags | MUTUAL);
        }
        let identity = certified.map_or(identity, |(identity, _)| identity);
        Ok(mem::take(&mut dialect.own).add_to(identity))
    }

    /// Returns the input files, except the manifest.
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let trusted = self.ca.iter().chain(&self.crl).chain(&self.peer_key).map(PathBuf::as_path);
        trusted.chain(self.files.inputs()).chain(self.psk.input())
    }
}

/// An identity with a credential of this side, and the algorithm of its chain; `None` without a chain.
type Identified = (Identity, Option<Asym>);

/// Attests one device per call. Several threads can share it.
pub(super) struct Attestor<'a> {
    how: &'a AttestOptions,
    slot: u8,
    roots: Arc<Roots>,
    /// The provisioned public key, for devices without a chain.
    peer_key: Option<PublicKey>,
    reference: Option<Manifest>,
    /// Manifests that lines of a fleet list name.
    references: HashMap<PathBuf, Manifest>,
    criteria: Criteria,
    config: Config,
    identity: Identity,
    psk_hint: Vec<u8>,
    /// The devices' keys without certificates, in the dialect.
    raw_keys: PeerRawKeys,
    /// Whether the keys without certificates are bound into transcripts; `None` if neither side has such keys.
    raw_keys_bound: Option<bool>,
    /// The policy, except the parts that a line of a fleet list sets.
    policy: Form,
}

impl<'a> Attestor<'a> {
    /// Reads all input files. `saved`: the file of --save, if it is given.
    ///
    /// # Errors
    /// Returns an error if a file or an option is invalid.
    pub(super) fn new(how: &'a AttestOptions, saved: Option<&'a Path>, out: &Output) -> Result<Self, Error> {
        if how.session.is_some() && how.options.binding() == Binding::Bare {
            return Err(Error::usage("--trans NONE does not support sessions").with_place("--session"));
        }
        if let Some(option) = how.psk.named_option().filter(|_| how.session != Some(Session::Psk)) {
            let problem = Error::usage("no session with a pre-shared key is requested").with_place(option);
            return Err(problem.advise("add --session PSK"));
        }
        how.psk.check_named(how.session == Some(Session::Psk))?;
        how.options.spec.check_peer_key(how.peer_key.is_some())?;
        let slot = how.slot()?;
        how.check_req_slot()?;
        how.options.check_requesters()?;
        let inputs: Vec<&Path> = how.inputs().chain(how.reference.as_deref()).collect();
        how.options.check_outputs(saved, &inputs)?;
        let mut dialect = how.options.dialect(Role::Requester)?;
        dialect.warn(out);
        let raw_keys_bound = dialect.binds_keys();
        let mut config =
            dialect.configure(how.options.config(REQUESTER)?, slot, how.options.named().classical)?;
        if how.session == Some(Session::Psk) {
            config.limits.flags = config.limits.flags | Caps::PSK;
        }
        how.session.map_or(Ok(()), |session| session.check(config.limits.flags))?;
        let (identity, is_test_psk) = how.psk.checked_identity()?;
        let identity = how.credentials(identity, &mut dialect, &mut config, out)?;
        let config = remove_contradictory_versions(config, Role::Requester, &how.options, out)?;
        let criteria = Criteria {
            allowed_modes: Modes::by_names(how.allow_mode.iter().map(String::as_str)),
            allows_test_roots: how.test_root,
            uses_test_psk: how.session == Some(Session::Psk) && is_test_psk,
        };
        let roots = Roots::new(in_era(certificates(&how.ca)?, dialect.numbers()))
            .with_crls(revocation_lists(&how.crl)?);
        let policy = Form::new(&roots.roots, &config).with_dialect(dialect.policy());
        let mut attestor = Self {
            how,
            slot,
            roots: Arc::new(roots),
            peer_key: how.peer_key.as_deref().map(local_identity::public_key).transpose()?,
            reference: how.reference.as_deref().map(Manifest::read).transpose()?,
            references: HashMap::new(),
            criteria,
            config,
            identity,
            psk_hint: how.psk.hint()?,
            raw_keys: dialect.peer,
            raw_keys_bound,
            policy,
        };
        attestor.policy = attestor.common_policy()?;
        Ok(attestor)
    }

    /// Reads the manifest named by a line of a fleet list, unless it was read before.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a manifest.
    pub(super) fn prepare(&mut self, target: &Target) -> Result<(), Error> {
        if let Some(path) = target.reference.as_ref().filter(|path| !self.references.contains_key(*path)) {
            self.references.insert(path.clone(), Manifest::read(path)?);
        }
        Ok(())
    }

    /// Returns the expected measurements of this device, if there are any.
    fn reference(&self, target: &Target) -> Option<&Manifest> {
        match &target.reference {
            Some(path) => self.references.get(path),
            None => self.reference.as_ref(),
        }
    }

    /// Returns the default port of devices.
    pub(super) fn port(&self) -> u16 {
        self.how.options.port()
    }

    /// Returns the fingerprint of everything that decides the verdict on this device.
    pub(super) fn policy(&self, target: &Target) -> Policy {
        let form = match self.reference(target) {
            None => self.policy.clone(),
            Some(reference) => self.policy.clone().with("reference", reference.canonical()),
        };
        let identity = Some(&target.expected).filter(|expected| !expected.is_any());
        form.with("identity", json!(identity)).fingerprint()
    }

    /// Returns the parts of the policy that apply to every device.
    fn common_policy(&self) -> Result<Form, Error> {
        let mut modes: Vec<&str> = self.criteria.allowed_modes.names().collect();
        modes.sort_unstable();
        let is_psk = self.how.session == Some(Session::Psk);
        let key = self.peer_key.as_ref().map(PublicKey::to_spki_der).transpose()?;
        let form = self.policy.clone();
        Ok(form
            .with_crls(&self.roots.crls)
            .with("transport", self.how.options.binding().name())
            .with("slot", self.slot)
            .with("session", self.how.session.map(Session::name))
            .with("psk_hint", is_psk.then(|| hex::encode(&self.psk_hint).to_string()))
            .with("allow_modes", modes)
            .with("test_root", self.criteria.allows_test_roots)
            .with("test_psk", self.criteria.uses_test_psk)
            .with("key", key.map(|key| Fingerprint::new(&key).to_string())))
    }

    /// Attests a device, and also returns its measurements.
    ///
    /// # Errors
    /// Returns an error if the device cannot be reached or cannot prove its identity.
    pub(super) fn attest(&self, target: &Target) -> Result<(Attested, Vec<MeasuredBlock>), Error> {
        let (_, address) = host_and_address(&target.endpoint, self.how.options.port());
        let until = Instant::now() + Duration::from_secs(self.how.deadline);
        let mut link = Link::connect(&self.how.options, address.clone(), Some(until))?;
        let judge = Box::new(self.roots.clone());
        let config = Config { key_log: self.how.options.key_log()?, ..self.config.clone() };
        let mut requester = Requester::new(config, self.identity.clone(), judge);
        if let Some(key) = &self.peer_key {
            requester.provision(key.clone());
        }
        requester.provision_raw(self.raw_keys.keys());
        let (authenticated, blocks) =
            self.authenticate(&mut requester, &mut link).map_err(|error| error.or_place(&address))?;
        // DMTF's emulator exits unless a requester announces that it leaves. A failure does not matter: the
        // measurements have arrived.
        let _ = link.disconnect_emulator();
        let reference = self.reference(target);
        Ok((Attested::new(target, authenticated, &blocks, reference, &self.criteria), blocks))
    }

    fn authenticate(
        &self,
        requester: &mut Requester,
        link: &mut Link,
    ) -> Result<(Authenticated, Vec<MeasuredBlock>), Error> {
        let slot = self.slot;
        requester.run(Connect::new(), link)?;
        if !is_dialect(requester.connection()) {
            check_slot(slot, requester.connection().responder().flags)?;
        }
        requirements::check_signing_slot(slot, requester.connection().version())?;
        let chain = if slot != PROVISIONED {
            requester.run(FetchDigests, link)?;
            requester.run(FetchCertificate::new(slot), link)?
        } else {
            Vec::new()
        };
        if requester.run(ChallengeResponder::new(slot, 0), link)?.mutual {
            requester.run(AnswerMutualAuth::new(), link)?;
        }
        check_signs_measurements(requester.connection())?;
        let measure = Measure::all_signed(slot);
        let session = match self.how.session {
            None => None,
            Some(Session::KeyEx) => Some(requester.run(OpenSession::new(slot), link)?),
            Some(Session::Psk) => Some(requester.run(OpenPskSession::new(&self.psk_hint), link)?),
        };
        let blocks = match session {
            None => requester.run(measure, link)?.blocks,
            Some(session) => {
                let measured = requester.run(measure.within(session), link)?;
                requester.run(End(session), link)?;
                measured.blocks
            }
        };
        let connection = requester.connection();
        let proof = self.proof(connection, &chain)?;
        Ok((Authenticated::new(connection, slot, self.how.session, proof, self.raw_keys_bound)?, blocks))
    }

    /// Returns the credential that authenticated the device.
    fn proof<'p>(&'p self, connection: &Connection, chain: &'p [u8]) -> Result<Proof<'p>, Error> {
        if let Some(key) = &self.peer_key {
            return Ok(Proof::Key(key));
        }
        if self.slot != PROVISIONED {
            let numbers = self.config.pqc2021.map_or_else(Numbers::default, |options| options.numbers());
            return Ok(Proof::Chain(chain, &self.roots.roots, numbers));
        }
        let selected = connection.negotiated().and_then(|negotiated| negotiated.algorithms.pqc2021);
        let key = selected.and_then(|selected| self.raw_keys.signature(selected.responder.post_quantum?));
        key.map(Proof::RawKey).ok_or_else(|| unsupported("the device has no known signature key"))
    }
}

/// Checks that a device with these capabilities has a credential of the right kind in this slot.
///
/// # Errors
/// Returns an error if the device has a public key instead of a chain, or vice versa.
fn check_slot(slot: u8, flags: Caps) -> Result<(), Error> {
    check_provisioned_key_support(
        slot,
        flags,
        "use --ca instead of --peer-key to trust the roots of its certificates",
    )?;
    if slot == PROVISIONED || !flags.contains(Caps::PUB_KEY_ID) || flags.contains(Caps::CERT) {
        return Ok(());
    }
    let problem = "the device has no certificates, only a provisioned public key";
    Err(unsupported(problem).advise("name the file of that key with --peer-key instead of --ca"))
}

/// Checks that the device signs measurements.
///
/// # Errors
/// Returns an error if the device does not sign measurements.
fn check_signs_measurements(connection: &Connection) -> Result<(), Error> {
    if signs_measurements(connection) {
        return Ok(());
    }
    let advice = if is_dialect(connection) && connection.responder().flags.contains(Caps::MEAS_SIG) {
        "KEM authentication does not sign: negotiate a signature, too, with --pqc-sig".to_owned()
    } else {
        let capability = requirements::capabilities_with_options(Caps::MEAS_SIG);
        format!("enable signed measurements on the device: it needs {capability}")
    };
    Err(unsupported("the device does not sign measurements").advise(advice))
}

/// Returns the error for a missing feature of the device.
fn unsupported(problem: &str) -> Error {
    Error::failure(problem).with_code(Reason::Unsupported.code())
}

/// Checks that a device supports a provisioned public key if `slot` is 0xFF.
///
/// # Errors
/// Returns an error with `advice` if `slot` is 0xFF and the device supports no provisioned public key.
pub(super) fn check_provisioned_key_support(slot: u8, flags: Caps, advice: &str) -> Result<(), Error> {
    if slot != PROVISIONED || flags.contains(Caps::PUB_KEY_ID) {
        return Ok(());
    }
    Err(unsupported("the device does not support a provisioned public key").advise(advice))
}
