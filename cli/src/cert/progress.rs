//! Shows the progress of slow signatures.

use crate::output::{Output, Progress};
use grille_pki::PrivateKey;

/// Runs `work`, which signs with the key, and shows the progress of the signatures.
pub(super) fn sign_with_progress<T: Send>(
    out: &Output,
    key: &mut PrivateKey,
    work: impl FnOnce(&PrivateKey) -> T + Send,
) -> T {
    out.while_running("signing", |progress| {
        report_progress(key, progress);
        work(key)
    })
}

/// Makes the key report the progress of its signatures to `progress`.
pub(super) fn report_progress(key: &mut PrivateKey, progress: &Progress) {
    let progress = progress.clone();
    key.set_progress_callback(move |now, all| progress.update(now, all));
}
