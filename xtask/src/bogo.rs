//! `bogo`: checks that BoringSSL's TLS test suite gives the same results with grille's provider as with rustls' own.
//!
//! `tests/conformance/bogo.sh` fetches and builds both sides. `tests/conformance/bogo/differences.txt` states the
//! reason for each accepted difference.

use crate::outcome::{Failure, Outcome};
use crate::tree;
use std::process::Command;

const SCRIPT: &str = "tests/conformance/bogo.sh";

/// The exit code of the script if a tool or a source is missing.
const SKIPPED: i32 = 77;

/// Runs the suite. Arguments go to BoringSSL's runner, for example `-test 'Resume-*'`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut script = Command::new("bash");
    script.arg(SCRIPT).args(arguments).current_dir(tree::root());
    let status =
        script.status().map_err(|error| Failure(vec![format!("cannot run bash {SCRIPT}: {error}")]))?;
    match status.code() {
        Some(0) => {
            Ok("every test has the same result with both providers, or a recorded reason for the difference"
                .into())
        }
        Some(SKIPPED) => Ok("SKIPPED: the line above names the missing tool".into()),
        _ => Err(Failure(vec![format!("{SCRIPT} ended with {status}")])),
    }
}
