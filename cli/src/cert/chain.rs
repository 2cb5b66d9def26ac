//! `grille cert chain`: a root and an end entity in one command.

use super::names::{Options, end_entity};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, Report};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{PrivateKey, PrivateKeyForm};
use grille_registry::{Row, SignatureRow};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make a root and an end entity for this machine, with their keys.
///
/// Writes root_key.pem, root_cert.pem, entity_key.pem and entity_cert.pem. The last is the entity's certificate alone:
/// whoever checks it has the root already, and a handshake need not carry it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  grille cert chain --alg ML-DSA-65 --out certs")]
pub(crate) struct Args {
    /// The signature algorithm of both, by any name in `grille list --all`.
    #[arg(long, value_name = "NAME", value_parser = grille_registry::signature_by_name)]
    alg: &'static SignatureRow,
    /// The directory; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A name the entity is for: DNS:host or IP:address; may be repeated.
    #[arg(long, value_name = "NAME", default_values = ["DNS:localhost", "IP:127.0.0.1"])]
    san: Vec<String>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Makes them.
///
/// # Errors
/// Those of the names and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    crate::algorithm::warn_if_old(args.alg, out);
    let rng = &mut SystemRng;
    let (root_key, key) = (PrivateKey::generate(args.alg, rng)?, PrivateKey::generate(args.alg, rng)?);
    let name = format!("/CN={} root", args.alg.name());
    let root = self_signed(&Template::new(&name, Profile::Root)?, &root_key, rng)?;
    let entity = args.options.template(end_entity(&args.san)?)?;
    let entity = issue(&entity, key.public_key(), &root, &root_key, rng)?;
    let form = PrivateKeyForm::default_for(args.alg);
    let (root_key, key) = (root_key.to_pkcs8_pem(form)?, key.to_pkcs8_pem(form)?);
    let (root, entity) = (root.to_pem()?, entity.to_pem()?);
    std::fs::create_dir_all(&args.out).map_err(|error| Error::from(error).at(&args.out))?;
    let path = |name: &str| args.out.join(name);
    let paths = ["root_key.pem", "root_cert.pem", "entity_key.pem", "entity_cert.pem"].map(path);
    files::write(
        &[
            NewFile::private(&paths[0], root_key.as_bytes()),
            NewFile::public(&paths[1], root.as_bytes()),
            NewFile::private(&paths[2], key.as_bytes()),
            NewFile::public(&paths[3], entity.as_bytes()),
        ],
        args.force,
    )?;
    out.print(&Made { algorithm: args.alg.name(), files: paths.map(|path| path.display().to_string()) })
}

#[derive(Serialize)]
struct Made {
    algorithm: &'static str,
    files: [String; 4],
}

impl Report for Made {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        self.files.iter().try_for_each(|file| writeln!(out, "{}: {file}", self.algorithm))
    }
}
