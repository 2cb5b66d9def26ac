"""Post-quantum KEMs and signatures, their keys and certificates.

>>> import grille
>>> key = grille.kem("ML-KEM-768").generate()
>>> secret, ciphertext = key.public_key().encapsulate()
>>> key.decapsulate(ciphertext) == secret
True
"""

from ._grille import (
    Certificate,
    Error,
    InvalidSignature,
    Kem,
    KemPrivateKey,
    KemPublicKey,
    SignatureAlgorithm,
    SigningKey,
    Untrusted,
    UnknownAlgorithm,
    VerifyingKey,
    __version__,
    kem,
    kems,
    load_certificates,
    load_private_key,
    load_public_key,
    signature,
    signatures,
    verify_chain,
)

__all__ = [
    "Certificate",
    "Error",
    "InvalidSignature",
    "Kem",
    "KemPrivateKey",
    "KemPublicKey",
    "SignatureAlgorithm",
    "SigningKey",
    "Untrusted",
    "UnknownAlgorithm",
    "VerifyingKey",
    "__version__",
    "kem",
    "kems",
    "load_certificates",
    "load_private_key",
    "load_public_key",
    "signature",
    "signatures",
    "verify_chain",
]
