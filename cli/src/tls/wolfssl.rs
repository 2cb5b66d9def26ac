//! wolfSSL compatibility mode: translates the flags of wolfSSL's example server and client, and of its tls_bench, into
//! options of `grille tls`.
//!
//! Any flag that only wolfSSL has switches the whole command line to this mode. The translation runs before clap, so
//! that no other code depends on wolfSSL's flags.

mod flags;

use crate::error::Error;
use flags::Side::{self, Bench, Client, Server};
use flags::Translation::{
    Alpn, CheckName, ClientOnly, Host, Ignored, Option as Opt, Port, Refused, ServeForever, Switch,
    TolerateFailure, Version,
};
use flags::{EARLY_DATA, FLAGS};
use std::ffi::{OsStr, OsString};

/// Translates the command line if it contains a flag of wolfSSL; otherwise returns it unchanged.
///
/// # Errors
/// Returns an error if a flag is not supported. The error explains why, and names an alternative if there is one.
pub(crate) fn translate(words: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let Some((at, side)) = side(&words) else { return Ok(words) };
    let (before, flags) = words.split_at(at);
    if !(0..flags.len()).any(|n| is_wolfssl_flag(side, &flags[n], flags.get(n + 1))) {
        return Ok(words);
    }
    let mut line = Line::new(side);
    let mut rest = flags.iter();
    while let Some(word) = rest.next() {
        match flag(word) {
            Some((name, attached)) => line.flag(name, attached, &mut rest)?,
            None => line.words.push(word.clone()),
        }
    }
    line.check()?;
    Ok(before.iter().cloned().chain(line.finish()).collect())
}

/// Finds the subcommand (server, client or bench), and the index of the first word after it.
fn side(words: &[OsString]) -> Option<(usize, Side)> {
    let after = |pair: &[OsString]| match pair[1].to_str() {
        Some("server") => Some(Server),
        Some("client") => Some(Client),
        Some("bench") => Some(Bench),
        _ => None,
    };
    let mut pairs = words.windows(2).enumerate().filter(|(_, pair)| pair[0] == "tls");
    pairs.find_map(|(at, pair)| Some((at + 2, after(pair)?)))
}

/// Splits a word into a flag's name and its attached value: `-v4`, `--force-curve=X25519`.
///
/// Long flags count only if wolfSSL has them and grille does not.
fn flag(word: &OsStr) -> Option<(&str, &str)> {
    let word = word.to_str()?;
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        let known = name.len() > 1 && FLAGS.iter().any(|(known, ..)| *known == name);
        return known.then_some((name, value));
    }
    let letters = word.strip_prefix('-')?;
    letters
        .starts_with(|first: char| first.is_ascii_alphanumeric() || first == '?')
        .then(|| letters.split_at(1))
}

/// Returns whether the word is a flag that only wolfSSL has.
///
/// -h, -V, -v without a version, and most flags of tls_bench are also grille's own.
fn is_wolfssl_flag(side: Side, word: &OsStr, next: Option<&OsString>) -> bool {
    let next = next.and_then(|next| next.to_str()).unwrap_or("-");
    match flag(word) {
        Some((name, _)) if side == Bench && name != "h" => "cPdu?".contains(name),
        Some(("v", "")) => next == "d" || (next.len() == 1 && next.bytes().all(|c| c.is_ascii_digit())),
        Some(("h", "")) => !next.starts_with('-'),
        Some(("V", "")) | None => false,
        Some(_) => true,
    }
}

/// The translated command line so far.
struct Line {
    side: Side,
    words: Vec<OsString>,
    host: String,
    /// The port, if it is given.
    port: Option<String>,
    check_name: bool,
    once: bool,
    /// Whether the exit code is 0 even if the only connection fails.
    tolerate_failure: bool,
    /// Whether tls_bench runs only the client.
    client_only: bool,
}

impl Line {
    fn new(side: Side) -> Self {
        let host = "127.0.0.1".to_owned();
        let (check_name, once, tolerate_failure, client_only) = (false, true, false, false);
        Self { side, words: Vec::new(), host, port: None, check_name, once, tolerate_failure, client_only }
    }

    fn flag<'a>(
        &mut self,
        name: &str,
        attached: &'a str,
        rest: &mut impl Iterator<Item = &'a OsString>,
    ) -> Result<(), Error> {
        let place = format!("{}{name}", if name.len() == 1 { "-" } else { "--" });
        let Some(translation) = self.side.translation(name) else {
            let error = Error::usage("this flag of wolfSSL's examples is not supported");
            return Err(error
                .with_place(place)
                .advise("see docs/guide/src/24-wolfssl-flags.md for the supported flags"));
        };
        let mut value = || match attached {
            "" => rest.next().and_then(|value| value.to_str()).map(str::to_owned),
            attached => Some(attached.to_owned()),
        };
        let needed = |value: Option<String>| {
            value.ok_or_else(|| Error::usage("a value is missing").with_place(&place))
        };
        match translation {
            Opt(option) => {
                self.once &= option != "--count";
                self.words.extend([option.into(), needed(value())?.into()]);
            }
            Switch(switch) => {
                self.once &= !switch.starts_with("--count");
                self.words.push(switch.into());
            }
            Version => check_version(&needed(value())?)?,
            Alpn => self.words.push(format!("--alpn={}", without_prefix(&needed(value())?)).into()),
            Host => self.host = needed(value())?,
            Port => self.port = Some(needed(value())?),
            ClientOnly => self.client_only = true,
            ServeForever => self.once = false,
            TolerateFailure => self.tolerate_failure = true,
            CheckName => self.check_name = true,
            Ignored => (),
            Refused(reason) => return Err(Error::usage(reason).with_place(place)),
        }
        Ok(())
    }

    /// Refuses early data without a resumed session. The error names wolfSSL's flags.
    fn check(&self) -> Result<(), Error> {
        if self.has(EARLY_DATA) && !self.has("--resume") && !self.has("--reconnect") {
            let error = Error::usage("early data needs a resumed session").with_place("-0");
            return Err(error.advise("add -r"));
        }
        Ok(())
    }

    /// Adds the defaults of wolfSSL's examples, unless one of grille's own options overrides them.
    fn finish(mut self) -> Vec<OsString> {
        let port = self.port.take().unwrap_or_else(|| self.side.port().to_string());
        if self.side != Bench {
            self.default("--style", "--style=wolfssl");
        }
        match self.side {
            Server => {
                self.words.push(format!("--port={port}").into());
                let end = if self.tolerate_failure { "--count=1" } else { "--once" };
                let has_end = ["--once", "--count", "--naccept"].into_iter().any(|option| self.has(option));
                self.words.extend((self.once && !has_end).then(|| end.into()));
            }
            Client => {
                let named =
                    ["--servername", "--insecure", "--any-name"].into_iter().any(|option| self.has(option));
                if !self.check_name && !named {
                    self.words.push("--any-name".into());
                }
                if !self.has("--throughput") {
                    self.default("--message", "--message=hello wolfssl!");
                }
                self.words.push(format!("{}:{port}", add_brackets(&self.host)).into());
            }
            Bench if self.has("--serve") => self.words.push(format!("--listen=127.0.0.1:{port}").into()),
            Bench if self.client_only => {
                self.words.push(format!("--connect={}:{port}", add_brackets(&self.host)).into());
            }
            // both sides run in this process and use a free port
            Bench => (),
        }
        self.words
    }

    fn has(&self, option: &str) -> bool {
        self.words.iter().any(|word| word.to_str().is_some_and(|word| word.starts_with(option)))
    }

    fn default(&mut self, option: &str, word: &str) {
        if !self.has(option) {
            self.words.push(word.into());
        }
    }
}

fn check_version(version: &str) -> Result<(), Error> {
    match version {
        "4" | "d" => Ok(()),
        _ => Err(Error::usage(format_args!("version \"{version}\" is not supported, only 4 (TLS 1.3)"))
            .with_place("-v")
            .advise("give -v 4")),
    }
}

/// Removes wolfSSL's prefix from a list of protocols: `C:` (continue without a common protocol) or `F:` (fail).
fn without_prefix(list: &str) -> &str {
    ["C:", "F:"].into_iter().find_map(|mode| list.strip_prefix(mode)).unwrap_or(list)
}

fn add_brackets(host: &str) -> String {
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate_line(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let words = translate(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        words.iter().map(|word| word.to_str().unwrap_or("?")).collect::<Vec<_>>().join(" ")
    }

    fn translation_error(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        translate(words).map(|words| format!("{words:?}")).expect_err(line).to_string()
    }

    #[test]
    fn leaves_grille_command_lines_unchanged() {
        for line in [
            "grille tls client localhost -v",
            "grille tls client -v localhost:443 --message hi",
            "grille tls client -h",
            "grille tls server --help",
            "grille tls server --oqs KYBER_LEVEL5",
            "grille list -V",
            "grille sign -k key",
        ] {
            assert_eq!(translate_line(line), line);
        }
    }

    #[test]
    fn translates_example_command_lines() {
        assert_eq!(
            translate_line("grille tls server -v 4 -l SUITE -A r -c c -k k --oqs P521_KYBER_LEVEL5"),
            "grille tls server --ciphers SUITE --ca r --cert c --key k --oqs P521_KYBER_LEVEL5 --style=wolfssl \
             --port=11111 --once"
        );
        assert_eq!(
            translate_line("grille --json tls client -v4 -h ::1 -p 4433 -A r --pqc KYBER_LEVEL5"),
            "grille --json tls client --ca r --pqc KYBER_LEVEL5 --style=wolfssl --any-name --message=hello wolfssl! \
             [::1]:4433"
        );
    }

    #[test]
    fn translates_connection_counts_and_names() {
        assert!(!translate_line("grille tls server -i").contains("--once"));
        assert!(translate_line("grille tls server -v 4 -x").ends_with(" --count=1"));
        assert!(translate_line("grille tls server -C 7").contains("--count 7 --style"));
        assert!(
            translate_line("grille tls server -r -b -d -T -x -N")
                .contains("--count=2 --bind=0.0.0.0 --anonymous")
        );
        assert!(!translate_line("grille tls client -m -A r").contains("--any-name"));
        assert!(
            translate_line("grille tls client -d -r -J -I -b 5")
                .contains("--insecure --resume --retry --update-keys --connections 5")
        );
        assert!(translate_line("grille tls client -L C:h2,http/1.1 -A r").contains("--alpn=h2,http/1.1"));
    }

    #[test]
    fn prefers_grille_options_for_connection_counts() {
        for end in ["--once", "--count 2", "--count=2", "--naccept 2"] {
            let line = translate_line(&format!("grille tls server -v 4 -c l.pem -k l.key {end}"));
            let ends = ["--once", "--count", "--naccept"].map(|option| line.matches(option).count());
            assert_eq!(ends.iter().sum::<usize>(), 1, "{line}");
        }
        // with -x the one connection may fail
        assert!(!translate_line("grille tls server -v 4 -x --count 2").contains("--count=1"));
    }

    #[test]
    fn translates_groups_bytes_and_help() {
        assert!(translate_line("grille tls client -t -A r").contains("--groups=X25519 --ca r"));
        assert!(translate_line("grille tls client -Y -A r").contains("--groups=secp256r1 --ca r"));
        assert!(translate_line("grille tls server -B 5000").contains("--throughput 5000"));
        assert!(translate_line("grille tls server -?").contains("--help"));
    }

    #[test]
    fn translates_tls_bench_command_lines() {
        assert_eq!(
            translate_line("grille tls bench -c -h host -P 5000 -g -t 3 -S 1000 -v -i --ca r"),
            "grille tls bench --all-groups --seconds 3 --size 1000 --verbose --show-peer --ca r --connect=host:5000"
        );
        assert!(translate_line("grille tls bench -c --ca r").ends_with("--connect=127.0.0.1:11112"));
        assert!(translate_line("grille tls bench -s -P 5000").ends_with("--serve --listen=127.0.0.1:5000"));
        for line in
            ["grille tls bench -g -m -t 2 -v", "grille tls bench -s --listen x", "grille tls bench -h"]
        {
            assert_eq!(translate_line(line), line);
        }
        assert!(translation_error("grille tls bench -u").contains("DTLS"));
        assert!(translation_error("grille tls bench -g -d").contains("-d: there is no debug output"));
    }

    #[test]
    fn translates_long_options() {
        let line = translate_line("grille tls client --force-curve SECP256R1 --ca r");
        assert!(line.starts_with("grille tls client --groups SECP256R1 --ca r --style=wolfssl"), "{line}");
        assert!(
            translate_line("grille tls client --force-curve=X25519 -A r").contains("--groups X25519 --ca r")
        );
        let line = translate_line("grille tls server --send-ticket --onlyPskDheKe -c c -k k");
        assert!(line.starts_with("grille tls server --cert c --key k --style"), "{line}");
        assert!(translation_error("grille tls client --srtp").contains("--srtp: DTLS is not supported"));
        assert!(translation_error("grille tls server --srtp=x -c c").contains("SRTP"));
        assert!(translate_line("grille tls client --sys-ca-certs").contains("client --system-roots --style"));
        assert!(translate_line("grille tls client -M smtp -A r").contains("--starttls smtp --ca r"));
        assert!(translation_error("grille tls client --send-ticket").contains("--send-ticket: this flag"));
    }

    #[test]
    fn explains_unsupported_flags() {
        assert!(translation_error("grille tls server -v 3").contains("-v: version \"3\" is not supported"));
        assert!(
            translation_error("grille tls client -v 5 -A r").contains("-v: version \"5\" is not supported")
        );
        assert!(translation_error("grille tls server -u").contains("DTLS"));
        assert!(
            translation_error("grille tls client -z")
                .contains("-z: this flag of wolfSSL's examples is not supported")
        );
        assert!(translation_error("grille tls client -A").contains("-A: a value is missing"));
        assert!(
            translation_error("grille tls client --force-curve")
                .contains("--force-curve: a value is missing")
        );
        assert!(translation_error("grille tls server -h host -A r").contains("-h: "));
    }
}
