//! Properties of every row of the registry.

use crate::stream::Stream;
use grille_core::{DynEncapsKey, DynReceived, DynSigned, Error, SecretBytes};
use grille_registry::{
    Family, KEMS, KemRow, KeyFormat, Row, SIGNATURES, SignatureRow, Status, distinct_signatures, kem_by_name,
    kem_by_oid, kem_by_tls_group, signature_by_name, signature_by_oid, signature_by_tls_scheme,
};
use std::collections::HashSet;

/// Number of bit flips for each input.
const FLIPS: usize = 1000;

/// Iterates over distinct signature algorithms. The slow `s` sets of hash-based signatures take a large fraction of a
/// second per operation, so only one in five of them is included. This sample covers every hash and every category. The
/// known-answer tests cover all sets.
fn signatures() -> impl Iterator<Item = &'static SignatureRow> {
    let mut small = 0;
    distinct_signatures().into_iter().filter(move |row| {
        small += usize::from(row.family == Family::HashSmall);
        row.family != Family::HashSmall || small % 5 == 1
    })
}

/// Returns the number of bit flips for each input of a KEM. It is small for Classic McEliece, SIKE and SIDH, whose key
/// import or operations take tens of milliseconds, and for the decoders of HQC and BIKE. For hybrids it is small, too,
/// because their parts are rows of their own.
fn kem_flips(row: &KemRow) -> usize {
    let is_slow = row.missing_tls_group_reason().is_some() || row.status == Status::Broken;
    let is_decoder = ["HQC", "BIKE"].iter().any(|family| row.name().contains(family));
    match (is_slow, is_decoder || row.kem.is_hybrid()) {
        (true, _) => 3,
        (false, true) => 30,
        (false, false) => FLIPS,
    }
}

/// Returns the number of bit flips for a signature and for a public key. It is small for RSA and hash-based signatures,
/// whose operations take milliseconds.
fn flips(row: &SignatureRow) -> usize {
    if row.has_family(Family::Rsa) || row.family.is_hash_based() { 10 } else { FLIPS }
}

/// Returns the number of bit flips for a private key. Each flipped key also signs, which takes a fraction of a second
/// with some algorithms.
fn signing_flips(row: &SignatureRow) -> usize {
    if row.family.is_hash_based() { 1 } else { flips(row) }
}

/// Returns whether the flipped bit is the lowest bit of a 14-bit coefficient of a Falcon public key. This flip changes
/// s1 by a vector as short as s2, so the signature may stay short enough to verify. The coefficients end at the end of
/// the key.
fn is_lowest_coefficient_bit(row: &SignatureRow, key: &[u8], flipped: &[u8]) -> bool {
    let bit = |i: &usize| (key[i / 8] ^ flipped[i / 8]) << (i % 8) & 0x80 != 0;
    let position = (0..8 * key.len()).find(bit);
    row.family == Family::Falcon && position.is_some_and(|position| (8 * key.len() - position) % 14 == 1)
}

/// Iterates over wrong lengths of an input. For an input below 5,000 bytes, these are all lengths; for a longer input,
/// they are the lengths near the right one and every 97th length, or every 99,991st for an input of at least 100,000
/// bytes.
fn wrong_lengths(right: usize) -> impl Iterator<Item = usize> {
    let every = if right < 100_000 { 97 } else { 99_991 };
    let is_tested = move |len: usize| right < 5_000 || len.is_multiple_of(every) || len.abs_diff(right) < 9;
    (0..right + 9).filter(move |len| *len != right && is_tested(*len))
}

/// Returns the first `len` bytes, padded with zeros if the input is shorter.
fn resize_to(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(len, 0);
    bytes
}

#[test]
fn every_kem_agrees_on_the_secret_and_has_the_stated_lengths() {
    for row in KEMS {
        let (name, info, rng) = (row.name(), row.kem.info(), &mut Stream::new(row.name()));
        let key = row.kem.generate(rng);
        let (private, public) = (key.to_bytes(), key.encaps_key_bytes());
        let sent = row.kem.encaps_key(&public).expect(name).encapsulate(rng);
        let imported = row.kem.decaps_key(private.as_ref()).expect(name);
        assert_eq!(imported.decapsulate(&sent.ciphertext).expect(name), sent.secret, "{name}");
        let at_once = row.kem.decapsulate_encoded(private.as_ref(), &sent.ciphertext);
        assert_eq!(at_once.as_ref(), Ok(&sent.secret), "{name}");
        assert_eq!(imported.encaps_key_bytes() == public, determines_public_key(row), "{name}");
        assert_eq!(imported.to_bytes(), private, "{name}");
        assert_eq!(
            [private.as_ref().len(), public.len(), sent.ciphertext.len(), sent.secret.as_ref().len()],
            [info.decaps_key_len, info.encaps_key_len, info.ciphertext_len, info.shared_secret_len],
            "{name}"
        );
    }
}

/// Returns whether an encoded private key determines the public key. This does not hold for BIKE-1, where a private key
/// fits many public keys.
fn determines_public_key(row: &KemRow) -> bool {
    !row.name().to_lowercase().contains("bike1")
}

#[test]
fn every_signature_verifies_for_its_own_message_and_key_only() {
    signatures().for_each(verifies_for_its_own_message_and_key_only);
}

#[test]
#[ignore = "takes minutes: RSA keys, and the small sets of hash-based signatures"]
fn every_composite_verifies_for_its_own_message_and_key_only() {
    SIGNATURES
        .iter()
        .filter(|row| row.signature.is_composite())
        .for_each(verifies_for_its_own_message_and_key_only);
}

fn verifies_for_its_own_message_and_key_only(row: &SignatureRow) {
    let (name, info, rng) = (row.name(), row.signature.info(), &mut Stream::new(row.name()));
    let key = row.signature.generate(rng);
    let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
    let imported = row.signature.signing_key(private.as_ref()).expect(name);
    assert_eq!(imported.verifying_key_bytes(), public, "{name}");
    let signature = imported.sign(b"message", b"", rng).expect(name);
    let verifying = row.signature.verifying_key(&public).expect(name);
    verifying.verify(b"message", b"", &signature).expect(name);
    assert_eq!(verifying.verify(b"massage", b"", &signature), Err(Error::InvalidSignature), "{name}");
    let other = row.signature.generate(rng).verifying_key_bytes();
    let other = row.signature.verifying_key(&other).expect(name);
    assert_eq!(other.verify(b"message", b"", &signature), Err(Error::InvalidSignature), "{name}");
    assert!(private.as_ref().len() <= info.signing_key_len, "{name}");
    assert!(public.len() <= info.verifying_key_len && signature.len() <= info.signature_len, "{name}");
}

#[test]
fn seed_restores_the_key_or_is_reported_as_unsupported() {
    for row in KEMS {
        let name = row.name();
        let key = row.kem.generate(&mut Stream::new(name));
        assert_eq!(row.kem.generate(&mut Stream::new(name)).to_bytes(), key.to_bytes(), "{name}");
        let seed = key.seed();
        assert_eq!(seed.as_ref().map(|seed| seed.as_ref().len()), row.kem.info().seed_len, "{name}");
        let again = row.kem.decaps_key_from_seed(seed.unwrap_or_default().as_ref());
        match row.kem.info().seed_len {
            Some(_) => assert_eq!(again.expect(name).to_bytes(), key.to_bytes(), "{name}"),
            None => assert!(matches!(again.err(), Some(Error::Unsupported { .. })), "{name}"),
        }
    }
    for row in signatures() {
        let name = row.name();
        let key = row.signature.generate(&mut Stream::new(name));
        let seed = key.seed();
        assert_eq!(seed.as_ref().map(|seed| seed.as_ref().len()), row.signature.info().seed_len, "{name}");
        let again = row.signature.signing_key_from_seed(seed.unwrap_or_default().as_ref());
        match row.signature.info().seed_len {
            Some(_) => assert_eq!(again.expect(name).to_bytes(), key.to_bytes(), "{name}"),
            None => assert!(matches!(again.err(), Some(Error::Unsupported { .. })), "{name}"),
        }
    }
}

#[test]
fn rejects_every_wrong_length() {
    KEMS.iter().for_each(kem_refuses_wrong_lengths);
    signatures().for_each(signature_refuses_wrong_lengths);
}

fn kem_refuses_wrong_lengths(row: &KemRow) {
    let (name, rng) = (row.name(), &mut Stream::new(row.name()));
    let key = row.kem.generate(rng);
    let (private, public) = (key.to_bytes(), key.encaps_key_bytes());
    let ciphertext = row.kem.encaps_key(&public).expect(name).encapsulate(rng).ciphertext;
    let is_length = |error: Option<Error>| matches!(error, Some(Error::Length { .. }));
    for len in wrong_lengths(public.len()) {
        assert!(is_length(row.kem.encaps_key(&resize_to(&public, len)).err()), "{name} public key, {len}");
    }
    for len in wrong_lengths(private.as_ref().len()) {
        let wrong = resize_to(private.as_ref(), len);
        assert!(is_length(row.kem.decaps_key(&wrong).err()), "{name} private key, {len}");
        let at_once = row.kem.decapsulate_encoded(&wrong, &ciphertext);
        assert!(is_length(at_once.err()), "{name} private key at once, {len}");
    }
    for len in wrong_lengths(ciphertext.len()) {
        assert!(is_length(key.decapsulate(&resize_to(&ciphertext, len)).err()), "{name} ciphertext, {len}");
    }
}

fn signature_refuses_wrong_lengths(row: &SignatureRow) {
    let (name, rng) = (row.name(), &mut Stream::new(row.name()));
    let key = row.signature.generate(rng);
    let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
    let signature = key.sign(b"message", b"", rng).expect(name);
    let verifying = row.signature.verifying_key(&public).expect(name);
    for len in wrong_lengths(public.len()) {
        assert!(row.signature.verifying_key(&resize_to(&public, len)).is_err(), "{name} public key, {len}");
    }
    for len in wrong_lengths(private.as_ref().len()) {
        let wrong = resize_to(private.as_ref(), len);
        assert!(row.signature.signing_key(&wrong).is_err(), "{name} private key, {len}");
    }
    for len in wrong_lengths(signature.len()) {
        let wrong = resize_to(&signature, len);
        assert!(verifying.verify(b"message", b"", &wrong).is_err(), "{name} signature, {len}");
    }
}

#[test]
fn flipped_ciphertext_bit_never_yields_the_secret() {
    for row in KEMS {
        let (name, rng) = (row.name(), &mut Stream::new(row.name()));
        let key = row.kem.generate(rng);
        let sent = row.kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(rng);
        let pure = row.category > 0 && !row.kem.is_hybrid();
        for _ in 0..kem_flips(row) {
            let (flipped, bit) = rng.flip(&sent.ciphertext);
            let secret = key.decapsulate(&flipped);
            assert!(secret.is_ok() || !pure, "{name} rejects implicitly");
            // RFC 7748 section 5: the highest bit of a u-coordinate is ignored
            let ignored = bit == 7 && name.to_lowercase().contains("x25519");
            assert!(ignored || secret.as_ref() != Ok(&sent.secret), "{name}");
            assert_eq!(secret, key.decapsulate(&flipped), "{name}: the same rejection each time");
        }
    }
}

#[test]
fn flipped_kem_key_bit_never_panics() {
    for row in KEMS {
        let (name, rng) = (row.name(), &mut Stream::new(row.name()));
        let key = row.kem.generate(rng);
        let (private, public) = (key.to_bytes(), key.encaps_key_bytes());
        let sent = row.kem.encaps_key(&public).expect(name).encapsulate(rng);
        for _ in 0..kem_flips(row) {
            if let Ok(key) = row.kem.encaps_key(&rng.flip(&public).0) {
                assert_eq!(key.encapsulate(rng).ciphertext.len(), sent.ciphertext.len(), "{name}");
            }
            if let Ok(key) = row.kem.decaps_key(&rng.flip(private.as_ref()).0) {
                let secret = key.decapsulate(&sent.ciphertext).expect(name);
                assert_eq!(secret.as_ref().len(), sent.secret.as_ref().len(), "{name}");
            }
        }
    }
}

#[test]
fn decapsulate_encoded_matches_decapsulation_with_a_parsed_key() {
    for row in KEMS {
        let (name, kem, rng) = (row.name(), row.kem, &mut Stream::new(row.name()));
        let key = kem.generate(rng);
        let bytes = key.to_bytes();
        let public = kem.encaps_key(&key.encaps_key_bytes()).expect(name);
        for _ in 0..kem_flips(row).min(50) {
            let sent = public.encapsulate(rng);
            assert_eq!(kem.decapsulate_encoded(bytes.as_ref(), &sent.ciphertext), Ok(sent.secret), "{name}");
            let tampered = rng.flip(&sent.ciphertext).0;
            let secret = kem.decapsulate_encoded(bytes.as_ref(), &tampered);
            assert_eq!(secret, key.decapsulate(&tampered), "{name}");
            // if the key parses, `decapsulate_encoded` and `decapsulate` return the same secret; if it does not parse,
            // `decapsulate_encoded` may return some secret or the error of parsing
            let other = rng.flip(bytes.as_ref()).0;
            let secret = kem.decapsulate_encoded(&other, &tampered);
            match kem.decaps_key(&other) {
                Ok(other) => assert_eq!(secret, other.decapsulate(&tampered), "{name}"),
                Err(error) => assert!(secret.is_ok() || secret == Err(error), "{name}"),
            }
        }
        let ciphertext = vec![0; kem.info().ciphertext_len];
        assert!(kem.decapsulate_encoded(bytes.as_ref(), &ciphertext[1..]).is_err(), "{name}");
        if row.category > 0 && !kem.is_hybrid() {
            let refused =
                Error::Length { input: "decapsulation key", expected: bytes.as_ref().len(), got: 5 };
            assert_eq!(kem.decapsulate_encoded(&[0; 5], &ciphertext), Err(refused), "{name}");
        }
    }
}

#[test]
fn batches_of_kem_operations_equal_single_operations() {
    for row in KEMS {
        let (name, kem, rng) = (row.name(), row.kem, &mut Stream::new(row.name()));
        let keys = [kem.generate(rng), kem.generate(rng)];
        let public = keys.each_ref().map(|key| kem.encaps_key(&key.encaps_key_bytes()).expect(name));
        // more than the eight operations of a batch, so that some remain
        let order = [0, 1, 1, 0, 0, 1, 0, 0, 1, 1];
        let many: Vec<&dyn DynEncapsKey> = order.iter().map(|n| &*public[*n]).collect();
        let (mut one, mut other) = (Stream::new("batch"), Stream::new("batch"));
        let sent = kem.encapsulate_many(&many, &mut one);
        assert_eq!(sent.len(), order.len(), "{name}");
        for (key, sent) in many.iter().zip(&sent) {
            let single = key.encapsulate(&mut other);
            assert_eq!((&sent.ciphertext, &sent.secret), (&single.ciphertext, &single.secret), "{name}");
        }
        let mut ciphertexts: Vec<Vec<u8>> = sent.into_iter().map(|sent| sent.ciphertext).collect();
        ciphertexts[2] = rng.flip(&ciphertexts[2]).0;
        for is_truncated in [false, true] {
            if is_truncated {
                ciphertexts[4].pop();
            }
            let received: Vec<DynReceived<'_>> =
                order.iter().zip(&ciphertexts).map(|(n, ciphertext)| (&*keys[*n], &**ciphertext)).collect();
            let single = received.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext));
            let single: Vec<Result<SecretBytes, Error>> = single.collect();
            assert_eq!(single[4].is_err(), is_truncated, "{name}");
            assert_eq!(kem.decapsulate_many(&received), single, "{name}");
        }
    }
}

#[test]
fn batches_accept_keys_of_other_algorithms() {
    let [first, second] = ["ML-KEM-768", "LightSaber"].map(|name| kem_by_name(name).expect(name).kem);
    let keys = [first, second].map(|kem| kem.generate(&mut Stream::new("keys")));
    let public =
        [first.encaps_key(&keys[0].encaps_key_bytes()), second.encaps_key(&keys[1].encaps_key_bytes())];
    let public = public.map(|key| key.expect("the key was generated above"));
    let order = [0, 0, 1, 0, 0, 0, 0, 0, 1];
    let many: Vec<&dyn DynEncapsKey> = order.iter().map(|n| &*public[*n]).collect();
    let sent = first.encapsulate_many(&many, &mut Stream::new("batch"));
    let received: Vec<DynReceived<'_>> =
        order.iter().zip(&sent).map(|(n, sent)| (&*keys[*n], &*sent.ciphertext)).collect();
    let secrets: Vec<Result<SecretBytes, Error>> = sent.iter().map(|sent| Ok(sent.secret.clone())).collect();
    assert_eq!(first.decapsulate_many(&received), secrets);
    assert_eq!(second.decapsulate_many(&received), secrets);
}

#[test]
fn batches_of_signatures_verify_and_report_each_wrong_one() {
    for row in signatures() {
        let (name, rng) = (row.name(), &mut Stream::new(row.name()));
        let private = row.signature.generate(rng).to_bytes();
        let key = row.signature.signing_key(private.as_ref()).expect(name);
        let verifying = row.signature.verifying_key(&key.verifying_key_bytes()).expect(name);
        // more than a batch of eight, where signing is fast
        let count = if flips(row) < FLIPS { 3 } else { 10 };
        let messages: Vec<Vec<u8>> = (0..count).map(|n| vec![7; 40 * n]).collect();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut signatures = key.sign_many(&messages, b"", rng).expect(name);
        assert_eq!(signatures.len(), count, "{name}");
        for is_altered in [false, true] {
            if is_altered {
                signatures[1] = rng.flip(&signatures[1]).0;
            }
            let signed: Vec<DynSigned<'_>> = messages
                .iter()
                .zip(&signatures)
                .map(|(message, signature)| (*message, &**signature))
                .collect();
            let accepted: Vec<bool> = verifying.verify_many(&signed, b"").iter().map(Result::is_ok).collect();
            let expected: Vec<bool> = (0..count).map(|n| !is_altered || n != 1).collect();
            assert_eq!(accepted, expected, "{name}");
        }
    }
}

#[test]
fn flipped_signature_or_key_bit_neither_verifies_nor_panics() {
    for row in signatures() {
        let (name, rng) = (row.name(), &mut Stream::new(row.name()));
        let key = row.signature.generate(rng);
        let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
        let signature = key.sign(b"message", b"", rng).expect(name);
        let verifying = row.signature.verifying_key(&public).expect(name);
        for _ in 0..flips(row) {
            let flipped = rng.flip(&signature).0;
            assert!(verifying.verify(b"message", b"", &flipped).is_err(), "{name} signature");
            let flipped = rng.flip(&public).0;
            if let Ok(key) = row.signature.verifying_key(&flipped)
                && !is_lowest_coefficient_bit(row, &public, &flipped)
            {
                assert!(key.verify(b"message", b"", &signature).is_err(), "{name} public key");
            }
        }
        for _ in 0..signing_flips(row) {
            if let Ok(key) = row.signature.signing_key(&rng.flip(private.as_ref()).0) {
                let signed = key.sign(b"message", b"", rng);
                assert!(
                    signed.is_ok_and(|bytes| bytes.len() <= row.signature.info().signature_len),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn finds_every_row_by_each_name_and_number() {
    for row in KEMS {
        let found = |name: &str| kem_by_name(name).expect(name).name() == row.name();
        assert!(spellings(row).iter().all(|name| found(name)), "{}", row.name());
        assert!(row.oid.is_none_or(|oid| kem_by_oid(oid).is_some_and(|it| it.name() == row.name())));
        let by_code = |code| kem_by_tls_group(code).is_some_and(|it| it.name() == row.name());
        assert!(row.tls_group.is_none_or(by_code), "{}", row.name());
    }
    for row in SIGNATURES {
        let found = |name: &str| signature_by_name(name).expect(name).name() == row.name();
        assert!(spellings(row).iter().all(|name| found(name)), "{}", row.name());
        let by_oid = |oid| signature_by_oid(oid).is_some_and(|it| it.oid == row.oid);
        assert!(row.oid.is_none_or(by_oid), "{}", row.name());
        let by_code = |code| signature_by_tls_scheme(code).is_some_and(|it| it.name() == row.name());
        assert!(row.tls_scheme.is_none_or(by_code), "{}", row.name());
    }
}

/// Returns the names and TLS codes of a row, spelled as a user may type them.
fn spellings(row: &impl Row) -> Vec<String> {
    let names = std::iter::once(row.name()).chain(row.aliases().iter().copied());
    let mut all: Vec<_> =
        names.flat_map(|name| [name.to_owned(), name.to_uppercase(), plain(name)]).collect();
    all.extend(row.tls_code().into_iter().flat_map(|code| [code.to_string(), format!("{code:#06X}")]));
    all
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

#[test]
fn no_two_rows_share_a_name_a_number_or_an_oid() {
    identifiers_are_unique(KEMS);
    identifiers_are_unique(SIGNATURES);
}

fn identifiers_are_unique<R: Row>(rows: &[R]) {
    let mut seen = HashSet::new();
    for row in rows {
        for name in std::iter::once(row.name()).chain(row.aliases().iter().copied()) {
            assert!(seen.insert(plain(name)), "{name} occurs twice");
        }
        assert!(row.tls_code().is_none_or(|code| seen.insert(format!("{code:#06X}"))), "{}", row.name());
        // all key sizes share the identifier sha256WithRSAEncryption
        let unique = row.oid().filter(|oid| *oid != "1.2.840.113549.1.1.11");
        assert!(unique.is_none_or(|oid| seen.insert(oid.to_owned())), "{}", row.name());
    }
}

/// A composite has the category of its post-quantum part, the lengths of its parts combined, and the encoding of its
/// family.
#[test]
fn every_composite_inherits_the_properties_of_its_parts() {
    let curves = [("p256", 65), ("p384", 97), ("p521", 133), ("rsa3072", 398)];
    for row in SIGNATURES.iter().filter(|row| row.signature.is_composite()) {
        let (name, info) = (row.name(), row.signature.info());
        assert_eq!((row.classical_family.is_some(), info.seed_len), (true, None), "{name}");
        let Some((classical, post_quantum)) = name.split_once('_') else {
            assert_eq!((row.family, row.key_format), (Family::MlDsa, KeyFormat::Raw), "{name}");
            assert_eq!((info.context_len, row.tls_scheme), (255, None), "{name}");
            continue;
        };
        let (_, point) = curves.iter().find(|(curve, _)| *curve == classical).expect(name);
        let part = signature_by_name(post_quantum).expect(name);
        assert_eq!((row.family, row.category), (part.family, part.category), "{name}");
        assert_eq!(info.verifying_key_len, 4 + point + part.signature.info().verifying_key_len, "{name}");
        assert_eq!((info.context_len, row.key_format), (0, KeyFormat::OqsConcatenated), "{name}");
    }
}

#[test]
fn suggests_the_right_name_for_a_misspelt_one() {
    for row in KEMS {
        let error = kem_by_name(&format!("{}q", row.name())).expect_err("no row has this name");
        assert!(error.suggestions.contains(&row.name()), "{error}");
    }
    for row in SIGNATURES {
        let error = signature_by_name(&format!("{}q", row.name())).expect_err("no row has this name");
        assert!(error.suggestions.contains(&row.name()), "{error}");
    }
    let far = kem_by_name("???").expect_err("no row has this name");
    assert!(far.suggestions.is_empty() && far.to_string().contains("grille list"), "{far}");
}
