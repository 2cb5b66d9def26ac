//! Options of openspdm-pqc's emulators that the flow of `grille spdm perf` cannot use, each with its reason.

use crate::error::Error;

/// The refused options. They are parsed only so that the error can give the reason; the help does not show them.
#[derive(Clone, clap::Args)]
#[group(id = "unsupported", multiple = true)]
pub(super) struct UnsupportedOptions {
    #[arg(long = "meas-op", alias = "meas_op", hide = true)]
    meas_op: Option<String>,
    #[arg(long = "key-upd", alias = "key_upd", hide = true)]
    key_upd: Option<String>,
    #[arg(long = "save-state", alias = "save_state", hide = true)]
    save_state: Option<String>,
    #[arg(long = "load-state", alias = "load_state", hide = true)]
    load_state: Option<String>,
    #[arg(long = "exe-mode", alias = "exe_mode", hide = true)]
    exe_mode: Option<String>,
    #[arg(long = "exe-conn", alias = "exe_conn", hide = true)]
    exe_conn: Option<String>,
    #[arg(long = "exe-session", alias = "exe_session", hide = true)]
    exe_session: Option<String>,
    #[arg(long, hide = true)]
    pcap: Option<String>,
}

/// The reason why options that choose the steps are refused.
const FIXED_FLOW: &str = "the flow is fixed, so that its columns are those of openspdm-pqc";
/// Advice: the command that has these options.
const ADVICE: &str = "use `grille spdm requester --spec pqc2021`";

impl UnsupportedOptions {
    /// Checks that none of the refused options is given.
    ///
    /// # Errors
    /// Returns an error that gives the reason if one of them is given.
    pub(super) fn check(&self) -> Result<(), Error> {
        [
            ("--meas-op", &self.meas_op, "the flow has no GET_MEASUREMENTS"),
            ("--key-upd", &self.key_upd, "the flow has no KEY_UPDATE"),
            ("--save-state", &self.save_state, "every run negotiates"),
            ("--load-state", &self.load_state, "every run negotiates"),
            (
                "--exe-mode",
                &self.exe_mode,
                "not supported: both sides run in this process and end when it ends",
            ),
            ("--exe-conn", &self.exe_conn, FIXED_FLOW),
            ("--exe-session", &self.exe_session, FIXED_FLOW),
            ("--pcap", &self.pcap, "the messages stay in memory, without a transport"),
        ]
        .into_iter()
        .find(|(_, given, _)| given.is_some())
        .map_or(Ok(()), |(option, _, why)| Err(Error::usage(why).with_place(option).advise(ADVICE)))
    }
}
