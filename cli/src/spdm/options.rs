//! The options that a responder and a requester share, with the names and values of DMTF's emulators.

use super::algorithms::{Choice, Table, version_name};
use crate::error::Error;
use grille_pki::Certificate;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::Config;
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::connection::Connection;
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

/// The port of DMTF's emulators.
pub(super) const EMULATOR_PORT: u16 = 2323;
/// The port of SPDM over TCP, DSP0287.
pub(super) const TCP_PORT: u16 = 4194;

#[derive(clap::Args)]
pub(super) struct Options {
    /// What carries messages: MCTP or PCI_DOE in the frames of DMTF's emulators, or SPDM over TCP (DSP0287).
    #[arg(long, value_name = "TRANSPORT", default_value = "MCTP", value_parser = ["MCTP", "PCI_DOE", "TCP"])]
    trans: String,
    /// The versions of SPDM, 1.0 to 1.4, between commas.
    #[arg(long, value_name = "VERSIONS")]
    ver: Option<String>,
    /// Base hashes, such as SHA_384; lists of names are separated by commas, NONE is none.
    #[arg(long, value_name = "NAMES")]
    hash: Option<String>,
    /// Classical signatures, such as ECDSA_P384.
    #[arg(long, value_name = "NAMES")]
    asym: Option<String>,
    /// Post-quantum signatures, such as ML_DSA_87.
    #[arg(long = "pqc_asym", value_name = "NAMES")]
    pqc_asym: Option<String>,
    /// Classical key exchanges, such as SECP_384_R1.
    #[arg(long, value_name = "NAMES")]
    dhe: Option<String>,
    /// Post-quantum key exchanges, such as ML_KEM_1024.
    #[arg(long, value_name = "NAMES")]
    kem: Option<String>,
    /// What protects sessions, such as AES_256_GCM.
    #[arg(long, value_name = "NAMES")]
    aead: Option<String>,
    /// How many seconds to wait for the other side.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: u64,
}

impl Options {
    /// What the options leave to be negotiated.
    ///
    /// # Errors
    /// A name that does not exist.
    pub(super) fn config(&self, flags: CapabilityFlags) -> Result<Config, Error> {
        let base = Config::with(flags);
        let versions = self.ver.as_deref().map_or(Ok(base.versions.clone()), versions)?;
        let binding = self.binding();
        Ok(Config { versions, algorithms: self.bits()?, binding, ..base })
    }

    fn bits(&self) -> Result<Bits, Error> {
        let all = |table: Table| table.rows().into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(",");
        let names = |option: &Option<String>, table| option.clone().unwrap_or_else(|| all(table));
        Choice {
            hash: &names(&self.hash, Table::Hash),
            asym: &names(&self.asym, Table::Asym),
            pqc_asym: &names(&self.pqc_asym, Table::PqcAsym),
            dhe: &names(&self.dhe, Table::Dhe),
            kem: &names(&self.kem, Table::Kem),
            aead: &names(&self.aead, Table::Aead),
        }
        .bits()
    }

    /// Whether no signature algorithm was named.
    pub(super) const fn any_signature(&self) -> bool {
        self.asym.is_none() && self.pqc_asym.is_none()
    }

    fn binding(&self) -> Binding {
        Binding::ALL.into_iter().find(|binding| binding.name() == self.trans).unwrap_or(Binding::Mctp)
    }

    /// Where the transport is listened to, unless somebody says otherwise.
    pub(super) fn port(&self) -> u16 {
        if self.binding() == Binding::Tcp { TCP_PORT } else { EMULATOR_PORT }
    }

    /// A connection on a socket.
    ///
    /// # Errors
    /// If the socket is gone.
    pub(super) fn connection(&self, socket: TcpStream) -> std::io::Result<Connection<TcpStream>> {
        let time = Some(Duration::from_secs(self.timeout));
        socket.set_nodelay(true)?;
        socket.set_read_timeout(time)?;
        socket.set_write_timeout(time)?;
        Ok(match self.binding() {
            Binding::Tcp => Connection::tcp(socket),
            binding => Connection::emulator(socket, binding),
        })
    }
}

fn versions(names: &str) -> Result<Vec<Version>, Error> {
    let unknown = |name: &str| {
        let known = Version::ALL.map(version_name).join(", ");
        Error::usage(format_args!("there is no version {name}"))
            .at_place("--ver")
            .advise(format_args!("choose from {known}"))
    };
    let find = |name: &str| Version::ALL.into_iter().find(|version| version_name(*version) == name);
    let mut versions = names
        .split(',')
        .map(|name| find(name).ok_or_else(|| unknown(name)))
        .collect::<Result<Vec<_>, _>>()?;
    versions.sort_unstable();
    versions.dedup();
    Ok(versions)
}

/// The certificates of all files.
///
/// # Errors
/// If one cannot be read.
pub(super) fn certificates(paths: &[PathBuf]) -> Result<Vec<Certificate>, Error> {
    let mut all = Vec::new();
    for path in paths {
        let read = crate::files::read(path)?;
        all.extend(Certificate::chain_from_pem(&read).map_err(|error| Error::from(error).at(path))?);
    }
    Ok(all)
}
