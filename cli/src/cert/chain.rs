//! `grille cert chain`: roots and end entities in one command.

use super::names::{Options, end_entity};
use super::scripts::{self, Scripted};
use super::watch;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Done, Output, Report};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{PrivateKey, PrivateKeyForm};
use grille_registry::{Numbers, Profile as Era, Row, SignatureRow, UnknownAlgorithm, lookup};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make a root and an end entity for this machine, with their keys.
///
/// With --alg, writes root_key.pem, root_cert.pem, entity_key.pem and entity_cert.pem; with --sig, the same four for each
/// name, after it: falcon_level1_root_key.pem and so on. An entity_cert.pem is the entity's certificate alone: whoever
/// checks it has the root already, and a handshake need not carry it. --days holds for both; --serial is the root's, and
/// the entity has the next number.
///
/// --sig with wolfSSL's names (FALCON_LEVEL1, DILITHIUM_AES_LEVEL3, SPHINCS_FAST_LEVEL5, MLDSA44 …) makes what wolfSSL's
/// scripts make, generate_falcon_chains.sh and its siblings: their subjects, serial numbers, names and usages, as far as
/// no option says otherwise. FALCON, DILITHIUM, DILITHIUM_AES, SPHINCS and MLDSA are all of their levels.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert chain --alg ML-DSA-65 --out certs
  grille cert chain --sig ML-DSA-44,ML-DSA-65 --out certs\n    makes certs/ml_dsa_44_root_cert.pem …
  grille cert chain --sig FALCON,DILITHIUM,SPHINCS --out certs\n    makes what wolfSSL's three scripts make
  grille cert chain --alg ML-DSA-65 --out certs --serial 200 --san IP:127.0.0.1 \\
      --root-subject 'CN=Root Certificate,C=CA' --subject 'CN=Entity Certificate,C=CA'")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// The signature algorithm of both, by any name in `grille list --all`.
    #[arg(long, value_name = "NAME", group = "what", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// A chain for each of these names, and all of a family of wolfSSL's names; its files' names begin with it.
    #[arg(long, value_name = "NAMES", group = "what", value_delimiter = ',', value_parser = named)]
    sig: Vec<Family>,
    /// The directory; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A name the entity is for: DNS:host or IP:address; without its kind, an address if it can be read as one,
    /// else a host; may be repeated [default: DNS:localhost and IP:127.0.0.1].
    #[arg(long, value_name = "NAME")]
    san: Vec<String>,
    /// Whom the root is for [default: CN=NAME root, after the algorithm].
    #[arg(long, value_name = "NAME")]
    root_subject: Option<String>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Algorithms that one word names.
type Family = Vec<Named>;

/// An algorithm under the name by which the user called it.
#[derive(Clone)]
struct Named {
    row: &'static SignatureRow,
    /// What the files' names begin with.
    prefix: String,
    scripted: Option<Scripted>,
}

impl Named {
    /// `FALCON_LEVEL1` begins its files' names with `falcon_level1_`.
    fn new(name: &str, row: &'static SignatureRow) -> Self {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let stem: String = name.chars().map(letter).collect();
        Self { row, prefix: format!("{stem}_"), scripted: Scripted::named(&stem) }
    }
}

/// The value parser of `--sig`.
fn named(name: &str) -> Result<Family, UnknownAlgorithm> {
    let name = name.trim();
    let family: Family = Scripted::family(name).map(|one| Named::new(one.name, one.row())).collect();
    match grille_registry::signature_by_name(name) {
        Ok(row) => Ok(vec![Named::new(name, row)]),
        Err(unknown) if family.is_empty() => Err(unknown),
        Err(_) => Ok(family),
    }
}

/// Makes them.
///
/// # Errors
/// Those of the names and the files.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let alone = args.alg.map(|row| Named { row, prefix: String::new(), scripted: None });
    alone.iter().chain(args.sig.iter().flatten()).try_for_each(|named| {
        can_be_named(named.row, numbers)?;
        crate::algorithm::warn_if_old(named.row, out);
        let made = out.while_running(named.row.name(), |done| make(named, args, numbers, done))?;
        out.print(&made)
    })
}

/// A certificate names by an object identifier what it was signed with.
fn can_be_named(row: &'static SignatureRow, numbers: Numbers) -> Result<(), Error> {
    let named_in = |era: &Era| Numbers::of(*era).signature_oid(row).is_some();
    if numbers.signature_oid(row).is_some() {
        return Ok(());
    }
    let error = Error::failure(format_args!(
        "{} has no object identifier in {numbers}, so that no certificate can say that it was signed with it",
        row.name()
    ));
    let alike = lookup::alike(row).filter(|other| numbers.signature_oid(other).is_some());
    let alike: Vec<_> = alike.take(4).map(Row::name).collect();
    Err(match (Era::ALL.iter().find(|era| named_in(era)), alike.as_slice()) {
        (Some(era), _) => error.advise(format_args!("give --profile {}, in which it has one", era.name())),
        (None, []) => error.advise(RAW),
        (None, names) => error.advise(format_args!("take {}, as strong; {RAW}", names.join(", "))),
    })
}

/// What can be done without certificates.
const RAW: &str = "`grille keygen`, `sign` and `verify` use it with raw keys";

fn make(named: &Named, args: &Args, numbers: Numbers, done: &Done) -> Result<Made, Error> {
    let rng = &mut SystemRng;
    let (mut root_key, key) = (
        PrivateKey::generate(named.row, rng)?.in_era(numbers),
        PrivateKey::generate(named.row, rng)?.in_era(numbers),
    );
    watch(&mut root_key, done);
    let [root, entity] = templates(named, args)?;
    let root = self_signed(&root, &root_key, rng)?;
    let entity = issue(&entity, key.public_key(), &root, &root_key, rng)?;
    let form = PrivateKeyForm::default_for(named.row);
    let (root_key, key) = (root_key.to_pkcs8_pem(form)?, key.to_pkcs8_pem(form)?);
    let (root, entity) = (root.to_pem()?, entity.to_pem()?);
    files::make_directory(&args.out)?;
    let path = |name: &str| args.out.join(format!("{}{name}", named.prefix));
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
    Ok(Made { algorithm: named.row.name(), files: paths.map(|path| path.display().to_string()) })
}

/// What the root's certificate says, and the entity's.
fn templates(named: &Named, args: &Args) -> Result<[Template; 2], Error> {
    let (options, root, names) = match named.scripted {
        None => (
            args.options.clone(),
            format!("/CN={} root", named.row.name()),
            &["DNS:localhost", "IP:127.0.0.1"][..],
        ),
        Some(scripted) => {
            let ([serial, _], entity) =
                (scripted.serials(), [scripts::ENTITY, scripts::ENTITY_MAIL].concat());
            let root = [scripts::ROOT, scripts::ROOT_MAIL].concat();
            (args.options.or(&entity, &serial), root, &[scripts::ENTITY_NAME][..])
        }
    };
    let names: Vec<String> = match args.san.as_slice() {
        [] => names.iter().map(ToString::to_string).collect(),
        given => given.to_vec(),
    };
    let root = options.template_for(args.root_subject.as_deref().unwrap_or(&root), Profile::Root)?;
    let entity = options.next().template(end_entity(&names)?)?;
    Ok(match named.scripted {
        None => [root, entity],
        Some(_) => [scripts::root(root), scripts::entity(entity)],
    })
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
