"""Tests of the package's public interface: round trips, files, and bad input."""

import concurrent.futures
import pathlib
import pickle
from typing import Literal

import grille
import grille.oqs as oqs
import pytest

VECTORS = pathlib.Path(__file__).parents[3] / "vectors"


@pytest.mark.parametrize("name", ["ML-KEM-768", "X25519MLKEM768", "Kyber512", "HQC-1"])
def test_kem_agrees_on_a_secret(name: str) -> None:
    key = grille.kem(name).generate()
    secret, ciphertext = key.public_key().encapsulate()
    assert key.decapsulate(ciphertext) == secret
    assert len(secret) == key.algorithm.shared_secret_length
    assert len(ciphertext) == key.algorithm.ciphertext_length
    altered = bytes([ciphertext[-1] ^ 1])
    try:
        assert key.decapsulate(ciphertext[:-1] + altered) != secret
    except grille.Error:
        assert key.algorithm.name == "X25519MLKEM768"


@pytest.mark.parametrize("name", ["ML-DSA-65", "Falcon-512", "SLH-DSA-SHA2-128f", "Ed25519"])
def test_signature_matches_its_message_only(name: str) -> None:
    key = grille.signature(name).generate()
    public = key.public_key()
    signature = key.sign(b"hello")
    public.verify(signature, b"hello")
    with pytest.raises(grille.InvalidSignature):
        public.verify(signature, b"hallo")


def test_context_binds_a_signature() -> None:
    key = grille.signature("ML-DSA-44").generate()
    signature = key.sign(b"hello", context=b"a")
    key.public_key().verify(signature, b"hello", context=b"a")
    with pytest.raises(grille.InvalidSignature):
        key.public_key().verify(signature, b"hello")
    with pytest.raises(grille.Error, match="255"):
        key.sign(b"hello", context=bytes(256))


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_buffer_is_taken(kind: type) -> None:
    key = grille.signature("ML-DSA-44").generate()
    signature = key.sign(kind(b"hello"))
    key.public_key().verify(kind(signature), kind(b"hello"))
    with pytest.raises(TypeError, match="bytes-like"):
        key.sign("hello")  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ["PEM", "DER"])
@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
def test_keys_are_written_and_read(encoding: Literal["PEM", "DER"], passphrase: bytes | None) -> None:
    for key in (grille.kem("ML-KEM-512").generate(), grille.signature("ML-DSA-44").generate()):
        file = key.private_bytes(encoding, passphrase)
        again = grille.load_private_key(file, passphrase)
        assert again.private_bytes_raw() == key.private_bytes_raw()
        assert again.seed() == key.seed()
        public = grille.load_public_key(key.public_key().public_bytes(encoding))
        assert public == key.public_key()
        if passphrase:
            with pytest.raises(grille.Error, match="passphrase"):
                grille.load_private_key(file, b"wrong")
            with pytest.raises(grille.Error):
                grille.load_private_key(file)


def test_seeds_make_the_same_key() -> None:
    kem = grille.kem("ML-KEM-768")
    key = kem.generate()
    assert kem.private_key_from_seed(key.seed()).public_key() == key.public_key()
    from_expanded = kem.private_key_from_bytes(key.private_bytes_raw())
    with pytest.raises(grille.Error, match="seed"):
        from_expanded.seed()


def test_bad_input_has_a_reason() -> None:
    with pytest.raises(grille.UnknownAlgorithm, match="ML-KEM-768"):
        grille.kem("ML-KEM-769")
    with pytest.raises(grille.UnknownAlgorithm, match=r"grille\.kems\(\) lists all names"):
        grille.kem("")
    with pytest.raises(grille.UnknownAlgorithm, match=r"grille\.signatures\(\) lists all names"):
        grille.signature("")
    with pytest.raises(grille.Error, match="1184"):
        grille.kem("ML-KEM-768").public_key_from_bytes(b"short")
    with pytest.raises(grille.Error):
        grille.kem("ML-KEM-768").public_key_from_bytes(b"\xff" * 1184)
    with pytest.raises(grille.Error):
        grille.load_private_key(b"nonsense")
    with pytest.raises(grille.Error, match="PEM"):
        grille.kem("ML-KEM-512").generate().private_bytes("TEXT")  # type: ignore[arg-type]
    with pytest.raises(grille.Error, match="empty"):
        grille.kem("ML-KEM-512").generate().private_bytes("PEM", b"")
    with pytest.raises(TypeError):
        grille.KemPrivateKey()


def test_a_damaged_kem_file_is_described_as_a_kem_file() -> None:
    file = bytearray(grille.kem("ML-KEM-512").generate().public_key().public_bytes("DER"))
    file[-800:-100] = b"\xff" * 700
    with pytest.raises(grille.Error, match="ML-KEM-512: the public key has a coefficient"):
        grille.load_public_key(file)


def test_keys_of_another_kind_are_refused() -> None:
    kem, signer = grille.kem("ML-KEM-768").generate(), grille.signature("ML-DSA-44").generate()
    with pytest.raises(grille.UnknownAlgorithm):
        grille.kem("ML-DSA-44")
    with pytest.raises(grille.UnknownAlgorithm):
        grille.signature("ML-KEM-768")
    with pytest.raises(grille.Error, match="1088"):
        kem.decapsulate(b"short")
    with pytest.raises(grille.Error, match="64"):
        kem.algorithm.private_key_from_seed(b"short")
    with pytest.raises(grille.Error):
        grille.load_private_key(signer.public_key().public_bytes("PEM"))
    with pytest.raises(grille.Error):
        grille.load_public_key(signer.private_bytes("DER"))
    with pytest.raises(grille.InvalidSignature):
        grille.signature("ML-DSA-44").generate().public_key().verify(signer.sign(b"hello"), b"hello")
    with pytest.raises(TypeError):
        kem.decapsulate(None)  # type: ignore[arg-type]


def test_private_keys_do_not_show_themselves() -> None:
    key = grille.kem("ML-KEM-512").generate()
    assert key.seed().hex() not in repr(key) and repr(list(key.seed())) not in repr(key)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(key)


def test_certificates_are_read_and_refused_without_a_root() -> None:
    [certificate] = grille.load_certificates((VECTORS / "x509" / "ec-p256-sha384.crt").read_bytes())
    assert isinstance(certificate.public_key(), grille.VerifyingKey)
    assert certificate.not_valid_before < certificate.not_valid_after
    assert grille.load_certificates(certificate.public_bytes("DER")) == [certificate]
    with pytest.raises(grille.Untrusted):
        grille.verify_chain([certificate], [], purpose="any")
    with pytest.raises(grille.Error, match="no certificate"):
        grille.verify_chain([], [])


def test_threads_share_a_key() -> None:
    key = grille.kem("ML-KEM-768").generate()
    secret, ciphertext = key.public_key().encapsulate()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(found == secret for found in pool.map(key.decapsulate, [ciphertext] * 200))


def test_every_algorithm_has_names_and_lengths() -> None:
    assert {kem.name for kem in grille.kems()} >= {"ML-KEM-512", "Kyber768", "HQC-3"}
    for kem in grille.kems():
        assert grille.kem(kem.name) == kem and kem.public_key_length > 0
    for signature in grille.signatures():
        assert grille.signature(signature.name) == signature and signature.signature_length > 0


def test_oqs_names() -> None:
    with oqs.KeyEncapsulation("Kyber768") as client, oqs.KeyEncapsulation("Kyber768") as server:
        ciphertext, secret = server.encap_secret(client.generate_keypair())
        assert client.decap_secret(ciphertext) == secret
        again = oqs.KeyEncapsulation("Kyber768", client.export_secret_key())
        assert again.alg_name == again.details["name"] == "Kyber768"
        assert again.decap_secret(ciphertext) == secret
        with pytest.raises(RuntimeError):
            server.decap_secret(ciphertext)
    with oqs.Signature("Dilithium2") as signer:
        public = signer.generate_keypair()
        assert signer.verify(b"hello", signer.sign(b"hello"), public)
        assert not signer.verify(b"hallo", signer.sign(b"hello"), public)
    assert oqs.oqs_version() == oqs.oqs_python_version() == grille.__version__
    assert oqs.is_kem_enabled("ML-KEM-512") and not oqs.is_sig_enabled("ML-KEM-512")
    assert oqs.get_enabled_KEM_mechanisms() == oqs.get_supported_kem_mechanisms()
    assert oqs.sig_supports_context("ML-DSA-44") and not oqs.sig_supports_context("Falcon-512")
    assert not oqs.sig_supports_context("Dilithium9")
    assert oqs.get_enabled_stateful_sig_mechanisms() == ()


def test_oqs_refuses_bad_input() -> None:
    with pytest.raises(oqs.MechanismNotSupportedError, match="ML-KEM-768"):
        oqs.KeyEncapsulation("ML-KEM-769")
    with pytest.raises(grille.Error, match="1632"):
        oqs.KeyEncapsulation("ML-KEM-512", b"short")
    with oqs.KeyEncapsulation("ML-KEM-512") as kem:
        public = kem.generate_keypair()
        with pytest.raises(grille.Error, match="768"):
            kem.decap_secret(b"short")
        with pytest.raises(grille.Error, match="800"):
            kem.encap_secret(public[1:])
        with pytest.raises(grille.Error, match="64"):
            kem.generate_keypair_seed(b"short")
        kem.free()
        with pytest.raises(RuntimeError, match="no secret key"):
            kem.decap_secret(bytes(768))
    with oqs.Signature("ML-DSA-44") as signer:
        public = signer.generate_keypair()
        signature = signer.sign(b"hello")
        assert not signer.verify(b"hello", signature[1:], public)
        assert not signer.verify(b"hello", signature, public[1:])
        signer.free()
        with pytest.raises(RuntimeError, match="no secret key"):
            signer.sign(b"hello")
    with pytest.raises(RuntimeError, match="no secret key"):
        oqs.Signature("ML-DSA-44").export_secret_key()
