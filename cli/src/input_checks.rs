//! Checks of the input files of a command, made before any of them is read.

use crate::error::Error;
use crate::files::{canonical_path, is_standard_stream, second_stdin};
use crate::passphrase;
use std::path::Path;

/// Checks that at most one path is standard input, which can be read only once. The files of `--passphrase-file` count,
/// too.
///
/// # Errors
/// Returns an error if more than one path is standard input.
pub(crate) fn at_most_one_stdin<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    let inputs = paths.into_iter().filter(|path| is_standard_stream(path)).count();
    if inputs + usize::from(passphrase::uses_stdin()) > 1 {
        return Err(second_stdin());
    }
    Ok(())
}

/// Checks that the output does not replace an input of the same command, not even with `--force`.
///
/// # Errors
/// Returns an error that names the output if the output is one of the inputs.
pub(crate) fn refuse_replacing_inputs<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    output: &'a Path,
) -> Result<(), Error> {
    let read = |input: &Path| {
        !is_standard_stream(input)
            && !is_standard_stream(output)
            && canonical_path(input) == canonical_path(output)
    };
    if inputs.into_iter().any(read) {
        return Err(Error::usage("the output would replace an input")
            .at(output)
            .advise("choose another name"));
    }
    Ok(())
}
