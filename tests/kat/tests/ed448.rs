//! Tests Ed448 with the examples of RFC 8032 section 7.4, read from and written to PKCS #8.

use grille_registry::signature_by_name;
use serde::Deserialize;

#[derive(Deserialize)]
struct Example {
    secret_key: String,
    public_key: String,
    message: String,
    context: String,
    signature: String,
}

/// The bytes before the secret key in RFC 8410's document: version 0, id-Ed448, two OCTET STRINGs.
const HEADER: [u8; 16] = [0x30, 71, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x71, 4, 59, 4, 57];

fn hex(text: &str) -> Vec<u8> {
    base16ct::lower::decode_vec(text).unwrap()
}

#[test]
fn signs_and_verifies_every_example_of_the_standard() {
    let examples: Vec<Example> =
        serde_json::from_str(include_str!("../../../vectors/rfc8032/ed448.json")).unwrap();
    let ed448 = signature_by_name("Ed448").unwrap().signature;
    for example in &examples {
        let document = [&HEADER[..], &hex(&example.secret_key)].concat();
        let key = ed448.signing_key(&document).unwrap();
        assert_eq!(key.to_bytes().as_ref(), document);
        assert_eq!(key.verifying_key_bytes(), hex(&example.public_key));
        let (message, context) = (hex(&example.message), hex(&example.context));
        assert_eq!(key.sign_deterministic(&message, &context).unwrap(), hex(&example.signature));
        let public = ed448.verifying_key(&hex(&example.public_key)).unwrap();
        assert_eq!(public.verify(&message, &context, &hex(&example.signature)), Ok(()));
        assert!(public.verify(&message, b"bar", &hex(&example.signature)).is_err());
    }
    assert_eq!(examples.len(), 4);
}
