//! Options of DMTF's emulators, shared by `grille spdm requester` and `grille spdm responder`. Each side accepts all
//! of them and uses its own.

use super::options::any_case;
use super::state::StateFiles;
use crate::error::Error;
use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication};
use grille_spdm_engine::identity::PROVISIONED;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Clone, clap::Args)]
pub(super) struct Emulation {
    /// Require mutual authentication with CHALLENGE. Requesters that cannot authenticate get no CHALLENGE_AUTH.
    #[arg(long = "basic-mut-auth", alias = "basic_mut_auth", value_name = "POLICY", default_value = "NO")]
    basic_mut_auth: BasicMutualAuth,
    /// Require mutual authentication in key-exchange sessions. Requesters that cannot authenticate get no
    /// session. PSK sessions are not affected [default: NO; WO_ENCAP with --req-slot-id 0xFF].
    #[arg(long = "mut-auth", alias = "mut_auth", value_name = "POLICY")]
    mut_auth: Option<SessionMutualAuth>,
    /// Request a summary of these measurements.
    #[arg(long = "meas-sum", alias = "meas_sum", value_name = "KIND", default_value = "ALL")]
    pub(super) meas_sum: Summary,
    /// Request measurements one by one or all at once.
    #[arg(long = "meas-op", alias = "meas_op", value_name = "HOW", default_value = "ONE_BY_ONE")]
    pub(super) meas_op: MeasureOperation,
    /// Request digests or raw values.
    #[arg(long = "meas-att", alias = "meas_att", value_name = "KIND", default_value = "HASH")]
    pub(super) meas_att: Attribute,
    /// Update these keys with KEY_UPDATE.
    #[arg(long = "key-upd", alias = "key_upd", value_name = "WHICH", default_value = "ALL")]
    pub(super) key_upd: KeyUpdate,
    /// Use this slot of the responder: 0 to 7 for a chain, or 0xFF for a provisioned public key.
    #[arg(long = "slot-id", alias = "slot_id", visible_alias = "slot", value_name = "N", default_value = "0", value_parser = slot)]
    pub(super) slot_id: u8,
    /// Use this slot of the requester: 0 to 7 for a chain, or 0xFF for a provisioned public key.
    #[arg(long = "req-slot-id", alias = "req_slot_id", value_name = "N", default_value = "0", value_parser = slot)]
    pub(super) req_slot_id: u8,
    /// Fill this many slots, all with the same chain.
    #[arg(long = "slot-count", alias = "slot_count", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(super) slot_count: u8,
    /// Shut the responder down at the end, or let it continue.
    #[arg(long = "exe-mode", alias = "exe_mode", value_name = "MODE", default_value = "SHUTDOWN")]
    pub(super) exe_mode: Mode,
    /// Do these steps outside sessions; NONE for no steps.
    #[arg(
        long = "exe-conn", alias = "exe_conn",
        value_name = "STEPS",
        value_delimiter = ',',
        default_value = "DIGEST,CERT,CHAL,MEAS,MEL,GET_KEY_PAIR_INFO,EP_INFO",
        value_parser = Steps { fits: Step::is_allowed_outside_sessions }
    )]
    pub(super) exe_conn: Vec<Step>,
    /// Do these steps in sessions. KEY_EX and PSK open the sessions, NONE opens none, and PSK needs --psk
    /// or --test-psk. If EVENT is listed, SET_CERT and SET_KEY_PAIR_INFO run between two EVENT steps; the requester
    /// adds a missing one [default: KEY_EX,KEY_UPDATE,HEARTBEAT,MEAS,MEL,DIGEST,CERT,GET_KEY_PAIR_INFO,EP_INFO,APP,
    /// and PSK if --psk or --test-psk is given].
    #[arg(
        long = "exe-session", alias = "exe_session",
        value_name = "STEPS",
        value_delimiter = ',',
        value_parser = Steps { fits: Step::is_allowed_in_sessions }
    )]
    exe_session: Option<Vec<Step>>,
    /// Whether an option names the pre-shared key.
    #[arg(skip)]
    has_psk: bool,
    /// Write this chain (PEM, root first) to the slot with SET_CERT [default: the slot's current chain].
    #[arg(long = "new-chain", alias = "new_chain", value_name = "FILE")]
    pub(super) new_chain: Option<PathBuf>,
    /// Save the certificate request of GET_CSR to this file (PEM).
    #[arg(long, value_name = "FILE")]
    pub(super) csr: Option<PathBuf>,
    /// Choose the side that connects over TCP: the requester (NO_RI), or the responder (RI), which then asks to act as
    /// the responder (Role-Inquiry).
    #[arg(long = "tcp-sub", alias = "tcp_sub", value_name = "HOW", default_value = "NO_RI")]
    tcp_sub: TcpRole,
    #[command(flatten)]
    pub(super) state_files: StateFiles,
    #[command(flatten)]
    refused: UnsupportedOptions,
}

/// Options that affect only the requester.
pub(super) const REQUESTER_ONLY: [&str; 9] =
    ["meas_sum", "meas_op", "meas_att", "key_upd", "exe_mode", "exe_conn", "exe_session", "new_chain", "csr"];

/// Options that affect only the responder.
pub(super) const RESPONDER_ONLY: [&str; 4] = ["basic_mut_auth", "mut_auth", "slot_count", "pqc_first"];

/// Makes the option's value case-insensitive, and hides the option if `others` lists it.
pub(super) fn hide_other_side(others: &[&str], arg: Arg) -> Arg {
    let hidden = arg.is_hide_set() || others.contains(&arg.get_id().as_str());
    any_case(arg.hide(hidden))
}

/// Options of DMTF's emulators that are rejected, each with its reason.
#[derive(Clone, clap::Args)]
struct UnsupportedOptions {
    #[arg(long = "peer-cap", alias = "peer_cap", hide = true)]
    peer_cap: Option<String>,
    #[arg(short = 'v', long = "verbose", hide = true)]
    verbose: bool,
    #[arg(long = "priv-key-mode", alias = "priv_key_mode", hide = true, default_value = "PEM", value_parser = ["PEM", "RAW"])]
    priv_key_mode: String,
}

impl UnsupportedOptions {
    /// Checks that none of these options is given.
    ///
    /// # Errors
    /// Returns an error if one of these options is given; the error gives the reason.
    fn check(&self) -> Result<(), Error> {
        [
            (
                "--peer-cap",
                self.peer_cap.is_some(),
                "cannot preset the peer's capabilities: the peer sends them itself",
            ),
            (
                "--verbose",
                self.verbose,
                "not supported: record messages with --pcap, and show them with `grille spdm dump`",
            ),
            (
                "--priv-key-mode",
                self.priv_key_mode.eq_ignore_ascii_case("RAW"),
                "not supported: give the key as a PEM or DER file with --key",
            ),
        ]
        .into_iter()
        .find(|(_, given, _)| *given)
        .map_or(Ok(()), |(option, _, why)| Err(Error::usage(why).with_place(option)))
    }
}

/// Values of --basic-mut-auth.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum BasicMutualAuth {
    No,
    Basic,
}

/// Values of --mut-auth.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum SessionMutualAuth {
    No,
    WoEncap,
    WEncap,
    Digests,
}

/// Values of --tcp-sub.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum TcpRole {
    NoRi,
    Ri,
}

/// Values of --meas-sum (MeasurementSummaryHashType).
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Summary {
    No = 0,
    Tcb = 1,
    All = 0xFF,
}

/// Values of --meas-op.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum MeasureOperation {
    OneByOne,
    All,
}

/// Values of --meas-att.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Attribute {
    Hash,
    Raw,
}

/// Values of --key-upd.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum KeyUpdate {
    Req,
    All,
    Rsp,
}

/// Values of --exe-mode.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Mode {
    Shutdown,
    Continue,
}

/// A step of --exe-conn or --exe-session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Step {
    /// No step.
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
    /// Returns whether the step is possible outside sessions.
    fn is_allowed_outside_sessions(self) -> bool {
        use Step::{App, Event, Heartbeat, KeyEx, KeyUpdate, NoEnd, Psk};
        ![KeyEx, Psk, NoEnd, KeyUpdate, Heartbeat, Event, App].contains(&self)
    }

    /// Returns whether the step is possible in sessions.
    fn is_allowed_in_sessions(self) -> bool {
        ![Self::VerOnly, Self::Vca, Self::Chal].contains(&self)
    }

    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Parses steps. Accepts all steps, so that a misplaced one is rejected later with a reason. Help and errors for
/// unknown names list only the steps that fit.
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

/// The default steps in sessions. The first one, which opens a PSK session, applies only if a key is given.
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
    /// Sets whether an option names the pre-shared key.
    pub(super) fn with_psk(self, has_psk: bool) -> Self {
        Self { has_psk, ..self }
    }

    /// Returns the steps in sessions, including those that open sessions.
    pub(super) fn session_steps(&self) -> &[Step] {
        match &self.exe_session {
            Some(steps) => steps,
            None if self.has_psk => &SESSION_STEPS,
            None => &SESSION_STEPS[1..],
        }
    }

    /// Returns whether the responder connects to the requester (Role-Inquiry).
    pub(super) fn inquires_role(&self) -> bool {
        self.tcp_sub == TcpRole::Ri
    }

    /// Checks that the transport supports the options, and that each step is in the right list.
    ///
    /// # Errors
    /// Returns an error if an option or a step does not fit.
    pub(super) fn check(&self, binding: Binding) -> Result<(), Error> {
        self.refused.check()?;
        if self.inquires_role() && binding != Binding::Tcp {
            return Err(Error::usage("Role-Inquiry needs --trans TCP").with_place("--tcp-sub"));
        }
        if self.exe_conn.contains(&Step::VerOnly) {
            return Err(Error::usage(
                "VER_ONLY is not supported: this side always sends GET_CAPABILITIES and NEGOTIATE_ALGORITHMS",
            )
            .with_place("--exe-conn"));
        }
        let wrong = |option: &str, steps: &[Step], fits: fn(Step) -> bool| {
            steps.iter().find(|step| !fits(**step)).map_or(Ok(()), |step| {
                let where_else = if option == "--exe-conn" {
                    "possible only in sessions"
                } else {
                    "possible only outside sessions"
                };
                Err(Error::usage(format_args!("{} is {where_else}", step.name())).with_place(option))
            })
        };
        wrong("--exe-conn", &self.exe_conn, Step::is_allowed_outside_sessions)?;
        wrong("--exe-session", self.session_steps(), Step::is_allowed_in_sessions)?;
        let lists = [("--exe-conn", &self.exe_conn[..]), ("--exe-session", self.session_steps())];
        match lists.iter().find(|(_, steps)| steps.len() > 1 && steps.contains(&Step::None)) {
            Some((option, _)) => Err(Error::usage("NONE excludes other steps").with_place(option)),
            None => Ok(()),
        }
    }

    /// Returns each given option that names a file for a step, and this step.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, Step)> {
        let files = [("--new-chain", &self.new_chain, Step::SetCert), ("--csr", &self.csr, Step::GetCsr)];
        files.into_iter().filter(|(_, file, _)| file.is_some()).map(|(option, _, step)| (option, step))
    }

    /// Checks that every option that names a file has its step listed.
    ///
    /// # Errors
    /// Returns an error if a step is missing.
    pub(super) fn check_files(&self) -> Result<(), Error> {
        let idle = self.files().find(|(_, step)| !self.has_step(*step));
        idle.map_or(Ok(()), |(option, step)| {
            let problem =
                Error::usage(format_args!("the step {} is missing", step.name())).with_place(option);
            Err(problem.advise("add the step to --exe-conn or --exe-session"))
        })
    }

    /// Checks that a PSK session is requested. `given`: the option for the pre-shared key on the command line, if there
    /// is one; without it nothing is checked.
    ///
    /// # Errors
    /// Returns an error if the option is given and no PSK session is requested.
    pub(super) fn check_psk(&self, given: Option<&str>) -> Result<(), Error> {
        given.filter(|_| !self.has_step(Step::Psk)).map_or(Ok(()), |option| {
            let problem = Error::usage("no session with a pre-shared key is requested").with_place(option);
            Err(problem.advise("add PSK to --exe-session"))
        })
    }

    /// Returns whether the requester opens a PSK session.
    pub(super) fn opens_with_psk(&self) -> bool {
        self.has_step(Step::Psk)
    }

    fn has_step(&self, step: Step) -> bool {
        self.exe_conn.contains(&step) || self.session_steps().contains(&step)
    }

    /// Returns the steps in each session. If EVENT is listed, every step that changes the device is placed between two
    /// EVENT steps: the first subscribes, and the second receives the events.
    pub(super) fn session_plan(&self) -> Vec<Step> {
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

    /// Returns the slot of --slot-id if the responder has no chain in it.
    pub(super) fn empty_slot(&self) -> Option<u8> {
        Some(self.slot_id).filter(|slot| *slot != PROVISIONED && *slot >= self.slot_count)
    }

    /// Returns whether --slot-count has no effect, because a provisioned public key replaces all chains.
    pub(super) fn slot_count_is_unused(&self) -> bool {
        self.slot_id == PROVISIONED && self.slot_count > 1
    }

    /// Returns the output files, except roots of new keys, captures and key logs.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.state_files.output().into_iter().chain(self.csr.as_deref())
    }

    /// Returns whether the requester accepts encapsulated requests in sessions. Events and the responder's KEY_UPDATE
    /// need them.
    pub(super) fn accepts_encapsulated_requests(&self) -> bool {
        let has_step = |step| self.session_steps().contains(&step);
        has_step(Step::Event) || self.key_upd == KeyUpdate::Rsp && has_step(Step::KeyUpdate)
    }

    /// Applies the responder's options to its configuration.
    pub(super) fn apply(&self, config: Config) -> Config {
        let mutual = self.mutual_authentication();
        let basic_mutual = self.is_basic_mutual();
        Config { mutual, basic_mutual, requires_mutual: true, heartbeat: HEARTBEAT, ..config }
    }

    /// Returns how the responder authenticates requesters in sessions.
    fn mutual_authentication(&self) -> MutualAuthentication {
        match (self.mut_auth, self.req_slot_id) {
            (Some(SessionMutualAuth::No), _) | (None, 0..PROVISIONED) => MutualAuthentication::No,
            // Like DMTF's responder: require mutual authentication if the requester's public key is known.
            (_, PROVISIONED) => MutualAuthentication::Slot(PROVISIONED),
            (Some(SessionMutualAuth::WoEncap), slot) => MutualAuthentication::Slot(slot),
            (Some(SessionMutualAuth::WEncap), _) => MutualAuthentication::Encapsulated,
            (Some(SessionMutualAuth::Digests), _) => MutualAuthentication::Digests,
        }
    }

    /// Returns whether the responder challenges requesters.
    pub(super) fn is_basic_mutual(&self) -> bool {
        self.basic_mut_auth == BasicMutualAuth::Basic
    }

    /// Returns whether the responder authenticates requesters.
    pub(super) fn is_mutual(&self) -> bool {
        self.is_basic_mutual() || self.mutual_authentication() != MutualAuthentication::No
    }
}

/// HeartbeatPeriod in seconds, equal to that of DMTF's emulators. Without a period, DMTF's requester sends no
/// HEARTBEAT.
pub(super) const HEARTBEAT: u8 = 0xF0;

/// Parses a slot number: 0 to 7, or 0xFF.
pub(super) fn slot(text: &str) -> Result<u8, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number
        .ok()
        .filter(|slot| *slot < grille_spdm_engine::identity::SLOTS || *slot == PROVISIONED)
        .ok_or_else(|| "expected a slot from 0 to 7, or 0xFF".to_owned())
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
