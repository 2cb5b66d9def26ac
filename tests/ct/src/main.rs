//! Runs every post-quantum algorithm of the registry with its secrets marked as undefined memory. `cargo xtask ct` runs
//! this program under valgrind's memcheck, which reports each branch and each index that depends on a secret.
//!
//! The output of random generators is secret, and so is every value computed from it, until
//! `grille_core::ct::public` removes the mark inside an algorithm, or [`publish`] does in this program.
//!
//! `--all` includes the parameter sets that are otherwise represented by similar sets. Other arguments select
//! algorithms: those whose names contain one of the arguments.

mod typed;
mod valgrind;

use grille_core::{DynKem, DynSignature, DynSigningKey, Error, ct};
use grille_registry::{Family, KEMS, KemRow, Row, SIGNATURES, SignatureRow};
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::hint::black_box;
use std::process::ExitCode;
use std::slice;

fn main() -> ExitCode {
    if !valgrind::is_running() {
        eprintln!("this program needs valgrind\nhelp: run `cargo xtask ct`");
        return ExitCode::from(2);
    }
    ct::install(valgrind::mark_public);
    let level = grille_cpu::Level::detect().name();
    let (options, names): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let all = options.iter().any(|option| option == "--all");
    let mut run = Run { level, names, operations: 0, failed: false };
    if !run.detects_leaks() {
        return ExitCode::FAILURE;
    }
    // Classical algorithms, and so hybrids and composites, are left out: they are third-party code, and aws-lc draws
    // its randomness without marks. base/classical only adds paddings and calls functions in the right order. It
    // handles secrets as numbers of crypto-bigint. Ed448 is included, because its crate is not audited.
    let kems = KEMS.iter().filter(|row| row.category > 0 && !row.kem.is_hybrid());
    kems.filter(|row| all || represents_kems(row)).for_each(|row| kem(&mut run, row.kem));
    typed::run(&mut run);
    let here = |row: &&SignatureRow| row.category > 0 || row.name() == ED448;
    let signatures = SIGNATURES.iter().filter(|row| here(row) && !row.signature.is_composite());
    signatures.filter(|row| all || is_checked_by_default(row)).for_each(|row| signature(&mut run, row));
    // the registry has no rows for the constant-time format, because no protocol uses it
    CONSTANT_TIME_FALCON.iter().for_each(|one| {
        scheme(&mut run, *one, ATTEMPTS, false);
        secret_signature(&mut run, *one);
    });
    println!("{}: {} operations", run.level, run.operations);
    if run.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Returns whether a KEM is checked even without `--all`. All sets of Classic McEliece run the same code, and each takes
/// minutes: the sets of category 1 represent the field of 2¹² elements, and [`OTHER_MCELIECE`] represents that of 2¹³.
fn represents_kems(row: &KemRow) -> bool {
    !row.name().starts_with("Classic-McEliece") || row.category == 1 || row.name() == OTHER_MCELIECE
}

/// Unlike the lengths of the other sets, those of this set are not multiples of eight bits.
const OTHER_MCELIECE: &str = "Classic-McEliece-6960119f";

/// Returns whether a row is checked even without `--all`. All hash-based algorithms run the same code with different
/// parameters, and each takes minutes. The fastest set of each hash function and version, and [`OTHER_LENGTHS`],
/// therefore represent the other sets.
fn is_checked_by_default(row: &SignatureRow) -> bool {
    let quickest = row.family == Family::HashFast && row.category == 1;
    !row.family.is_hash_based() || quickest || OTHER_LENGTHS.contains(&row.name())
}

/// Sets that represent n = 24 and n = 32, and SHA-512 with and without masks.
const OTHER_LENGTHS: [&str; 4] =
    ["SLH-DSA-SHA2-192f", "SLH-DSA-SHAKE-256f", "SPHINCS+-SHA2-192f-robust", "SPHINCS+-Haraka-192f-simple"];

/// Falcon with signatures of the constant-time format.
const CONSTANT_TIME_FALCON: [&dyn DynSignature; 2] =
    [&grille_falcon::erased::FalconCt512, &grille_falcon::erased::FalconCt1024];

/// The only classical algorithm in this check.
const ED448: &str = "Ed448";

/// Number of harmless reports per multiplication of a point of edwards448. ed448-goldilocks has two 448-bit additions
/// of numbers below the order, which has 446 bits. crypto-bigint checks both for an overflow, which never occurs.
const HARMLESS_REPORTS: usize = 2;

/// The results so far.
struct Run {
    level: &'static str,
    /// Parts of the names of the selected algorithms; empty for all.
    names: Vec<String>,
    operations: usize,
    failed: bool,
}

impl Run {
    /// Returns whether valgrind reports a deliberate branch on a secret and a deliberate index by a secret.
    fn detects_leaks(&mut self) -> bool {
        let mut secret = [1];
        valgrind::mark_secret(&mut secret);
        let branches = |on: &[u8; 1]| {
            reports(|| {
                if black_box(on[0]) == 1 {
                    black_box(())
                }
            })
            .1
        };
        let table = black_box([0; 256]);
        let index = reports(|| black_box(table[usize::from(black_box(secret[0]))])).1;
        let (branch, public) = (branches(&secret), branches(&ct::public(secret)));
        // Valgrind must report the branch and the index once each, and nothing for public values.
        let seeing = branch == 1 && index == 1 && public == 0;
        if !seeing {
            println!(
                "valgrind does not find deliberate leaks: {branch} reports for a branch and {index} for an index, expected 1 each; {public} for public values, expected 0"
            );
        }
        seeing
    }

    /// Returns whether the algorithm is selected.
    fn is_selected(&self, algorithm: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| algorithm.contains(name))
    }

    /// Runs an operation and prints the number of valgrind's reports, if any.
    fn operation<T>(&mut self, algorithm: &str, operation: &str, run: impl FnOnce() -> T) -> T {
        let (result, errors) = reports(run);
        let level = self.level;
        self.operations += 1;
        // each operation of Ed448 has one multiplication
        let expected_reports = if algorithm == ED448 { HARMLESS_REPORTS } else { 0 };
        if errors > expected_reports {
            println!(
                "{level}: {algorithm}: {operation}: {errors} branches or indexes that depend on secrets"
            );
            self.failed = true;
        }
        result
    }
}

/// Runs the operation. Returns its result and the number of valgrind's reports about it.
fn reports<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = valgrind::count_errors();
    let result = run();
    (result, valgrind::count_errors() - before)
}

fn kem(run: &mut Run, kem: &'static dyn DynKem) {
    let (name, mut rng) = (kem.info().name, MarkingRng(1));
    if !run.is_selected(name) {
        return;
    }
    let key = run.operation(name, "keygen", || kem.generate(&mut rng));
    // the public key is published
    let public = publish(key.encaps_key_bytes());
    let private = run.operation(name, "encode", || key.to_bytes());
    let encapsulated = run.operation(name, "encaps", || {
        kem.encaps_key(&public).expect("a fresh key is valid").encapsulate(&mut rng)
    });
    // the ciphertext goes over the wire
    let mut ciphertext = publish(encapsulated.ciphertext);
    let secret = run.operation(name, "decaps", || key.decapsulate(&ciphertext).expect("the length is right"));
    assert_eq!(publish(secret.as_ref().to_vec()), publish(encapsulated.secret.as_ref().to_vec()));
    let key =
        run.operation(name, "decode", || kem.decaps_key(private.as_ref()).expect("a fresh key is valid"));
    ciphertext[0] ^= 1;
    run.operation(name, "decaps, tampered", || key.decapsulate(&ciphertext).expect("the length is right"));
    run.operation(name, "decaps, encoded", || {
        kem.decapsulate_encoded(private.as_ref(), &ciphertext).expect("the lengths are right")
    });
}

fn signature(run: &mut Run, row: &SignatureRow) {
    // hash-based signatures and Ed448 have no rejections
    let messages = if row.family.is_hash_based() || row.name() == ED448 { 1 } else { ATTEMPTS };
    scheme(run, row.signature, messages, row.family.is_hash_based());
}

/// Checks a signature scheme. `slow`: signs in only two of the six ways, which differ in the key's form and in the
/// randomness. The two ways cover a hash-based key with and without its highest tree, and both kinds of randomness.
fn scheme(run: &mut Run, scheme: &'static dyn DynSignature, messages: u8, slow: bool) {
    let (name, mut rng) = (scheme.info().name, MarkingRng(1));
    if !run.is_selected(name) {
        return;
    }
    let generated = run.operation(name, "keygen", || scheme.generate(&mut rng));
    // the public key is published
    let public = publish(generated.verifying_key_bytes());
    let private = run.operation(name, "encode", || generated.to_bytes());
    let decoded =
        run.operation(name, "decode", || scheme.signing_key(private.as_ref()).expect("a fresh key is valid"));
    let small = run.operation(name, "decode, small", || {
        scheme.low_memory_signing_key(private.as_ref()).expect("a fresh key is valid")
    });
    let verifier = scheme.verifying_key(&public).expect("a fresh key is valid");
    let messages: Vec<[u8; 1]> = (0..messages).map(|message| [message]).collect();
    let (with, without) = (slice::from_ref(&Randomness::Drawn), slice::from_ref(&Randomness::None));
    let forms = match slow {
        true => [("generated", generated, with), ("decoded", decoded, without), ("small", small, &[])],
        false => [
            ("generated", generated, BOTH_KINDS),
            ("decoded", decoded, BOTH_KINDS),
            ("small", small, BOTH_KINDS),
        ],
    };
    for (form, key, ways) in forms {
        let signatures = ways.iter().flat_map(|way| sign(run, name, (form, &*key), way, &messages, &mut rng));
        for (message, signature) in messages.iter().cycle().zip(signatures.collect::<Vec<_>>()) {
            // the signature goes over the wire
            verifier.verify(message, b"", &publish(signature)).expect("a fresh signature is valid");
        }
    }
}

/// Verifies a signature that was not sent, so that it is still marked as secret.
fn secret_signature(run: &mut Run, scheme: &'static dyn DynSignature) {
    let (name, mut rng) = (scheme.info().name, MarkingRng(1));
    if !run.is_selected(name) {
        return;
    }
    let key = scheme.generate(&mut rng);
    let verifier = scheme.verifying_key(&publish(key.verifying_key_bytes())).expect("a fresh key is valid");
    let signature = key.sign(b"message", b"", &mut rng).expect("an empty context is short enough");
    run.operation(name, "verify", || {
        verifier.verify(b"message", b"", &signature).expect("a fresh signature is valid");
    });
}

/// Number of messages that each key signs: enough that each kind of rejection is likely to occur.
const ATTEMPTS: u8 = 12;

/// The randomness of a signature.
enum Randomness {
    Drawn,
    None,
}

const BOTH_KINDS: &[Randomness] = &[Randomness::Drawn, Randomness::None];

/// Signs each message. Falcon refuses deterministic signing, so for Falcon `Randomness::None` yields no signatures.
fn sign(
    run: &mut Run,
    name: &str,
    (form, key): (&str, &dyn DynSigningKey),
    way: &Randomness,
    messages: &[[u8; 1]],
    rng: &mut MarkingRng,
) -> Vec<Vec<u8>> {
    let signatures: Vec<_> = match way {
        Randomness::Drawn => run.operation(name, &format!("sign, {form} key"), || {
            messages.iter().map(|message| key.sign(message, b"", rng)).collect()
        }),
        Randomness::None => run.operation(name, &format!("sign, {form} key, deterministic"), || {
            messages.iter().map(|message| key.sign_deterministic(message, b"")).collect()
        }),
    };
    let made = signatures.into_iter().filter(|result| !matches!(result, Err(Error::Unsupported { .. })));
    made.map(|signature| signature.expect("an empty context is short enough")).collect()
}

/// Marks bytes as public, because an observer of the network sees them.
fn publish(mut bytes: Vec<u8>) -> Vec<u8> {
    valgrind::mark_public(&mut bytes);
    bytes
}

/// SplitMix64, which marks its output as secret. It is insecure: never use it for real keys.
struct MarkingRng(u64);

impl TryRng for MarkingRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        valgrind::mark_secret(bytes);
        Ok(())
    }
}

// The generator is not secure, but grille's interfaces require this marker.
impl TryCryptoRng for MarkingRng {}
