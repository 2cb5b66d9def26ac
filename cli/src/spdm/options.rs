//! Options shared by all SPDM subcommands, with the names and values of DMTF's emulators.

use super::algorithms::{Choice, Table, classical, version_name};
use super::capture::Capture;
use super::credential_place::CredentialPlace;
use super::hybrid_options::HybridOptions;
use super::inputs::{Input, documents};
use super::key_log;
use super::named_algorithms::NamedAlgorithms;
use super::pqc2021::dialect::Dialect;
use super::pqc2021::spec::SpecOptions;
use super::timed::TimedSocket;
use crate::error::Error;
use crate::files;
use crate::input_checks::refuse_replacing_inputs;
use crate::output::Output;
use clap::builder::RangedI64ValueParser;
use grille_pki::{Certificate, Crl, Kind};
use grille_registry::Numbers;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{MelSpecification, OtherParams};
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::{Config, KeyLog, Role};
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::connection::Connection;
use grille_spdm_transport::{emulator, tcp};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, clap::Args)]
pub(crate) struct Options {
    /// Use this transport, in the frames of DMTF's emulators; NONE does not support sessions.
    #[arg(long, value_name = "TRANSPORT", default_value = "MCTP", value_parser = Binding::ALL.map(Binding::name))]
    trans: String,
    /// Use SPDM over TCP (DSP0287) without the frames of DMTF's emulators.
    #[arg(long)]
    bare: bool,
    /// Offer these versions of SPDM, 1.0 to 1.4, comma-separated [default: all].
    #[arg(long, value_name = "VERSIONS")]
    ver: Option<String>,
    /// Offer these versions of secured messages, 1.0 to 1.3, comma-separated [default: all].
    #[arg(long = "sec-ver", alias = "sec_ver", value_name = "VERSIONS")]
    sec_ver: Option<String>,
    /// Offer these capabilities, such as CERT,CHAL,KEY_EX; NONE for none. Lists of names are comma-separated
    /// [default: all that this subcommand uses].
    #[arg(long, value_name = "NAMES")]
    cap: Option<String>,
    /// Offer these base hashes, such as SHA_384; the responder selects the strongest common one [default: all].
    #[arg(long, value_name = "NAMES")]
    hash: Option<String>,
    /// Use this measurement specification: DMTF.
    #[arg(long = "meas-spec", alias = "meas_spec", value_name = "NAMES", default_value = "DMTF")]
    meas_spec: String,
    /// Use the strongest of these measurement hashes, such as SHA_384. No effect on requesters [default: the
    /// responder's choice].
    #[arg(long = "meas-hash", alias = "meas_hash", value_name = "NAMES")]
    meas_hash: Option<String>,
    /// Use this measurement log specification: DMTF.
    #[arg(long = "mel-spec", alias = "mel_spec", value_name = "NAMES", default_value = "DMTF")]
    mel_spec: String,
    /// Offer these classical signatures, such as ECDSA_P384 [default: all; a responder only offers those it has keys
    /// for].
    #[arg(long, value_name = "NAMES")]
    asym: Option<String>,
    /// Offer these classical signatures for authenticating the requester [default: all].
    #[arg(long = "req-asym", alias = "req_asym", value_name = "NAMES")]
    req_asym: Option<String>,
    /// Offer these post-quantum signatures, such as ML_DSA_87 [default: all; a responder only offers those it has
    /// keys for].
    #[arg(long = "pqc-asym", alias = "pqc_asym", value_name = "NAMES")]
    pqc_asym: Option<String>,
    /// Offer these post-quantum signatures for authenticating the requester [default: all].
    #[arg(long = "req-pqc-asym", alias = "req_pqc_asym", value_name = "NAMES")]
    req_pqc_asym: Option<String>,
    /// Offer these classical key exchanges, such as SECP_384_R1 [default: all].
    #[arg(long, value_name = "NAMES")]
    dhe: Option<String>,
    /// Offer these post-quantum key exchanges, such as ML_KEM_1024 [default: all].
    #[arg(long, value_name = "NAMES")]
    kem: Option<String>,
    /// Offer these AEAD ciphers for sessions, such as AES_256_GCM [default: all].
    #[arg(long, value_name = "NAMES")]
    aead: Option<String>,
    /// Offer this key schedule: HMAC_HASH.
    #[arg(long = "key-schedule", alias = "key_schedule", value_name = "NAMES", default_value = "HMAC_HASH")]
    key_schedule: String,
    /// Offer these other parameters: OPAQUE_FMT_1, MULTI_KEY_CONN.
    #[arg(
        long = "other-param",
        alias = "other_param",
        value_name = "NAMES",
        default_value = "OPAQUE_FMT_1,MULTI_KEY_CONN"
    )]
    other_param: String,
    #[command(flatten)]
    pub(super) spec: SpecOptions,
    #[command(flatten)]
    hybrids: HybridOptions,
    /// Prefer post-quantum algorithms [default: TRUE].
    #[arg(long = "pqc-first", alias = "pqc_first", value_name = "BOOL", value_parser = ["TRUE", "FALSE"])]
    pqc_first: Option<String>,
    /// Wait this many seconds for each message of the other side.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, allow_negative_numbers = true, value_parser = seconds())]
    timeout: u64,
    /// Write all sent and received messages to this capture, in the format of DMTF's emulators.
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Write the secrets of all sessions to this key log, for `grille spdm dump --keys`.
    #[arg(long = "key-log", alias = "key_log", value_name = "FILE")]
    key_log: Option<PathBuf>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

impl Options {
    /// Returns the configuration that the options describe.
    ///
    /// # Errors
    /// Returns an error if an option has an unknown name.
    pub(crate) fn config(&self, flags: CapabilityFlags) -> Result<Config, Error> {
        if self.bare && self.binding() != Binding::Tcp {
            let problem =
                Error::usage("only SPDM over TCP works without the emulators' frames").with_place("--bare");
            return Err(problem.advise("add --trans TCP"));
        }
        let given = self.cap.as_deref().map(|names| Table::Capabilities.bits(names)).transpose()?;
        let base = Config::with(given.map_or(flags, CapabilityFlags));
        let versions = self.ver.as_deref().map_or(Ok(base.versions.clone()), versions)?;
        let versions = self.versions_of_spec(versions)?;
        let secured = self.sec_ver.as_deref().map(secured_versions).transpose()?;
        if Table::MeasurementSpecification.bits(&self.meas_spec)? == 0 {
            let problem = Error::usage("DMTF is the only measurement specification");
            return Err(problem
                .with_place("--meas-spec")
                .advise("omit MEAS_SIG from the responder's --cap to disable measurements"));
        }
        let bits = self.bits()?;
        Ok(Config {
            algorithms: if versions.contains(&Version::V1_4) { bits } else { classical(bits) },
            versions,
            secured_versions: secured.unwrap_or(base.secured_versions),
            other_params: OtherParams(Table::OtherParams.bits(&self.other_param)? as u8),
            mel_specification: MelSpecification(Table::MelSpecification.bits(&self.mel_spec)? as u8),
            pqc_first: self.pqc_first.as_deref().is_none_or(|first| first.eq_ignore_ascii_case("TRUE")),
            binding: self.binding(),
            patience: Duration::from_secs(self.timeout),
            ..base
        })
    }

    /// Returns the versions of the specification: the dialect exists only in SPDM 1.1, and hybrids in 1.4.
    ///
    /// # Errors
    /// Returns an error if the user excluded 1.1, or 1.4 for hybrids, or named algorithms that the specification does not
    /// have.
    fn versions_of_spec(&self, versions: Vec<Version>) -> Result<Vec<Version>, Error> {
        self.hybrids.check(&self.spec, &versions)?;
        if !self.spec.is_dialect() {
            return Ok(versions);
        }
        if !versions.contains(&Version::V1_1) {
            return Err(
                Error::usage("the dialect of openspdm-pqc exists only in SPDM 1.1").with_place("--ver")
            );
        }
        let is_named = |names: &Option<String>| {
            names.as_deref().is_some_and(|names| !names.eq_ignore_ascii_case("NONE"))
        };
        [
            (&self.pqc_asym, "--pqc-asym", "--pqc-sig"),
            (&self.req_pqc_asym, "--req-pqc-asym", "--pqc-req-sig"),
            (&self.kem, "--kem", "--pqc-kem"),
        ]
        .into_iter()
        .find(|(names, ..)| is_named(names))
        .map_or(Ok(vec![Version::V1_1]), |(_, option, instead)| {
            let problem = "the dialect of openspdm-pqc uses different post-quantum algorithms";
            Err(Error::usage(problem).with_place(option).advise(format_args!("use {instead}")))
        })
    }

    /// Reads the dialect's options, this side's raw keys and the peer's, if --spec selects the dialect; otherwise
    /// returns an empty [`Dialect`]. `own` is this side's role.
    ///
    /// # Errors
    /// Returns an error if an option contradicts another one, or a key is missing or malformed.
    pub(super) fn dialect(&self, own: Role) -> Result<Dialect, Error> {
        Dialect::read(&self.spec, own)
    }

    /// Returns the place of credentials, adapted to the dialect if --spec selects it.
    pub(super) fn place(&self, place: CredentialPlace) -> CredentialPlace {
        if self.spec.is_dialect() { place.in_dialect() } else { place }
    }

    fn bits(&self) -> Result<Bits, Error> {
        let all = |table: Table| table.rows().into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(",");
        let names = |option: &Option<String>, table| option.clone().unwrap_or_else(|| all(table));
        let chosen = Choice {
            hash: &names(&self.hash, Table::Hash),
            asym: &names(&self.asym, Table::Asym),
            pqc_asym: &names(&self.pqc_asym, Table::PqcAsym),
            dhe: &names(&self.dhe, Table::Dhe),
            kem: &names(&self.kem, Table::Kem),
            aead: &names(&self.aead, Table::Aead),
        };
        let measured = self.meas_hash.as_deref().map_or(Ok(0), |names| Table::MeasurementHash.bits(names))?;
        let hybrids = if self.spec.has_hybrids() { self.hybrids.bits()? } else { Bits::default() };
        Ok(Bits {
            hybrid_asym: hybrids.hybrid_asym,
            req_hybrid_asym: hybrids.req_hybrid_asym,
            hybrid_kem: hybrids.hybrid_kem,
            req_asym: Table::ReqAsym.bits(&names(&self.req_asym, Table::ReqAsym))? as u16,
            req_pqc_asym: Table::ReqPqcAsym.bits(&names(&self.req_pqc_asym, Table::ReqPqcAsym))? as u16,
            key_schedule: Table::KeySchedule.bits(&self.key_schedule)? as u16,
            measurement_hash: measured.checked_ilog2().map_or(0, |bit| 1 << bit),
            ..chosen.bits()?
        })
    }

    /// Returns whether the user named responder signature algorithms, by kind.
    pub(crate) const fn named(&self) -> NamedAlgorithms {
        NamedAlgorithms {
            classical: self.asym.is_some(),
            post_quantum: self.pqc_asym.is_some(),
            hybrid: self.hybrids.names_signatures(),
        }
    }

    /// Returns whether the user named SPDM versions.
    pub(crate) const fn names_versions(&self) -> bool {
        self.ver.is_some()
    }

    /// Returns whether the user named capabilities.
    pub(crate) const fn names_capabilities(&self) -> bool {
        self.cap.is_some()
    }

    /// Returns whether the user named requester signature algorithms, by kind.
    pub(crate) const fn requester_named(&self) -> NamedAlgorithms {
        NamedAlgorithms {
            classical: self.req_asym.is_some(),
            post_quantum: self.req_pqc_asym.is_some(),
            hybrid: self.hybrids.names_requester_signatures(),
        }
    }

    /// Returns the transport binding.
    pub(crate) fn binding(&self) -> Binding {
        Binding::ALL
            .into_iter()
            .find(|binding| binding.name().eq_ignore_ascii_case(&self.trans))
            .unwrap_or(Binding::Mctp)
    }

    /// Returns the default port of the transport.
    pub(crate) fn port(&self) -> u16 {
        if self.binding() == Binding::Tcp { tcp::PORT } else { emulator::PORT }
    }

    /// Returns the timeout for each message of the other side.
    pub(crate) const fn message_timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// Returns whether existing files may be replaced.
    pub(crate) const fn overwrites(&self) -> bool {
        self.force
    }

    /// Checks that no option is given that only a responder uses.
    ///
    /// # Errors
    /// Returns an error if such an option is given; the error names it.
    pub(crate) fn check_requesters(&self) -> Result<(), Error> {
        const PREFERS: &str = "use --asym NONE to offer only post-quantum signatures, and --dhe NONE to offer only post-quantum key exchanges";
        let refused = |problem: &str, option: &str| Err(Error::usage(problem).with_place(option));
        match (&self.pqc_first, &self.meas_hash) {
            (None, None) => Ok(()),
            (Some(_), _) => refused("only a responder has this preference", "--pqc-first")
                .map_err(|error| error.advise(PREFERS)),
            (None, Some(_)) => refused(RESPONDER_CHOOSES, "--meas-hash"),
        }
    }

    /// Warns about options that only a responder uses, but that DMTF's requester accepts.
    pub(crate) fn warn_requesters(&self, out: &Output) {
        if self.meas_hash.is_some() {
            out.warn(format_args!("--meas-hash has no effect: {RESPONDER_CHOOSES}"));
        }
    }

    /// Checks that --pcap is not combined with parallel connections, which the capture format cannot distinguish.
    ///
    /// # Errors
    /// Returns an error if --pcap is given and `jobs` is greater than 1.
    pub(crate) fn check_jobs(&self, jobs: u16) -> Result<(), Error> {
        if self.pcap.is_none() || jobs == 1 {
            return Ok(());
        }
        let problem = "a capture cannot distinguish the parallel connections of --jobs";
        Err(Error::usage(problem)
            .with_place("--pcap")
            .advise("omit --pcap or --jobs, or capture on the requester's side"))
    }

    /// Checks that the files of --pcap and --key-log, and the files in `more`, can be created. No file may exist
    /// unless it may be replaced, and none may be one of `inputs`. The transport must have a capture format.
    ///
    /// # Errors
    /// Returns an error if a file is unsuitable; the error names it.
    pub(crate) fn check_outputs<'a>(
        &'a self,
        more: impl IntoIterator<Item = &'a Path>,
        inputs: &[&Path],
    ) -> Result<(), Error> {
        if self.pcap.is_some() && self.binding() == Binding::Bare {
            let problem = "--trans NONE has no capture format";
            return Err(Error::usage(problem).with_place("--pcap").advise("omit --pcap or --trans NONE"));
        }
        let recorded = [&self.pcap, &self.key_log].into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<&Path> = recorded.chain(more).collect();
        for output in &outputs {
            refuse_replacing_inputs(inputs.iter().copied(), output)?;
        }
        files::check_can_create(outputs, self.force)
    }

    /// Creates the capture of --pcap.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn capture(&self) -> Result<Option<Capture>, Error> {
        let begin = |path| Capture::create(path, self.binding(), self.force);
        self.pcap.as_deref().map(begin).transpose()
    }

    /// Creates the key log of --key-log.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn key_log(&self) -> Result<Option<KeyLog>, Error> {
        self.key_log.as_deref().map(|path| key_log::create(path, self.force)).transpose()
    }

    /// Wraps a socket that this side connected.
    ///
    /// # Errors
    /// Returns an error if the socket is closed.
    pub(crate) fn connection(
        &self,
        socket: TcpStream,
        until: Option<Instant>,
    ) -> std::io::Result<Connection<TimedSocket>> {
        let socket = TimedSocket::new(socket, self.message_timeout())?.with_deadline(until);
        Ok(self.wrap_framed(socket, self.bare && self.binding() == Binding::Tcp))
    }

    /// Wraps an accepted socket. Over TCP the first bytes show whether the peer is an emulator.
    ///
    /// # Errors
    /// Returns an error if the socket is closed, or nothing arrives in time.
    pub(crate) fn wrap_accepted(&self, socket: TcpStream) -> std::io::Result<Connection<TimedSocket>> {
        let mut socket = TimedSocket::new(socket, self.message_timeout())?;
        // PayloadLength of DSP0287 is never 0. An emulator's command is big-endian and starts with two zero bytes.
        let bare = self.binding() == Binding::Tcp && socket.peek(2)?.iter().any(|byte| *byte != 0);
        Ok(self.wrap_framed(socket, bare))
    }

    fn wrap_framed(&self, socket: TimedSocket, bare: bool) -> Connection<TimedSocket> {
        if bare { Connection::tcp(socket) } else { Connection::emulator(socket, self.binding()) }
    }
}

/// Why --meas-hash has no effect on a requester.
const RESPONDER_CHOOSES: &str = "the responder chooses the measurement hash";

fn versions(names: &str) -> Result<Vec<Version>, Error> {
    let known = Version::ALL.map(|version| (version_name(version), version));
    select_values("--ver", names, &known)
}

/// Parses versions of secured messages (DSP0277 1.0 to 1.3). As in OpaqueData, the higher byte holds major and minor
/// version.
fn secured_versions(names: &str) -> Result<Vec<VersionNumber>, Error> {
    let known = [0x1000_u16, 0x1100, 0x1200, 0x1300]
        .map(|number| (format!("{}.{}", number >> 12, number >> 8 & 0xF), VersionNumber(number)));
    select_values("--sec-ver", names, &known)
}

/// Returns the values of comma-separated names, in the order of the table.
fn select_values<T: Copy>(option: &str, names: &str, known: &[(String, T)]) -> Result<Vec<T>, Error> {
    if let Some(name) = names.split(',').find(|name| known.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        return Err(Error::usage(format_args!("unknown version {name}"))
            .with_place(option)
            .advise(format_args!("choose from {}", known.join(", "))));
    }
    let is_named = |(name, _): &&(String, T)| names.split(',').any(|listed| listed == name);
    Ok(known.iter().filter(is_named).map(|(_, value)| *value).collect())
}

/// Interprets the object identifiers in certificates according to `numbers`.
pub(crate) fn in_era(certificates: Vec<Certificate>, numbers: Numbers) -> Vec<Certificate> {
    certificates.into_iter().map(|certificate| certificate.in_era(numbers)).collect()
}

/// Reads the certificates of all files.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(crate) fn certificates(paths: &[PathBuf]) -> Result<Vec<Certificate>, Error> {
    let chains: Result<Vec<_>, _> = paths.iter().map(|path| chain(path)).collect();
    Ok(chains?.concat())
}

/// Reads the revocation lists of all files, PEM or DER.
///
/// # Errors
/// Returns an error if a file cannot be read, or holds no usable list; the error names the file.
pub(super) fn revocation_lists(paths: &[PathBuf]) -> Result<Vec<Crl>, Error> {
    let read = |path: &PathBuf| {
        let bytes = documents(Input::RevocationLists, path, Kind::RevocationList)?;
        Crl::all_from_pem(&bytes).map_err(|error| Error::from(error).at(path))
    };
    Ok(paths.iter().map(read).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Reads the certificates of a file: PEM, or concatenated DER as in DMTF's chains.
fn chain(path: &Path) -> Result<Vec<Certificate>, Error> {
    let bytes = documents(Input::Certificates, path, Kind::Certificate)?;
    let parsed = match sequences(&bytes) {
        Some(several) => several.into_iter().map(Certificate::from_pem_or_der).collect(),
        None if begins_as_der(&bytes) => {
            let problem = "invalid DER: the file is truncated, or other data follows the certificates";
            return Err(Error::failure(problem).at(path));
        }
        None => Certificate::chain_from_pem(&bytes),
    };
    parsed.map_err(|error| Error::from(error).at(path))
}

/// Splits concatenated DER into its SEQUENCEs; `None` if it contains anything else.
fn sequences(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let all: Option<Vec<_>> = chain::sequences(bytes).collect();
    all.filter(|all| !all.is_empty())
}

/// Returns whether `bytes` start with a DER SEQUENCE of more than 127 bytes. Every certificate does, and no text
/// does.
const fn begins_as_der(bytes: &[u8]) -> bool {
    matches!(bytes, [0x30, 0x81..=0x84, ..])
}

/// Returns a parser for a number of seconds, up to a day.
pub(super) fn seconds() -> RangedI64ValueParser<u64> {
    RangedI64ValueParser::new().range(1..=86400)
}

/// Makes the option's value case-insensitive.
pub(super) fn any_case(arg: clap::Arg) -> clap::Arg {
    let names = arg.get_action().takes_values();
    arg.ignore_case(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_concatenated_der() {
        let long = [&[0x30, 0x81, 0x80][..], &[7; 0x80]].concat();
        let longer = [&[0x30, 0x82, 1, 0][..], &[8; 0x100]].concat();
        let all = [&[0x30, 1, 5][..], &long, &longer].concat();
        assert_eq!(sequences(&all), Some(vec![&[0x30, 1, 5][..], &long, &longer]));
        for wrong in
            [&all[..all.len() - 1], &[], b"-----BEGIN", &[0x30], &[0x30, 0x84, 0xFF], &[0x30, 0xFF, 0]]
        {
            assert_eq!(sequences(wrong), None);
        }
    }
}
