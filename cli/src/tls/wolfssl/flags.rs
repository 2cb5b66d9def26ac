//! The flags of wolfSSL's example server and client, and of its tls_bench, and what each becomes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Server,
    Client,
    Bench,
}

/// What a flag becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Becomes {
    /// This option, with the flag's value.
    Option(&'static str),
    /// This option alone.
    Switch(&'static str),
    /// The protocol version, which must be 4.
    Version,
    /// Protocols, after `C:` or `F:`.
    Alpn,
    /// The host.
    Host,
    /// The client's side alone.
    Alone,
    /// The port.
    Port,
    /// No end after one connection.
    Forever,
    /// A connection that fails is no failure of the server.
    Patient,
    /// No other name than that of the certificate will do.
    CheckName,
    /// Nothing: it is so anyway.
    Nothing,
    /// An error: the reason.
    Refused(&'static str),
}

use Becomes::{
    Alone, Alpn, CheckName, Forever, Host, Nothing, Option as Opt, Patient, Port, Refused, Switch, Version,
};
use Side::{Bench, Client, Server};

impl Side {
    /// The port unless one is given: tls_bench has its own.
    pub(super) const fn port(self) -> u16 {
        match self {
            Server | Client => crate::tls::options::PORT,
            Bench => crate::tls::options::BENCH_PORT,
        }
    }

    /// What a flag means on this side, if anything.
    pub(super) fn meaning(self, name: &str) -> Option<Becomes> {
        let known = FLAGS.iter().find(|(known, sides, _)| *known == name && sides.contains(&self));
        known.map(|(_, _, becomes)| *becomes)
    }
}

/// A flag without its dashes: one letter, or a long name that is no option of ours.
pub(super) type Flag = (&'static str, &'static [Side], Becomes);

const BOTH: &[Side] = &[Server, Client];
const ALL: &[Side] = &[Server, Client, Bench];

/// By name, small letters before great ones. `docs/wolfssl.md` has the same table.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag] = &[
    ("0", &[Server], Switch("--early-data=4096")),
    ("0", &[Client], Switch(DROP)),
    ("?", ALL,       Switch("--help")),
    ("a", BOTH,      Refused("TLS 1.3 has no anonymous key exchange")),
    ("A", BOTH,      Opt("--ca")),
    ("altPrivKey", BOTH, Refused("keys of composite signatures stand in one file, which -k names")),
    ("b", &[Server], Switch("--bind=0.0.0.0")),
    ("b", &[Client], Opt("--connections")),
    ("B", BOTH,      Opt("--throughput")),
    ("c", BOTH,      Opt("--cert")),
    ("c", &[Bench],  Alone),
    ("C", &[Server], Opt("--count")),
    ("d", &[Server], Switch("--anonymous")),
    ("d", &[Client], Switch("--insecure")),
    ("d", &[Bench],  Refused("there are no messages for debugging; a capture of `grille tls client` with SSLKEYLOGFILE shows everything")),
    ("e", ALL,       Switch("--list-ciphers")),
    ("force-curve", BOTH, Opt("--groups")),
    ("g", &[Bench],  Switch("--all-groups")),
    ("G", BOTH,      Refused("SCTP is not spoken here, only TLS over TCP")),
    ("h", &[Client, Bench], Host),
    ("i", &[Server], Forever),
    ("i", &[Bench],  Switch("--show-peer")),
    ("I", BOTH,      Switch("--update-keys")),
    ("J", &[Server], Refused("the client decides on a retry, with the key shares it sends; give -J there")),
    ("J", &[Client], Switch("--retry")),
    ("k", BOTH,      Opt("--key")),
    ("K", BOTH,      Refused("pre-shared keys are used with a key exchange only")),
    ("l", ALL,       Opt("--ciphers")),
    ("L", BOTH,      Alpn),
    ("m", &[Client], CheckName),
    ("m", &[Bench],  Switch("--memory")),
    ("M", &[Client], Opt("--starttls")),
    ("N", BOTH,      Nothing),
    ("o", BOTH,      Refused("OCSP is not spoken here; roots and dates decide")),
    ("O", BOTH,      Refused("OCSP is not spoken here; roots and dates decide")),
    ("onlyPskDheKe", BOTH, Nothing),
    ("openssl-psk", BOTH, Refused("pre-shared keys are not spoken here, only tickets; see -r")),
    ("p", BOTH,      Port),
    ("p", &[Bench],  Opt("--packet")),
    ("P", &[Bench],  Port),
    ("Q", BOTH,      Refused("clients show certificates in the handshake or not at all")),
    ("r", &[Server], Switch("--count=2")),
    ("r", &[Client], Switch("--resume")),
    ("R", &[Server], Refused("no file says that the server is ready; its port answers then")),
    ("s", BOTH,      Refused("pre-shared keys are not spoken here, only tickets; see -r")),
    ("s", &[Bench],  Switch("--serve")),
    ("S", &[Server], Refused("the server has one certificate, for whatever name the client asks")),
    ("S", &[Client], Opt("--servername")),
    ("S", &[Bench],  Opt("--size")),
    ("send-ticket", &[Server], Nothing),
    ("srtp", BOTH,   Refused("DTLS is not spoken here, and so there are no keys for SRTP")),
    ("sys-ca-certs", &[Client], Switch("--system-roots")),
    ("t", &[Client], Switch("--groups=X25519")),
    ("t", &[Bench],  Opt("--seconds")),
    ("T", &[Server], Switch("--no-tickets")),
    ("T", &[Client], Refused("tickets are the server's; give -T there, or leave out -r here")),
    ("T", &[Bench],  Opt("--threads")),
    ("u", ALL,       Refused("DTLS is not spoken here, only TLS over TCP")),
    ("v", BOTH,      Version),
    ("v", &[Bench],  Switch("--verbose")),
    ("w", BOTH,      Nothing),
    ("W", BOTH,      Refused("OCSP is not spoken here; roots and dates decide")),
    ("wolfsentry-config", BOTH, Refused("wolfSentry does not guard this program; a firewall may")),
    ("x", &[Server], Patient),
    ("x", &[Client], Nothing),
    ("y", BOTH,      Refused("finite-field groups are not offered here; name others with --groups")),
    ("Y", &[Client], Switch("--groups=secp256r1")),
];

/// What wolfSSL's example client says as early data.
pub(super) const DROP: &str = "--early-data=A drop of info";

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../../../docs/wolfssl.md");

    /// A flag's row of the document.
    fn row((name, sides, becomes): &Flag) -> String {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        let sides: Vec<_> = sides.iter().map(|side| format!("{side:?}").to_lowercase()).collect();
        let becomes = match becomes {
            Opt(option) => format!("`{option}` with its value"),
            Switch(option) => format!("`{option}`"),
            Version => "4 is TLS 1.3; nothing older is spoken".to_owned(),
            Alpn => "`--alpn` with its value, after `C:` or `F:`".to_owned(),
            Host => "the host".to_owned(),
            Alone => "the client's side alone: `--connect`".to_owned(),
            Port => "the port".to_owned(),
            Forever => "no end after one connection".to_owned(),
            Patient => "exit code 0 also where the one connection fails".to_owned(),
            CheckName => "the certificate must be for the host".to_owned(),
            Nothing => "nothing: it is so anyway".to_owned(),
            Refused(reason) => format!("refused: {reason}"),
        };
        format!("| `{dashes}{name}` | {} | {becomes} |", sides.join(", "))
    }

    #[test]
    fn the_document_has_these_flags_and_no_others() {
        let rows: Vec<_> = DOCUMENT.lines().filter(|line| line.starts_with("| `-")).collect();
        let flags: Vec<_> = FLAGS.iter().map(row).collect();
        assert_eq!(rows, flags, "the table should be\n{}", flags.join("\n"));
    }

    #[test]
    fn flags_are_sorted_and_mean_one_thing_on_each_side() {
        let order = |name: &&str| (name.to_ascii_lowercase(), name.bytes().all(|b| b.is_ascii_uppercase()));
        assert!(FLAGS.iter().map(|(name, _, _)| *name).is_sorted_by_key(|name| order(&name)));
        for (n, (name, sides, _)) in FLAGS.iter().enumerate() {
            let clash = |other: &&Flag| other.0 == *name && other.1.iter().any(|side| sides.contains(side));
            assert!(!FLAGS[..n].iter().any(|other| clash(&other)), "-{name}");
        }
    }
}
