"""The names of liboqs-python, on grille.

Programs that were written for ``import oqs`` run after ``import grille.oqs as oqs``.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from . import _grille

MechanismNotSupportedError = _grille.UnknownAlgorithm
MechanismNotEnabledError = _grille.UnknownAlgorithm


OQS_SUCCESS = 0
OQS_ERROR = -1
OQS_VERSION = _grille.__version__


def oqs_python_version() -> str:
    """Return the version of this package."""
    return _grille.__version__


def oqs_version() -> str:
    """Return the version of this package, which needs no liboqs."""
    return _grille.__version__


def get_supported_kem_mechanisms() -> tuple[str, ...]:
    """Return the names of all KEMs."""
    return tuple(kem.name for kem in _grille.kems())


def get_enabled_kem_mechanisms() -> tuple[str, ...]:
    """Return the names of all enabled KEMs: every supported KEM is enabled."""
    return get_supported_kem_mechanisms()


def is_kem_enabled(alg_name: str) -> bool:
    """Return whether there is a KEM with this name."""
    try:
        _grille.kem(alg_name)
    except _grille.UnknownAlgorithm:
        return False
    return True


# liboqs-python before 0.10 wrote KEM in capitals
get_supported_KEM_mechanisms = get_supported_kem_mechanisms
get_enabled_KEM_mechanisms = get_enabled_kem_mechanisms
is_KEM_enabled = is_kem_enabled


def get_supported_sig_mechanisms() -> tuple[str, ...]:
    """Return the names of all signature algorithms."""
    return tuple(signature.name for signature in _grille.signatures())


def get_enabled_sig_mechanisms() -> tuple[str, ...]:
    """Return the names of all enabled signature algorithms: every supported algorithm is enabled."""
    return get_supported_sig_mechanisms()


def is_sig_enabled(alg_name: str) -> bool:
    """Return whether there is a signature algorithm with this name."""
    try:
        _grille.signature(alg_name)
    except _grille.UnknownAlgorithm:
        return False
    return True


def sig_supports_context(alg_name: str) -> bool:
    """Return whether the signature algorithm takes a context; False for an unknown name."""
    return is_sig_enabled(alg_name) and _grille.signature(alg_name).context_length > 0


def get_supported_stateful_sig_mechanisms() -> tuple[str, ...]:
    """Return no names: there are no stateful signatures."""
    return ()


def get_enabled_stateful_sig_mechanisms() -> tuple[str, ...]:
    """Return no names: there are no stateful signatures."""
    return ()


class KeyEncapsulation:
    """A KEM and, after :meth:`generate_keypair`, its key pair."""

    def __init__(self, alg_name: str, secret_key: bytes | None = None) -> None:
        self._kem = _grille.kem(alg_name)
        self.alg_name = alg_name
        self._key = self._kem.private_key_from_bytes(secret_key) if secret_key is not None else None
        self.details: dict[str, Any] = {
            "name": alg_name,
            "claimed_nist_level": self._kem.category,
            "length_public_key": self._kem.public_key_length,
            "length_secret_key": self._kem.private_key_length,
            "length_ciphertext": self._kem.ciphertext_length,
            "length_shared_secret": self._kem.shared_secret_length,
            "length_keypair_seed": self._kem.seed_length or 0,
        }

    def __enter__(self) -> KeyEncapsulation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.free()

    def _own(self) -> _grille.KemPrivateKey:
        if self._key is None:
            raise RuntimeError("there is no secret key: call generate_keypair, or give one to the constructor")
        return self._key

    def generate_keypair(self) -> bytes:
        """Generate a key pair and return the public key."""
        self._key = self._kem.generate()
        return self._key.public_key().public_bytes_raw()

    def generate_keypair_seed(self, seed: bytes) -> bytes:
        """Derive the key pair from a seed and return the public key."""
        self._key = self._kem.private_key_from_seed(seed)
        return self._key.public_key().public_bytes_raw()

    def export_secret_key(self) -> bytes:
        """Return the raw secret key."""
        return self._own().private_bytes_raw()

    def encap_secret(self, public_key: bytes) -> tuple[bytes, bytes]:
        """Return the ciphertext and the shared secret."""
        secret, ciphertext = self._kem.public_key_from_bytes(public_key).encapsulate()
        return ciphertext, secret

    def decap_secret(self, ciphertext: bytes) -> bytes:
        """Return the shared secret."""
        return self._own().decapsulate(ciphertext)

    def free(self) -> None:
        """Erase the key pair."""
        self._key = None


class Signature:
    """A signature algorithm and, after :meth:`generate_keypair`, its key pair."""

    def __init__(self, alg_name: str, secret_key: bytes | None = None) -> None:
        self._signature = _grille.signature(alg_name)
        self.alg_name = alg_name
        self._key = self._signature.private_key_from_bytes(secret_key) if secret_key is not None else None
        self.details: dict[str, Any] = {
            "name": alg_name,
            "claimed_nist_level": self._signature.category,
            "sig_with_ctx_support": self._signature.context_length > 0,
            "length_public_key": self._signature.public_key_length,
            "length_secret_key": self._signature.private_key_length,
            "length_signature": self._signature.signature_length,
        }

    def __enter__(self) -> Signature:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.free()

    def _own(self) -> _grille.SigningKey:
        if self._key is None:
            raise RuntimeError("there is no secret key: call generate_keypair, or give one to the constructor")
        return self._key

    def generate_keypair(self) -> bytes:
        """Generate a key pair and return the public key."""
        self._key = self._signature.generate()
        return self._key.public_key().public_bytes_raw()

    def export_secret_key(self) -> bytes:
        """Return the raw secret key."""
        return self._own().private_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self._own().sign(message)

    def sign_with_ctx_str(self, message: bytes, context: bytes) -> bytes:
        """Return the signature of a message with a context."""
        return self._own().sign(message, context)

    def verify(self, message: bytes, signature: bytes, public_key: bytes) -> bool:
        """Return whether the signature matches."""
        return self.verify_with_ctx_str(message, signature, b"", public_key)

    def verify_with_ctx_str(self, message: bytes, signature: bytes, context: bytes, public_key: bytes) -> bool:
        """Return whether the signature matches with this context."""
        try:
            self._signature.public_key_from_bytes(public_key).verify(signature, message, context)
        except _grille.Error:
            return False
        return True

    def free(self) -> None:
        """Erase the key pair."""
        self._key = None
