//! The options that all who speak SPDM share, with the names and values of DMTF's emulators.

use super::algorithms::{Choice, Table, version_name};
use super::capture::Capture;
use super::inputs::{Input, documents};
use super::key_log;
use super::own::Named;
use super::timed::Timed;
use crate::error::Error;
use crate::files;
use crate::output::Output;
use clap::builder::RangedI64ValueParser;
use grille_pki::{Certificate, Crl, Kind};
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{MelSpecification, OtherParams};
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::{Config, KeyLog};
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::connection::Connection;
use grille_spdm_transport::{emulator, tcp};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, clap::Args)]
pub(crate) struct Options {
    /// What carries messages, in the frames of DMTF's emulators; NONE carries no sessions.
    #[arg(long, value_name = "TRANSPORT", default_value = "MCTP", value_parser = Binding::ALL.map(Binding::name))]
    trans: String,
    /// SPDM over TCP (DSP0287) without the frames of DMTF's emulators.
    #[arg(long)]
    bare: bool,
    /// The versions of SPDM, 1.0 to 1.4, between commas; without it all.
    #[arg(long, value_name = "VERSIONS")]
    ver: Option<String>,
    /// The versions of secured messages, 1.0 to 1.3, between commas; without it all.
    #[arg(long = "sec_ver", value_name = "VERSIONS")]
    sec_ver: Option<String>,
    /// Capabilities, such as CERT,CHAL,KEY_EX; lists of names are separated by commas, NONE is none. Without it all that
    /// this verb has a use for.
    #[arg(long, value_name = "NAMES")]
    cap: Option<String>,
    /// Base hashes, such as SHA_384; without it all. The responder takes the strongest that both have.
    #[arg(long, value_name = "NAMES")]
    hash: Option<String>,
    /// The specification of measurements: DMTF.
    #[arg(long = "meas_spec", value_name = "NAMES", default_value = "DMTF")]
    meas_spec: String,
    /// Hashes of measurements, such as SHA_384, of which a responder takes the highest, and without it its own choice; a requester
    /// has no say in it.
    #[arg(long = "meas_hash", value_name = "NAMES")]
    meas_hash: Option<String>,
    /// The specification of measurement logs: DMTF.
    #[arg(long = "mel_spec", value_name = "NAMES", default_value = "DMTF")]
    mel_spec: String,
    /// Classical signatures, such as ECDSA_P384; without it all, of which the responder has keys.
    #[arg(long, value_name = "NAMES")]
    asym: Option<String>,
    /// The same for requesters that prove themselves too.
    #[arg(long = "req_asym", value_name = "NAMES")]
    req_asym: Option<String>,
    /// Post-quantum signatures, such as ML_DSA_87; without it all, of which the responder has keys.
    #[arg(long = "pqc_asym", value_name = "NAMES")]
    pqc_asym: Option<String>,
    /// The same for requesters that prove themselves too.
    #[arg(long = "req_pqc_asym", value_name = "NAMES")]
    req_pqc_asym: Option<String>,
    /// Classical key exchanges, such as SECP_384_R1; without it all.
    #[arg(long, value_name = "NAMES")]
    dhe: Option<String>,
    /// Post-quantum key exchanges, such as ML_KEM_1024; without it all.
    #[arg(long, value_name = "NAMES")]
    kem: Option<String>,
    /// What protects sessions, such as AES_256_GCM; without it all.
    #[arg(long, value_name = "NAMES")]
    aead: Option<String>,
    /// The key schedule: HMAC_HASH.
    #[arg(long = "key_schedule", value_name = "NAMES", default_value = "HMAC_HASH")]
    key_schedule: String,
    /// Other parameters: OPAQUE_FMT_1, MULTI_KEY_CONN.
    #[arg(long = "other_param", value_name = "NAMES", default_value = "OPAQUE_FMT_1,MULTI_KEY_CONN")]
    other_param: String,
    /// Whether the responder prefers post-quantum algorithms; without it TRUE.
    #[arg(long = "pqc_first", value_name = "BOOL", value_parser = ["TRUE", "FALSE"])]
    pqc_first: Option<String>,
    /// How many seconds to wait for the other side.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, allow_negative_numbers = true, value_parser = seconds())]
    timeout: u64,
    /// Write all that is sent and received to this capture, as DMTF's emulators do.
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Write the secrets of all sessions to this key log, which `grille spdm dump` takes.
    #[arg(long = "key_log", value_name = "FILE")]
    key_log: Option<PathBuf>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

impl Options {
    /// What the options leave to be negotiated.
    ///
    /// # Errors
    /// A name that does not exist.
    pub(crate) fn config(&self, flags: CapabilityFlags) -> Result<Config, Error> {
        if self.bare && self.binding() != Binding::Tcp {
            let what =
                Error::usage("only SPDM over TCP goes without the emulators' frames").at_place("--bare");
            return Err(what.advise("--trans TCP is that"));
        }
        let given = self.cap.as_deref().map(|names| Table::Capabilities.bits(names)).transpose()?;
        let base = Config::with(given.map_or(flags, CapabilityFlags));
        let versions = self.ver.as_deref().map_or(Ok(base.versions.clone()), versions)?;
        let secured = self.sec_ver.as_deref().map(secured_versions).transpose()?;
        if Table::MeasurementSpecification.bits(&self.meas_spec)? == 0 {
            let what = Error::usage("measurements are of the DMTF's specification, or there are none");
            return Err(what
                .at_place("--meas_spec")
                .advise("a responder's --cap without MEAS_SIG measures nothing"));
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
        Ok(Bits {
            req_asym: Table::ReqAsym.bits(&names(&self.req_asym, Table::ReqAsym))? as u16,
            req_pqc_asym: Table::ReqPqcAsym.bits(&names(&self.req_pqc_asym, Table::ReqPqcAsym))? as u16,
            key_schedule: Table::KeySchedule.bits(&self.key_schedule)? as u16,
            measurement_hash: measured.checked_ilog2().map_or(0, |bit| 1 << bit),
            ..chosen.bits()?
        })
    }

    /// Whether a responder's signature algorithms were named.
    pub(crate) const fn named(&self) -> Named {
        Named { classical: self.asym.is_some(), post_quantum: self.pqc_asym.is_some() }
    }

    /// Whether versions of SPDM were.
    pub(crate) const fn names_versions(&self) -> bool {
        self.ver.is_some()
    }

    /// Whether capabilities were.
    pub(crate) const fn names_capabilities(&self) -> bool {
        self.cap.is_some()
    }

    /// Whether a requester's signature algorithms were.
    pub(crate) const fn requester_named(&self) -> Named {
        Named { classical: self.req_asym.is_some(), post_quantum: self.req_pqc_asym.is_some() }
    }

    /// How messages travel.
    pub(crate) fn binding(&self) -> Binding {
        Binding::ALL
            .into_iter()
            .find(|binding| binding.name().eq_ignore_ascii_case(&self.trans))
            .unwrap_or(Binding::Mctp)
    }

    /// Where the transport is listened to, unless somebody says otherwise.
    pub(crate) fn port(&self) -> u16 {
        if self.binding() == Binding::Tcp { tcp::PORT } else { emulator::PORT }
    }

    /// How long to wait for the other side.
    pub(crate) const fn patience(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// Whether files may be replaced.
    pub(crate) const fn force(&self) -> bool {
        self.force
    }

    /// That nothing is given which only a responder heeds.
    ///
    /// # Errors
    /// If something is.
    pub(crate) fn check_requesters(&self) -> Result<(), Error> {
        const PREFERS: &str =
            "--asym NONE offers only post-quantum signatures, --dhe NONE only such key exchanges";
        let refused = |what: &str, option: &str| Err(Error::usage(what).at_place(option));
        match (&self.pqc_first, &self.meas_hash) {
            (None, None) => Ok(()),
            (Some(_), _) => refused("the device says what it prefers", "--pqc_first")
                .map_err(|error| error.advise(PREFERS)),
            (None, Some(_)) => refused(CHOSEN, "--meas_hash"),
        }
    }

    /// Warns of what only a responder heeds, and is taken as DMTF's emulators take it.
    pub(crate) fn warn_requesters(&self, out: &Output) {
        if self.meas_hash.is_some() {
            out.warn(format_args!("--meas_hash: {CHOSEN}; this has no effect"));
        }
    }

    /// That a capture is of one connection after the other: nothing in its format tells those apart that are open at once.
    ///
    /// # Errors
    /// If there is to be one of so many requesters at once.
    pub(crate) fn check_jobs(&self, jobs: u16) -> Result<(), Error> {
        if self.pcap.is_none() || jobs == 1 {
            return Ok(());
        }
        let what = "a capture cannot tell apart the connections that --jobs serves at once";
        Err(Error::usage(what)
            .at_place("--pcap")
            .advise("leave one of the two out; requesters can capture too"))
    }

    /// That the files of --pcap and --key_log can be begun, and `more` beside them: none is there that may not be
    /// replaced, none is one of `inputs`, and captures have a number for the transport.
    ///
    /// # Errors
    /// Names the one that cannot be.
    pub(crate) fn check_outputs<'a>(
        &'a self,
        more: impl IntoIterator<Item = &'a Path>,
        inputs: &[&Path],
    ) -> Result<(), Error> {
        if self.pcap.is_some() && self.binding() == Binding::Bare {
            let what = "captures are of a transport, and --trans NONE is none";
            return Err(Error::usage(what).at_place("--pcap").advise("leave one of the two out"));
        }
        let recorded = [&self.pcap, &self.key_log].into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<&Path> = recorded.chain(more).collect();
        for output in &outputs {
            files::keep_inputs(inputs.iter().copied(), output)?;
        }
        files::can_begin(outputs, self.force)
    }

    /// Begins the capture of --pcap.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn capture(&self) -> Result<Option<Capture>, Error> {
        let begin = |path| Capture::create(path, self.binding(), self.force);
        self.pcap.as_deref().map(begin).transpose()
    }

    /// Begins the key log of --key_log.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn key_log(&self) -> Result<Option<KeyLog>, Error> {
        self.key_log.as_deref().map(|path| key_log::create(path, self.force)).transpose()
    }

    /// A connection on a socket that was opened here.
    ///
    /// # Errors
    /// If the socket is gone.
    pub(crate) fn connection(
        &self,
        socket: TcpStream,
        until: Option<Instant>,
    ) -> std::io::Result<Connection<Timed>> {
        let socket = Timed::new(socket, self.patience())?.until(until);
        Ok(self.framed(socket, self.bare && self.binding() == Binding::Tcp))
    }

    /// A connection on a socket that was accepted: over TCP the first bytes say whether an emulator is there.
    ///
    /// # Errors
    /// If the socket is gone, or nothing comes in time.
    pub(crate) fn accepted(&self, socket: TcpStream) -> std::io::Result<Connection<Timed>> {
        let mut socket = Timed::new(socket, self.patience())?;
        // PayloadLength of DSP0287 is never 0; a command of the emulators, big-endian, begins with two zeros
        let bare = self.binding() == Binding::Tcp && socket.first(2)?.iter().any(|byte| *byte != 0);
        Ok(self.framed(socket, bare))
    }

    fn framed(&self, socket: Timed, bare: bool) -> Connection<Timed> {
        if bare { Connection::tcp(socket) } else { Connection::emulator(socket, self.binding()) }
    }
}

/// Why a requester names no hash of measurements.
const CHOSEN: &str = "the responder chooses what it measures with";

/// What there is before SPDM 1.4, which has the first post-quantum algorithms.
pub(super) const fn classical(bits: Bits) -> Bits {
    Bits { pqc_asym: 0, req_pqc_asym: 0, kem: 0, ..bits }
}

fn versions(names: &str) -> Result<Vec<Version>, Error> {
    let known = Version::ALL.map(|version| (version_name(version), version));
    pick("--ver", names, &known)
}

/// DSP0277 1.0 to 1.3, as in OpaqueData: major and minor in the higher byte.
fn secured_versions(names: &str) -> Result<Vec<VersionNumber>, Error> {
    let known = [0x1000_u16, 0x1100, 0x1200, 0x1300]
        .map(|number| (format!("{}.{}", number >> 12, number >> 8 & 0xF), VersionNumber(number)));
    pick("--sec_ver", names, &known)
}

/// What is behind these names between commas, in the order of the table.
fn pick<T: Copy>(option: &str, names: &str, known: &[(String, T)]) -> Result<Vec<T>, Error> {
    if let Some(name) = names.split(',').find(|name| known.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        return Err(Error::usage(format_args!("there is no version {name}"))
            .at_place(option)
            .advise(format_args!("choose from {}", known.join(", "))));
    }
    let wanted = |(name, _): &&(String, T)| names.split(',').any(|wanted| wanted == name);
    Ok(known.iter().filter(wanted).map(|(_, value)| *value).collect())
}

/// The certificates of all files.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn certificates(paths: &[PathBuf]) -> Result<Vec<Certificate>, Error> {
    let chains: Result<Vec<_>, _> = paths.iter().map(|path| chain(path)).collect();
    Ok(chains?.concat())
}

/// Reads the revocation lists in all these files, PEM or DER.
///
/// # Errors
/// Names the file that cannot be read, or holds no list that can be used.
pub(super) fn revocation_lists(paths: &[PathBuf]) -> Result<Vec<Crl>, Error> {
    let read = |path: &PathBuf| {
        let bytes = documents(Input::RevocationLists, path, Kind::RevocationList)?;
        Crl::all_from_pem(&bytes).map_err(|error| Error::from(error).at(path))
    };
    Ok(paths.iter().map(read).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Of PEM, or of DER, where DMTF's chains have one certificate after the other.
fn chain(path: &Path) -> Result<Vec<Certificate>, Error> {
    let bytes = documents(Input::Certificates, path, Kind::Certificate)?;
    let parsed = match sequences(&bytes) {
        Some(several) => several.into_iter().map(Certificate::from_pem_or_der).collect(),
        None if begins_as_der(&bytes) => {
            let what = "does not end where a certificate does: it was cut off, or something else follows";
            return Err(Error::failure(what).at(path));
        }
        None => Certificate::chain_from_pem(&bytes),
    };
    parsed.map_err(|error| Error::from(error).at(path))
}

/// The SEQUENCEs that DER consists of; nothing if it does not.
fn sequences(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let all: Option<Vec<_>> = chain::sequences(bytes).collect();
    all.filter(|all| !all.is_empty())
}

/// A SEQUENCE of more than 127 bytes, as every certificate is and no text.
const fn begins_as_der(bytes: &[u8]) -> bool {
    matches!(bytes, [0x30, 0x81..=0x84, ..])
}

/// Reads a number of seconds, up to a day.
pub(super) fn seconds() -> RangedI64ValueParser<u64> {
    RangedI64ValueParser::new().range(1..=86400)
}

/// The same option, whose names may be in capitals or not.
pub(super) fn any_case(arg: clap::Arg) -> clap::Arg {
    let names = arg.get_action().takes_values();
    arg.ignore_case(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn der_is_split_where_one_sequence_ends() {
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
