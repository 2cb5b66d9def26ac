//! Passphrases of encrypted keys and of PKCS#12: from files, environment variables or the terminal. They are never read
//! from the command line, which is visible to every process of the machine.

use crate::arguments::GLOBAL_HEADING;
use crate::error::Error;
use crate::files;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use zeroize::Zeroizing;

/// A passphrase, erased from memory when dropped.
pub(crate) type Passphrase = Zeroizing<Vec<u8>>;

/// The sources of passphrases for input files.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct Sources {
    /// Read the passphrase of encrypted keys and of PKCS#12 from the first line of FILE; may be repeated, and each
    /// passphrase is tried [default: prompt at the terminal].
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL_HEADING)]
    passphrase_file: Vec<PathBuf>,
    /// Read the passphrase of encrypted keys and of PKCS#12 from the environment variable NAME; may be repeated.
    #[arg(long, global = true, value_name = "NAME", help_heading = GLOBAL_HEADING)]
    passphrase_env: Vec<String>,
}

/// Options for encrypting a new private key.
#[derive(clap::Args)]
pub(crate) struct Encrypt {
    /// Encrypt the private key with a passphrase (PBES2: AES-256-CBC, PBKDF2 with SHA-256) [default passphrase: that of
    /// --passphrase-file or --passphrase-env, or prompt at the terminal].
    #[arg(long)]
    encrypt: bool,
    /// Read the passphrase of the new key from the first line of FILE.
    #[arg(long, value_name = "FILE", requires = "encrypt", conflicts_with = "new_passphrase_env")]
    new_passphrase_file: Option<PathBuf>,
    /// Read the passphrase of the new key from the environment variable NAME.
    #[arg(long, value_name = "NAME", requires = "encrypt")]
    new_passphrase_env: Option<String>,
}

/// Passphrases and their sources, for all files that this process reads.
#[derive(Default)]
struct Context {
    sources: Sources,
    /// Whether prompts are disabled: a server that reloads its keys has no user at the terminal.
    silent: AtomicBool,
    /// Passphrases that decrypted a file. They are tried first for later files, so that the user is prompted only once.
    known: Mutex<Vec<Passphrase>>,
    /// Passphrases from files that can be read only once, such as pipes.
    read: Mutex<Vec<(PathBuf, Passphrase)>>,
}

static CONTEXT: OnceLock<Context> = OnceLock::new();

fn context() -> &'static Context {
    CONTEXT.get_or_init(Context::default)
}

/// Sets the sources of passphrases. Called once, before any file is read.
pub(crate) fn set(sources: Sources) {
    // later calls would have no effect; there are none
    let _ = CONTEXT.set(Context { sources, ..Context::default() });
}

/// Returns whether a passphrase of the input files comes from standard input.
pub(crate) fn uses_stdin() -> bool {
    context().sources.passphrase_file.iter().any(|path| files::is_standard_stream(path))
}

/// Disables prompts at the terminal.
pub(crate) fn disable_prompts() {
    context().silent.store(true, Ordering::Relaxed);
}

/// The number of prompts before giving up.
const MAX_PROMPTS: usize = 3;

/// Decrypts the file at `path` with each available passphrase until one is right.
///
/// `element` names the encrypted object in messages. `open` decrypts the file, and fails with
/// [`grille_pki::Error::Passphrase`] if the passphrase is wrong.
///
/// # Errors
/// Returns an error if no passphrase is right or available, or `open` fails for another reason.
pub(crate) fn open<T>(
    path: &Path,
    element: &str,
    open: impl Fn(&[u8]) -> Result<T, grille_pki::Error>,
) -> Result<T, Error> {
    let fits = |passphrase: Passphrase| -> Result<Option<T>, Error> {
        match open(&passphrase) {
            Err(grille_pki::Error::Passphrase { .. }) => Ok(None),
            opened => {
                let opened = opened.map_err(|error| Error::from(error).at(path))?;
                remember(passphrase);
                Ok(Some(opened))
            }
        }
    };
    let passphrases = read_passphrases()?;
    let tried = !passphrases.is_empty();
    for passphrase in known_passphrases().into_iter().chain(passphrases) {
        if let Some(opened) = fits(passphrase)? {
            return Ok(opened);
        }
    }
    let wrong = || Error::failure(format_args!("wrong passphrase for the {element}")).at(path);
    if tried || !can_prompt() {
        return Err(match tried {
            true => wrong().advise("check --passphrase-file and --passphrase-env"),
            false => {
                Error::failure(format_args!("the {element} is encrypted")).at(path).advise(GIVE_PASSPHRASE)
            }
        });
    }
    for _ in 0..MAX_PROMPTS {
        if let Some(opened) = fits(prompt_for(format_args!("passphrase of {}", path.display()))?)? {
            return Ok(opened);
        }
    }
    Err(wrong().advise("check the passphrase and the file"))
}

const GIVE_PASSPHRASE: &str = "give its passphrase with --passphrase-file or --passphrase-env";

impl Encrypt {
    /// Returns the passphrase for the new key; `None` if it is not encrypted.
    ///
    /// # Errors
    /// Returns an error if no passphrase is available, or it is empty.
    pub(crate) fn passphrase(&self) -> Result<Option<Passphrase>, Error> {
        if !self.encrypt {
            return Ok(None);
        }
        let passphrase = match (&self.new_passphrase_file, &self.new_passphrase_env) {
            (Some(path), _) => read_from_file(path)?,
            (None, Some(name)) => read_from_variable(name)?,
            (None, None) => match read_passphrases()?.into_iter().next() {
                Some(passphrases) => passphrases,
                None if can_prompt() => prompt_twice()?,
                None => {
                    let error = Error::usage("no passphrase for encrypting the private key");
                    return Err(error.advise("give --new-passphrase-file or --new-passphrase-env"));
                }
            },
        };
        if passphrase.is_empty() {
            return Err(
                Error::usage("the passphrase of the private key is empty").advise("choose a longer one")
            );
        }
        Ok(Some(passphrase))
    }
}

/// Reads the passphrases from the files and environment variables that the command line names.
fn read_passphrases() -> Result<Vec<Passphrase>, Error> {
    let Sources { passphrase_file, passphrase_env } = &context().sources;
    let files = passphrase_file.iter().map(|path| read_from_file(path));
    files.chain(passphrase_env.iter().map(|name| read_from_variable(name))).collect()
}

/// The maximum length in bytes of a file with a passphrase.
const MAX_PASSPHRASE_FILE: usize = 64 << 10;

/// Reads the first line of a file. The line of a pipe is kept, because it can be read only once.
fn read_from_file(path: &Path) -> Result<Passphrase, Error> {
    let mut read = context().read.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, passphrase)) = read.iter().find(|(known, _)| known == path) {
        return Ok(passphrase.clone());
    }
    let passphrase = first_line(&files::read_at_most(path, MAX_PASSPHRASE_FILE, "a passphrase")?);
    if !files::can_be_read_again(path) {
        read.push((path.to_owned(), passphrase.clone()));
    }
    Ok(passphrase)
}

fn first_line(text: &[u8]) -> Passphrase {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Zeroizing::new(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
}

fn read_from_variable(name: &str) -> Result<Passphrase, Error> {
    let value = std::env::var_os(name).map(|value| Zeroizing::new(value.into_encoded_bytes()));
    value.ok_or_else(|| {
        Error::usage(format_args!("the environment variable {name} is not set")).advise("set and export it")
    })
}

fn known_passphrases() -> Vec<Passphrase> {
    context().known.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn remember(passphrase: Passphrase) {
    let mut known = context().known.lock().unwrap_or_else(PoisonError::into_inner);
    if !known.contains(&passphrase) {
        known.push(passphrase);
    }
}

/// Returns whether a prompt makes sense: standard error is a terminal, and prompts are enabled.
fn can_prompt() -> bool {
    !context().silent.load(Ordering::Relaxed) && io::stderr().is_terminal()
}

fn prompt_for(prompt: impl std::fmt::Display) -> Result<Passphrase, Error> {
    let typed = rpassword::prompt_password(format!("{prompt}: "));
    let typed = typed.map_err(|error| {
        Error::failure(format_args!("cannot read the {prompt}: {}", files::reason(&error)))
            .advise(GIVE_PASSPHRASE)
    })?;
    Ok(Zeroizing::new(typed.into_bytes()))
}

fn prompt_twice() -> Result<Passphrase, Error> {
    let first = prompt_for("new passphrase")?;
    if prompt_for("new passphrase again")? == first {
        return Ok(first);
    }
    Err(Error::failure("the two passphrases differ").advise("try again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_first_line_without_its_line_end() {
        for (text, line) in [
            ("secret", "secret"),
            ("secret\n", "secret"),
            ("secret\r\nmore\r\n", "secret"),
            (" two words \n", " two words "),
            ("\nsecret", ""),
            ("", ""),
        ] {
            assert_eq!(*first_line(text.as_bytes()), line.as_bytes(), "{text:?}");
        }
    }
}
