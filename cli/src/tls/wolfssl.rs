//! The flags of wolfSSL's example server and client, and of its tls_bench, put into the words of `grille tls`.
//!
//! A command line that has one of their own flags is theirs altogether; it is translated before it is parsed, so that
//! nothing else knows of two languages.

mod flags;

use crate::error::Error;
use flags::Becomes::{
    Alone, Alpn, CheckName, Forever, Host, Nothing, Option as Opt, Patient, Port, Refused, Switch, Version,
};
use flags::Side::{self, Bench, Client, Server};
use flags::{DROP, FLAGS};
use std::ffi::{OsStr, OsString};

/// The line of words, translated if it is one of wolfSSL's.
///
/// # Errors
/// A flag that means nothing here: says why, and what does.
pub(crate) fn translate(words: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let Some((at, side)) = side(&words) else { return Ok(words) };
    let (before, flags) = words.split_at(at);
    if !(0..flags.len()).any(|n| is_theirs(side, &flags[n], flags.get(n + 1))) {
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

/// Where the words of the server or of the client begin.
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

/// The name of a flag, and what is written to it: `-v4`, `--force-curve=X25519`. Of long ones those only that wolfSSL has
/// and we have not.
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

/// Whether the word is a flag that only wolfSSL has: -h and -V are ours, and so is -v without a version; and of the flags of
/// tls_bench most.
fn is_theirs(side: Side, word: &OsStr, next: Option<&OsString>) -> bool {
    let next = next.and_then(|next| next.to_str()).unwrap_or("-");
    match flag(word) {
        Some((name, _)) if side == Bench && name != "h" => "cPdu?".contains(name),
        Some(("v", "")) => next == "d" || (next.len() == 1 && next.bytes().all(|c| c.is_ascii_digit())),
        Some(("h", "")) => !next.starts_with('-'),
        Some(("V", "")) | None => false,
        Some(_) => true,
    }
}

/// The line as it becomes.
struct Line {
    side: Side,
    words: Vec<OsString>,
    host: String,
    /// If it is given.
    port: Option<String>,
    check_name: bool,
    once: bool,
    /// Whether that one may fail.
    patient: bool,
    /// Whether tls_bench is to be the client alone.
    alone: bool,
}

impl Line {
    fn new(side: Side) -> Self {
        let host = "127.0.0.1".to_owned();
        let (check_name, once, patient, alone) = (false, true, false, false);
        Self { side, words: Vec::new(), host, port: None, check_name, once, patient, alone }
    }

    fn flag<'a>(
        &mut self,
        name: &str,
        attached: &'a str,
        rest: &mut impl Iterator<Item = &'a OsString>,
    ) -> Result<(), Error> {
        let place = format!("{}{name}", if name.len() == 1 { "-" } else { "--" });
        let Some(becomes) = self.side.meaning(name) else {
            let error = Error::usage("this flag of wolfSSL's examples has no meaning here");
            return Err(error.at_place(place).advise("--help lists those that have"));
        };
        let mut value = || match attached {
            "" => rest.next().and_then(|value| value.to_str()).map(str::to_owned),
            attached => Some(attached.to_owned()),
        };
        let needed =
            |value: Option<String>| value.ok_or_else(|| Error::usage("a value is missing").at_place(&place));
        match becomes {
            Opt(option) => {
                self.once &= option != "--count";
                self.words.extend([option.into(), needed(value())?.into()]);
            }
            Switch(switch) => {
                self.once &= !switch.starts_with("--count");
                self.words.push(switch.into());
            }
            Version => version(&needed(value())?)?,
            Alpn => self.words.push(format!("--alpn={}", protocols(&needed(value())?)).into()),
            Host => self.host = needed(value())?,
            Port => self.port = Some(needed(value())?),
            Alone => self.alone = true,
            Forever => self.once = false,
            Patient => self.patient = true,
            CheckName => self.check_name = true,
            Nothing => (),
            Refused(reason) => return Err(Error::usage(reason).at_place(place)),
        }
        Ok(())
    }

    /// Refuses early data without a session that could be resumed, in the words of the flags.
    fn check(&self) -> Result<(), Error> {
        if self.has(DROP) && !self.has("--resume") && !self.has("--reconnect") {
            let error = Error::usage("early data is said on the second connection").at_place("-0");
            return Err(error.advise("give -r, too"));
        }
        Ok(())
    }

    /// What the examples do without being told, unless one of our own options tells otherwise.
    fn finish(mut self) -> Vec<OsString> {
        let port = self.port.take().unwrap_or_else(|| self.side.port().to_string());
        if self.side != Bench {
            self.default("--style", "--style=wolfssl");
        }
        match self.side {
            Server => {
                self.words.push(format!("--port={port}").into());
                let end = if self.patient { "--count=1" } else { "--once" };
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
                self.words.push(format!("{}:{port}", bracketed(&self.host)).into());
            }
            Bench if self.has("--serve") => self.words.push(format!("--listen=127.0.0.1:{port}").into()),
            Bench if self.alone => {
                self.words.push(format!("--connect={}:{port}", bracketed(&self.host)).into());
            }
            // both sides meet on a port that the system chooses
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

fn version(version: &str) -> Result<(), Error> {
    match version {
        "4" | "d" => Ok(()),
        _ => Err(Error::usage(format_args!(
            "\"{version}\" is not the version of TLS 1.3, and no other is spoken"
        ))
        .at_place("-v")
        .advise("give -v 4")),
    }
}

/// wolfSSL's list says first what happens where there is nothing in common: `C:` or `F:`.
fn protocols(list: &str) -> &str {
    ["C:", "F:"].into_iter().find_map(|mode| list.strip_prefix(mode)).unwrap_or(list)
}

fn bracketed(host: &str) -> String {
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let words = translate(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        words.iter().map(|word| word.to_str().unwrap_or("?")).collect::<Vec<_>>().join(" ")
    }

    fn refused(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        translate(words).map(|words| format!("{words:?}")).expect_err(line).to_string()
    }

    #[test]
    fn our_own_lines_stay_as_they_are() {
        for line in [
            "grille tls client localhost -v",
            "grille tls client -v localhost:443 --message hi",
            "grille tls client -h",
            "grille tls server --help",
            "grille tls server --oqs KYBER_LEVEL5",
            "grille list -V",
            "grille sign -k key",
        ] {
            assert_eq!(translated(line), line);
        }
    }

    #[test]
    fn the_seeds_lines_become_ours() {
        assert_eq!(
            translated("grille tls server -v 4 -l SUITE -A r -c c -k k --oqs P521_KYBER_LEVEL5"),
            "grille tls server --ciphers SUITE --ca r --cert c --key k --oqs P521_KYBER_LEVEL5 --style=wolfssl \
             --port=11111 --once"
        );
        assert_eq!(
            translated("grille --json tls client -v4 -h ::1 -p 4433 -A r --pqc KYBER_LEVEL5"),
            "grille --json tls client --ca r --pqc KYBER_LEVEL5 --style=wolfssl --any-name --message=hello wolfssl! \
             [::1]:4433"
        );
    }

    #[test]
    fn ends_and_names_are_as_the_flags_say() {
        assert!(!translated("grille tls server -i").contains("--once"));
        assert!(translated("grille tls server -v 4 -x").ends_with(" --count=1"));
        assert!(translated("grille tls server -C 7").contains("--count 7 --style"));
        assert!(
            translated("grille tls server -r -b -d -T -x -N")
                .contains("--count=2 --bind=0.0.0.0 --anonymous")
        );
        assert!(!translated("grille tls client -m -A r").contains("--any-name"));
        assert!(
            translated("grille tls client -d -r -J -I -b 5")
                .contains("--insecure --resume --retry --update-keys --connections 5")
        );
        assert!(translated("grille tls client -L C:h2,http/1.1 -A r").contains("--alpn=h2,http/1.1"));
    }

    #[test]
    fn our_own_ends_take_the_place_of_theirs() {
        for end in ["--once", "--count 2", "--count=2", "--naccept 2"] {
            let line = translated(&format!("grille tls server -v 4 -c l.pem -k l.key {end}"));
            let ends = ["--once", "--count", "--naccept"].map(|option| line.matches(option).count());
            assert_eq!(ends.iter().sum::<usize>(), 1, "{line}");
        }
        // with -x the one connection may fail
        assert!(!translated("grille tls server -v 4 -x --count 2").contains("--count=1"));
    }

    #[test]
    fn groups_bytes_and_help_are_asked_for_by_letters() {
        assert!(translated("grille tls client -t -A r").contains("--groups=X25519 --ca r"));
        assert!(translated("grille tls client -Y -A r").contains("--groups=secp256r1 --ca r"));
        assert!(translated("grille tls server -B 5000").contains("--throughput 5000"));
        assert!(translated("grille tls server -?").contains("--help"));
    }

    #[test]
    fn the_lines_of_tls_bench_become_ours() {
        assert_eq!(
            translated("grille tls bench -c -h host -P 5000 -g -t 3 -S 1000 -v -i --ca r"),
            "grille tls bench --all-groups --seconds 3 --size 1000 --verbose --show-peer --ca r --connect=host:5000"
        );
        assert!(translated("grille tls bench -c --ca r").ends_with("--connect=127.0.0.1:11112"));
        assert!(translated("grille tls bench -s -P 5000").ends_with("--serve --listen=127.0.0.1:5000"));
        for line in
            ["grille tls bench -g -m -t 2 -v", "grille tls bench -s --listen x", "grille tls bench -h"]
        {
            assert_eq!(translated(line), line);
        }
        assert!(refused("grille tls bench -u").contains("DTLS"));
        assert!(refused("grille tls bench -g -d").contains("-d: there are no messages for debugging"));
    }

    #[test]
    fn their_long_options_are_known_by_name() {
        let line = translated("grille tls client --force-curve SECP256R1 --ca r");
        assert!(line.starts_with("grille tls client --groups SECP256R1 --ca r --style=wolfssl"), "{line}");
        assert!(translated("grille tls client --force-curve=X25519 -A r").contains("--groups X25519 --ca r"));
        let line = translated("grille tls server --send-ticket --onlyPskDheKe -c c -k k");
        assert!(line.starts_with("grille tls server --cert c --key k --style"), "{line}");
        assert!(refused("grille tls client --srtp").contains("--srtp: DTLS is not spoken here"));
        assert!(refused("grille tls server --srtp=x -c c").contains("SRTP"));
        assert!(translated("grille tls client --sys-ca-certs").contains("client --system-roots --style"));
        assert!(translated("grille tls client -M smtp -A r").contains("--starttls smtp --ca r"));
        assert!(refused("grille tls client --send-ticket").contains("--send-ticket: this flag"));
    }

    #[test]
    fn what_means_nothing_here_is_said() {
        assert!(refused("grille tls server -v 3").contains("-v: \"3\" is not the version of TLS 1.3"));
        assert!(refused("grille tls client -v 5 -A r").contains("-v: \"5\" is not the version of TLS 1.3"));
        assert!(refused("grille tls server -u").contains("DTLS"));
        assert!(
            refused("grille tls client -z")
                .contains("-z: this flag of wolfSSL's examples has no meaning here")
        );
        assert!(refused("grille tls client -A").contains("-A: a value is missing"));
        assert!(refused("grille tls client --force-curve").contains("--force-curve: a value is missing"));
        assert!(refused("grille tls server -h host -A r").contains("-h: "));
    }
}
