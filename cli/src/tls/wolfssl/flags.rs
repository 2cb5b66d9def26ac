//! The flags of wolfSSL's example server and client, and of its tls_bench, with their translations.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Server,
    Client,
    Bench,
}

/// The translation of a flag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Translation {
    /// This option with the flag's value.
    Option(&'static str),
    /// This option without a value.
    Switch(&'static str),
    /// wolfSSL's number of the protocol version, which must be 4 (TLS 1.3).
    Version,
    /// Application protocols (ALPN), after wolfSSL's prefix `C:` or `F:`.
    Alpn,
    /// The host to connect to.
    Host,
    /// This process runs only the client of tls_bench.
    ClientOnly,
    /// The port.
    Port,
    /// The server does not stop after one connection.
    ServeForever,
    /// The exit code is 0 even if the only connection fails.
    TolerateFailure,
    /// The certificate must have the name of the host.
    CheckName,
    /// No effect, because grille always behaves as with this flag.
    Ignored,
    /// The flag is an error with this reason.
    Refused(&'static str),
}

use Side::{Bench, Client, Server};
use Translation::{
    Alpn, CheckName, ClientOnly, Host, Ignored, Option as Opt, Port, Refused, ServeForever, Switch,
    TolerateFailure, Version,
};

impl Side {
    /// Returns the default port; tls_bench has its own.
    pub(super) const fn port(self) -> u16 {
        match self {
            Server | Client => crate::tls::options::PORT,
            Bench => crate::tls::options::BENCH_PORT,
        }
    }

    /// Returns the translation of a flag on this side, if it is supported.
    pub(super) fn translation(self, name: &str) -> Option<Translation> {
        let known = FLAGS.iter().find(|(known, sides, _)| *known == name && sides.contains(&self));
        known.map(|(_, _, translation)| *translation)
    }
}

/// A flag without its dashes: one letter, or a long name that grille does not have.
pub(super) type Flag = (&'static str, &'static [Side], Translation);

const BOTH: &[Side] = &[Server, Client];
const ALL: &[Side] = &[Server, Client, Bench];

/// All flags by name, lower case before upper case. `docs/guide/src/24-wolfssl-flags.md` has the same table.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag] = &[
    ("0", &[Server], Switch("--early-data=4096")),
    ("0", &[Client], Switch(EARLY_DATA)),
    ("?", ALL,       Switch("--help")),
    ("a", BOTH,      Refused("TLS 1.3 has no anonymous key exchange")),
    ("A", BOTH,      Opt("--ca")),
    ("altPrivKey", BOTH, Refused("leave it out: the file given with -k must hold both keys of a composite signature")),
    ("b", &[Server], Switch("--bind=0.0.0.0")),
    ("b", &[Client], Opt("--connections")),
    ("B", BOTH,      Opt("--throughput")),
    ("c", BOTH,      Opt("--cert")),
    ("c", &[Bench],  ClientOnly),
    ("C", &[Server], Opt("--count")),
    ("d", &[Server], Switch("--anonymous")),
    ("d", &[Client], Switch("--insecure")),
    ("d", &[Bench],  Refused("there is no debug output; instead, run `grille tls client` with SSLKEYLOGFILE, capture its connections and decrypt them")),
    ("e", ALL,       Switch("--list-ciphers")),
    ("force-curve", BOTH, Opt("--groups")),
    ("g", &[Bench],  Switch("--all-groups")),
    ("G", BOTH,      Refused("SCTP is not supported, only TLS over TCP")),
    ("h", &[Client, Bench], Host),
    ("i", &[Server], ServeForever),
    ("i", &[Bench],  Switch("--show-peer")),
    ("I", BOTH,      Switch("--update-keys")),
    ("J", &[Server], Refused("only the client can cause a retry, with its key shares; give -J to the client")),
    ("J", &[Client], Switch("--retry")),
    ("k", BOTH,      Opt("--key")),
    ("K", BOTH,      Refused("pre-shared keys are supported only with a key exchange")),
    ("l", ALL,       Opt("--ciphers")),
    ("L", BOTH,      Alpn),
    ("m", &[Client], CheckName),
    ("m", &[Bench],  Switch("--memory")),
    ("M", &[Client], Opt("--starttls")),
    ("N", BOTH,      Ignored),
    ("o", BOTH,      Refused("OCSP is not supported; check revocation with --crl")),
    ("O", BOTH,      Refused("OCSP is not supported; check revocation with --crl")),
    ("onlyPskDheKe", BOTH, Ignored),
    ("openssl-psk", BOTH, Refused("external pre-shared keys are not supported, only tickets; see -r")),
    ("p", BOTH,      Port),
    ("p", &[Bench],  Opt("--packet")),
    ("P", &[Bench],  Port),
    ("Q", BOTH,      Refused("post-handshake client authentication is not supported")),
    ("r", &[Server], Switch("--count=2")),
    ("r", &[Client], Switch("--resume")),
    ("R", &[Server], Refused("ready files are not supported; wait until the port answers")),
    ("s", BOTH,      Refused("external pre-shared keys are not supported, only tickets; see -r")),
    ("s", &[Bench],  Switch("--serve")),
    ("S", &[Server], Refused("the server does not check the requested name; give one --cert and --key for each name")),
    ("S", &[Client], Opt("--servername")),
    ("S", &[Bench],  Opt("--size")),
    ("send-ticket", &[Server], Ignored),
    ("srtp", BOTH,   Refused("DTLS is not supported, and without it there are no keys for SRTP")),
    ("sys-ca-certs", &[Client], Switch("--system-roots")),
    ("t", &[Client], Switch("--groups=X25519")),
    ("t", &[Bench],  Opt("--seconds")),
    ("T", &[Server], Switch("--no-tickets")),
    ("T", &[Client], Refused("the server issues tickets; give -T to the server, or leave out -r")),
    ("T", &[Bench],  Opt("--threads")),
    ("u", ALL,       Refused("DTLS is not supported, only TLS over TCP")),
    ("v", BOTH,      Version),
    ("v", &[Bench],  Switch("--verbose")),
    ("w", BOTH,      Ignored),
    ("W", BOTH,      Refused("OCSP is not supported; check revocation with --crl")),
    ("wolfsentry-config", BOTH, Refused("wolfSentry is not supported; use a firewall")),
    ("x", &[Server], TolerateFailure),
    ("x", &[Client], Ignored),
    ("y", BOTH,      Refused("finite-field groups are not supported; name others with --groups")),
    ("Y", &[Client], Switch("--groups=secp256r1")),
];

/// The early data of wolfSSL's example client.
pub(super) const EARLY_DATA: &str = "--early-data=A drop of info";

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../../../docs/guide/src/24-wolfssl-flags.md");

    /// Formats a flag's row of the document.
    fn row((name, sides, translation): &Flag) -> String {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        let sides: Vec<_> = sides.iter().map(|side| format!("{side:?}").to_lowercase()).collect();
        let translation = match translation {
            Opt(option) => format!("`{option}` with its value"),
            Switch(option) => format!("`{option}`"),
            Version => "4 is TLS 1.3; other versions are not supported".to_owned(),
            Alpn => "`--alpn` with its value, after `C:` or `F:`".to_owned(),
            Host => "the host".to_owned(),
            ClientOnly => "only the client: `--connect`".to_owned(),
            Port => "the port".to_owned(),
            ServeForever => "no end after one connection".to_owned(),
            TolerateFailure => "exit code 0 even if the one connection fails".to_owned(),
            CheckName => "the certificate must have the name of the host".to_owned(),
            Ignored => "no effect: always on".to_owned(),
            Refused(reason) => format!("refused: {reason}"),
        };
        format!("| `{dashes}{name}` | {} | {translation} |", sides.join(", "))
    }

    #[test]
    fn documents_exactly_these_flags() {
        let rows: Vec<_> = DOCUMENT.lines().filter(|line| line.starts_with("| `-")).collect();
        let flags: Vec<_> = FLAGS.iter().map(row).collect();
        assert_eq!(rows, flags, "the table should be\n{}", flags.join("\n"));
    }

    #[test]
    fn sorts_flags_and_defines_each_once_per_side() {
        let order = |name: &&str| (name.to_ascii_lowercase(), name.bytes().all(|b| b.is_ascii_uppercase()));
        assert!(FLAGS.iter().map(|(name, _, _)| *name).is_sorted_by_key(|name| order(&name)));
        for (n, (name, sides, _)) in FLAGS.iter().enumerate() {
            let clash = |other: &&Flag| other.0 == *name && other.1.iter().any(|side| sides.contains(side));
            assert!(!FLAGS[..n].iter().any(|other| clash(&other)), "-{name}");
        }
    }
}
