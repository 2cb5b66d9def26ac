//! The options that say what DMTF's emulators do, for `grille spdm requester` and `grille spdm responder`: each side
//! takes all of them, and heeds its own.

use super::options::any_case;
use super::state::Kept;
use crate::error::Error;
use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication};
use grille_spdm_engine::identity::PROVISIONED;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Clone, clap::Args)]
pub(super) struct Emulation {
    /// Whether the responder has requesters prove themselves after CHALLENGE_AUTH too; who cannot gets none.
    #[arg(long = "basic_mut_auth", value_name = "POLICY", default_value = "NO")]
    basic_mut_auth: Basic,
    /// How the responder has requesters prove themselves in sessions; who cannot gets none, but with a key that both sides have.
    /// Without it NO, or with --req_slot_id 0xFF with that key.
    #[arg(long = "mut_auth", value_name = "POLICY")]
    mut_auth: Option<Mutual>,
    /// Which measurements the requester wants a summary of.
    #[arg(long = "meas_sum", value_name = "KIND", default_value = "ALL")]
    pub(super) meas_sum: Summary,
    /// Whether the requester asks for measurements one by one.
    #[arg(long = "meas_op", value_name = "HOW", default_value = "ONE_BY_ONE")]
    pub(super) meas_op: MeasureHow,
    /// Whether it asks for digests or for raw values.
    #[arg(long = "meas_att", value_name = "KIND", default_value = "HASH")]
    pub(super) meas_att: Attribute,
    /// Which keys KEY_UPDATE is to change.
    #[arg(long = "key_upd", value_name = "WHICH", default_value = "ALL")]
    pub(super) key_upd: KeyUpdate,
    /// The slot that the responder proves itself with: 0 to 7, or 0xFF for a key that the requester knows.
    #[arg(long = "slot_id", visible_alias = "slot", value_name = "N", default_value = "0", value_parser = slot)]
    pub(super) slot_id: u8,
    /// The slot that the requester proves itself with: 0 to 7, or 0xFF for a key that the responder knows.
    #[arg(long = "req_slot_id", value_name = "N", default_value = "0", value_parser = slot)]
    pub(super) req_slot_id: u8,
    /// How many slots have a chain, the same in each.
    #[arg(long = "slot_count", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(super) slot_count: u8,
    /// Whether the requester tells the responder to end.
    #[arg(long = "exe_mode", value_name = "MODE", default_value = "SHUTDOWN")]
    pub(super) exe_mode: Mode,
    /// What the requester does outside sessions; NONE is nothing.
    #[arg(
        long = "exe_conn",
        value_name = "STEPS",
        value_delimiter = ',',
        default_value = "DIGEST,CERT,CHAL,MEAS,MEL,GET_KEY_PAIR_INFO,EP_INFO",
        value_parser = Steps { fits: Step::is_outside }
    )]
    pub(super) exe_conn: Vec<Step>,
    /// What it does in sessions, and in which; NONE opens none, and PSK needs --psk or --test-psk. With EVENT, one is added
    /// before and after SET_CERT and SET_KEY_PAIR_INFO where none is named there
    /// [default: KEY_EX,KEY_UPDATE,HEARTBEAT,MEAS,MEL,DIGEST,CERT,GET_KEY_PAIR_INFO,EP_INFO,APP, and PSK if its key is named].
    #[arg(
        long = "exe_session",
        value_name = "STEPS",
        value_delimiter = ',',
        value_parser = Steps { fits: Step::is_inside }
    )]
    exe_session: Option<Vec<Step>>,
    /// Whether an option names the key that both sides have beforehand.
    #[arg(skip)]
    has_psk: bool,
    /// The chain (PEM, the root first) that the requester's SET_CERT puts into the slot; without it the one that is there.
    #[arg(long = "new_chain", value_name = "FILE")]
    pub(super) new_chain: Option<PathBuf>,
    /// Where the requester's GET_CSR puts the request for a certificate (PEM).
    #[arg(long, value_name = "FILE")]
    pub(super) csr: Option<PathBuf>,
    /// Who connects over TCP: the requester, or with RI the responder, which then asks to be one (Role-Inquiry).
    #[arg(long = "tcp_sub", value_name = "HOW", default_value = "NO_RI")]
    tcp_sub: Connects,
    #[command(flatten)]
    pub(super) kept: Kept,
    #[command(flatten)]
    refused: Refused,
}

/// What only the requester heeds.
pub(super) const REQUESTERS: [&str; 9] =
    ["meas_sum", "meas_op", "meas_att", "key_upd", "exe_mode", "exe_conn", "exe_session", "new_chain", "csr"];

/// What only the responder heeds.
pub(super) const RESPONDERS: [&str; 4] = ["basic_mut_auth", "mut_auth", "slot_count", "pqc_first"];

/// The same option in any case, which help leaves out if it is one of the other side's.
pub(super) fn without(others: &[&str], arg: Arg) -> Arg {
    let hidden = arg.is_hide_set() || others.contains(&arg.get_id().as_str());
    any_case(arg.hide(hidden))
}

/// Options of DMTF's emulators that are refused, each with its reason.
#[derive(Clone, clap::Args)]
struct Refused {
    #[arg(long = "peer_cap", hide = true)]
    peer_cap: Option<String>,
    #[arg(short = 'v', long = "verbose", hide = true)]
    verbose: bool,
    #[arg(long = "priv_key_mode", hide = true, default_value = "PEM", value_parser = ["PEM", "RAW"])]
    priv_key_mode: String,
}

impl Refused {
    /// That none is given.
    ///
    /// # Errors
    /// Why one that is cannot be.
    fn check(&self) -> Result<(), Error> {
        [
            ("--peer_cap", self.peer_cap.is_some(), "the other side says itself what it can do"),
            ("--verbose", self.verbose, "--pcap keeps every message, and grille spdm dump shows them"),
            (
                "--priv_key_mode",
                self.priv_key_mode.eq_ignore_ascii_case("RAW"),
                "--key names a file, PEM or DER",
            ),
        ]
        .into_iter()
        .find(|(_, given, _)| *given)
        .map_or(Ok(()), |(option, _, why)| Err(Error::usage(why).at_place(option)))
    }
}

/// --basic_mut_auth.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum Basic {
    No,
    Basic,
}

/// --mut_auth.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum Mutual {
    No,
    WoEncap,
    WEncap,
    Digests,
}

/// --tcp_sub.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum Connects {
    NoRi,
    Ri,
}

/// --meas_sum: MeasurementSummaryHashType.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Summary {
    No = 0,
    Tcb = 1,
    All = 0xFF,
}

/// --meas_op.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum MeasureHow {
    OneByOne,
    All,
}

/// --meas_att.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Attribute {
    Hash,
    Raw,
}

/// --key_upd.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum KeyUpdate {
    Req,
    All,
    Rsp,
}

/// --exe_mode.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Mode {
    Shutdown,
    Continue,
}

/// A step of --exe_conn or --exe_session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Step {
    /// Nothing.
    None,
    #[value(hide = true)]
    VerOnly,
    Vca,
    Digest,
    Cert,
    Chal,
    Meas,
    Mel,
    GetCsr,
    SetCert,
    GetKeyPairInfo,
    SetKeyPairInfo,
    EpInfo,
    SlotMgmt,
    KeyEx,
    Psk,
    NoEnd,
    KeyUpdate,
    Heartbeat,
    Event,
    App,
}

impl Step {
    /// Whether there is such a step outside sessions.
    fn is_outside(self) -> bool {
        use Step::{App, Event, Heartbeat, KeyEx, KeyUpdate, NoEnd, Psk};
        ![KeyEx, Psk, NoEnd, KeyUpdate, Heartbeat, Event, App].contains(&self)
    }

    /// Whether there is in them.
    fn is_inside(self) -> bool {
        ![Self::VerOnly, Self::Vca, Self::Chal].contains(&self)
    }

    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Reads all steps, each of which is refused with its reason where it does not fit; help has those that do, and so has what is
/// said of no step at all.
#[derive(Clone)]
struct Steps {
    fits: fn(Step) -> bool,
}

impl TypedValueParser for Steps {
    type Value = Step;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Step, clap::Error> {
        EnumValueParser::new().parse_ref(command, arg, value).or_else(|error| {
            let own = PossibleValuesParser::new(self.possible_values().into_iter().flatten());
            own.parse_ref(command, arg, value).and(Err(error))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let fits = Step::value_variants().iter().filter(|step| (self.fits)(**step));
        Some(Box::new(fits.filter_map(Step::to_possible_value)))
    }
}

/// What the requester does in sessions if nobody says so; the first opens a session with a key that both sides have.
const SESSION_STEPS: [Step; 11] = [
    Step::Psk,
    Step::KeyEx,
    Step::KeyUpdate,
    Step::Heartbeat,
    Step::Meas,
    Step::Mel,
    Step::Digest,
    Step::Cert,
    Step::GetKeyPairInfo,
    Step::EpInfo,
    Step::App,
];

impl Emulation {
    /// Knows whether an option names the key that both sides have beforehand.
    pub(super) fn with_psk(self, has_psk: bool) -> Self {
        Self { has_psk, ..self }
    }

    /// What the requester does in sessions, and in which.
    pub(super) fn session_steps(&self) -> &[Step] {
        match &self.exe_session {
            Some(steps) => steps,
            None if self.has_psk => &SESSION_STEPS,
            None => &SESSION_STEPS[1..],
        }
    }

    /// Whether the responder connects, and not the requester.
    pub(super) fn inquires_role(&self) -> bool {
        self.tcp_sub == Connects::Ri
    }

    /// Whether all can be done over this transport, each step where it is asked for.
    ///
    /// # Errors
    /// One that cannot.
    pub(super) fn check(&self, binding: Binding) -> Result<(), Error> {
        self.refused.check()?;
        if self.inquires_role() && binding != Binding::Tcp {
            return Err(Error::usage("roles are asked for over TCP only").at_place("--tcp_sub"));
        }
        if self.exe_conn.contains(&Step::VerOnly) {
            return Err(Error::usage("VER_ONLY leaves out what this side always asks").at_place("--exe_conn"));
        }
        let wrong = |option: &str, steps: &[Step], fits: fn(Step) -> bool| {
            steps.iter().find(|step| !fits(**step)).map_or(Ok(()), |step| {
                let where_else =
                    if option == "--exe_conn" { "only in sessions" } else { "only outside sessions" };
                Err(Error::usage(format_args!("{} is {where_else}", step.name())).at_place(option))
            })
        };
        wrong("--exe_conn", &self.exe_conn, Step::is_outside)?;
        wrong("--exe_session", self.session_steps(), Step::is_inside)?;
        let lists = [("--exe_conn", &self.exe_conn[..]), ("--exe_session", self.session_steps())];
        match lists.iter().find(|(_, steps)| steps.len() > 1 && steps.contains(&Step::None)) {
            Some((option, _)) => Err(Error::usage("NONE stands alone").at_place(option)),
            None => Ok(()),
        }
    }

    /// The options that name the file of a step, each with that.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, Step)> {
        let files = [("--new_chain", &self.new_chain, Step::SetCert), ("--csr", &self.csr, Step::GetCsr)];
        files.into_iter().filter(|(_, file, _)| file.is_some()).map(|(option, _, step)| (option, step))
    }

    /// That each file of a step has its step.
    ///
    /// # Errors
    /// One that has not.
    pub(super) fn check_files(&self) -> Result<(), Error> {
        let idle = self.files().find(|(_, step)| !self.does(*step));
        idle.map_or(Ok(()), |(option, step)| {
            let what = Error::usage(format_args!("no step is {}", step.name())).at_place(option);
            Err(what.advise("--exe_conn and --exe_session name the steps"))
        })
    }

    /// That a session is opened with the key that both sides have beforehand, where an option is about it.
    ///
    /// # Errors
    /// If none is.
    pub(super) fn check_psk(&self, given: Option<&str>) -> Result<(), Error> {
        given.filter(|_| !self.does(Step::Psk)).map_or(Ok(()), |option| {
            let what = Error::usage("no session is opened with a key that both sides have").at_place(option);
            Err(what.advise("PSK in --exe_session opens one"))
        })
    }

    /// Whether the requester opens a session with a key that both sides have beforehand.
    pub(super) fn opens_with_psk(&self) -> bool {
        self.does(Step::Psk)
    }

    fn does(&self, step: Step) -> bool {
        self.exe_conn.contains(&step) || self.session_steps().contains(&step)
    }

    /// What the requester does in each session. A change that it makes is between two EVENTs where there is any: who is to hear of
    /// it has subscribed before, and listens after.
    pub(super) fn inside(&self) -> Vec<Step> {
        let opens = |step: &&Step| matches!(step, Step::KeyEx | Step::Psk | Step::NoEnd);
        let mut steps: Vec<Step> = self.session_steps().iter().filter(|step| !opens(step)).copied().collect();
        let is_event = |step: &Step| *step == Step::Event;
        let changes =
            |steps: &[Step]| steps.iter().any(|step| [Step::SetCert, Step::SetKeyPairInfo].contains(step));
        if let (Some(first), Some(last)) = (steps.iter().position(is_event), steps.iter().rposition(is_event))
        {
            let (before, after) = (changes(&steps[..first]), changes(&steps[last..]));
            steps.splice(..0, before.then_some(Step::Event));
            steps.extend(after.then_some(Step::Event));
        }
        steps
    }

    /// The slot of --slot_id, where a responder has no chain in it.
    pub(super) fn empty_slot(&self) -> Option<u8> {
        Some(self.slot_id).filter(|slot| *slot != PROVISIONED && *slot >= self.slot_count)
    }

    /// Whether there are to be chains in slots, where a key that is known beforehand stands in for all of them.
    pub(super) fn counts_in_vain(&self) -> bool {
        self.slot_id == PROVISIONED && self.slot_count > 1
    }

    /// What is written, but for the roots of new keys, captures and key logs.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.kept.output().into_iter().chain(self.csr.as_deref())
    }

    /// Whether the requester lets itself be asked in sessions: that is how events and the responder's KEY_UPDATE come.
    pub(super) fn listens(&self) -> bool {
        let does = |step| self.session_steps().contains(&step);
        does(Step::Event) || self.key_upd == KeyUpdate::Rsp && does(Step::KeyUpdate)
    }

    /// The responder's wishes.
    pub(super) fn apply(&self, config: Config) -> Config {
        let mutual = self.mutual();
        let basic_mutual = self.basic_mut_auth == Basic::Basic;
        Config { mutual, basic_mutual, requires_mutual: true, heartbeat: HEARTBEAT, ..config }
    }

    /// How the responder has requesters prove themselves in sessions.
    fn mutual(&self) -> MutualAuthentication {
        match (self.mut_auth, self.req_slot_id) {
            (Some(Mutual::No), _) | (None, 0..PROVISIONED) => MutualAuthentication::No,
            // as DMTF's: a key is known to be asked for
            (_, PROVISIONED) => MutualAuthentication::Slot(PROVISIONED),
            (Some(Mutual::WoEncap), slot) => MutualAuthentication::Slot(slot),
            (Some(Mutual::WEncap), _) => MutualAuthentication::Encapsulated,
            (Some(Mutual::Digests), _) => MutualAuthentication::Digests,
        }
    }

    /// Whether the responder has requesters prove themselves.
    pub(super) fn is_mutual(&self) -> bool {
        self.basic_mut_auth == Basic::Basic || self.mutual() != MutualAuthentication::No
    }
}

/// HeartbeatPeriod in seconds, as of DMTF's emulators: whose requester sends no HEARTBEAT without one.
pub(super) const HEARTBEAT: u8 = 0xF0;

/// 0 to 7, or 0xFF.
pub(super) fn slot(text: &str) -> Result<u8, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number
        .ok()
        .filter(|slot| *slot < grille_spdm_engine::identity::SLOTS || *slot == PROVISIONED)
        .ok_or_else(|| "slots are 0 to 7, and 0xFF".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_decimal_or_hexadecimal() {
        assert_eq!((slot("7"), slot("0xFF"), slot("255")), (Ok(7), Ok(0xFF), Ok(0xFF)));
        for wrong in ["8", "0x8", "-1", "", "x"] {
            assert!(slot(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn steps_have_the_names_of_the_emulators() {
        let names: Vec<String> = Step::value_variants().iter().map(|step| step.name()).collect();
        for name in ["VCA", "GET_CSR", "SET_KEY_PAIR_INFO", "EP_INFO", "KEY_EX", "NO_END", "KEY_UPDATE"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
