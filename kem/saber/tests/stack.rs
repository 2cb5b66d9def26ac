//! The stack that operations take is what the crate's documentation states, and they take nothing of the heap but for the results
//! of many.

use grille_core::{DecapsKey as _, EncapsKey as _, Kem, SystemRng};
use grille_meter::{Counting, hold_to_stated, measured};
use grille_saber::params::{Fire, Light, Params, Plain};
use grille_saber::{DecapsKey, SaberKem};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `column`: of the table.
fn operations_hold<P: Params>(column: usize) {
    let hold = |row: &str, work: &mut (dyn FnMut() + Send)| {
        let ((), used) = measured(work).expect("there is memory");
        let of_many = row.starts_with("eight");
        assert_eq!(used.allocations == 0, !of_many, "{row}: {}", used.allocations);
        hold_to_stated(include_str!("../src/lib.rs"), row, column, used)
    };
    let keys = SaberKem::<P>::generate_many(8, &mut SystemRng);
    let (key, own) = (&keys[0], keys[0].encaps_key());
    let private = key.to_bytes();
    let prepared = own.prepare();
    let publics: Vec<_> = keys.iter().map(DecapsKey::encaps_key).collect();
    let sent = SaberKem::<P>::encapsulate_many(&publics, &mut SystemRng);
    let received: Vec<_> = keys.iter().zip(&sent).map(|(key, sent)| (key, &sent.ciphertext)).collect();
    let ciphertext = &sent[0].ciphertext;
    let results = [
        hold("key generation", &mut || drop(SaberKem::<P>::generate(&mut SystemRng))),
        hold("import of a decapsulation key", &mut || {
            drop(DecapsKey::<P>::from_bytes(private.as_ref()).expect("a fresh key"));
        }),
        hold("preparing an encapsulation key", &mut || drop(own.prepare())),
        hold("encapsulation", &mut || drop(own.encapsulate(&mut SystemRng))),
        hold("encapsulation with a prepared key", &mut || drop(prepared.encapsulate(&mut SystemRng))),
        hold("decapsulation", &mut || drop(key.decapsulate(ciphertext))),
        hold("decapsulation with an encoded key", &mut || {
            drop(
                SaberKem::<P>::decapsulate_encoded(private.as_ref(), ciphertext).expect("the right lengths"),
            );
        }),
        hold("eight key generations", &mut || drop(SaberKem::<P>::generate_many(8, &mut SystemRng))),
        hold("eight encapsulations", &mut || drop(SaberKem::<P>::encapsulate_many(&publics, &mut SystemRng))),
        hold("eight decapsulations", &mut || drop(SaberKem::<P>::decapsulate_many(&received))),
    ];
    let failures: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn light_saber_takes_what_is_stated() {
    operations_hold::<Light>(0);
}

#[test]
fn saber_takes_what_is_stated() {
    operations_hold::<Plain>(1);
}

#[test]
fn fire_saber_takes_what_is_stated() {
    operations_hold::<Fire>(2);
}
