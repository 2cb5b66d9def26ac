"""Measures grille and other Python packages that are installed beside it: cryptography, kyber-py, dilithium-py and
liboqs-python. Prints a Markdown table of microseconds: the lowest of five medians, because other programs may disturb
some of them.

liboqs-python is measured only if OQS_INSTALL_PATH names an installation of liboqs, because without one it downloads
and builds liboqs when it is imported.
"""

import importlib
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import grille

KEMS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]
SIGNATURES = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]
MESSAGE = bytes(32)

Operations = dict[str, Callable[[], Any]]


def with_grille(name: str) -> Operations:
    if name in KEMS:
        kem = grille.kem(name)
        key = kem.generate()
        public = key.public_key()
        ciphertext = public.encapsulate()[1]
        return {
            "generate": kem.generate,
            "encapsulate": public.encapsulate,
            "decapsulate": lambda: key.decapsulate(ciphertext),
        }
    algorithm = grille.signature(name)
    signer = algorithm.generate()
    verifier = signer.public_key()
    signature = signer.sign(MESSAGE)
    return {
        "generate": algorithm.generate,
        "sign": lambda: signer.sign(MESSAGE),
        "verify": lambda: verifier.verify(signature, MESSAGE),
    }


def with_cryptography(name: str) -> Operations | None:
    kind = "mlkem" if name in KEMS else "mldsa"
    module = importlib.import_module(f"cryptography.hazmat.primitives.asymmetric.{kind}")
    private = getattr(module, name.replace("-", "") + "PrivateKey", None)
    if private is None:
        return None
    key = private.generate()
    public = key.public_key()
    if name in KEMS:
        ciphertext = public.encapsulate()[1]
        return {
            "generate": private.generate,
            "encapsulate": public.encapsulate,
            "decapsulate": lambda: key.decapsulate(ciphertext),
        }
    signature = key.sign(MESSAGE)
    return {
        "generate": private.generate,
        "sign": lambda: key.sign(MESSAGE),
        "verify": lambda: public.verify(signature, MESSAGE),
    }


def with_kyber_py(name: str) -> Operations | None:
    """kyber-py and dilithium-py, which are by one author and in Python only. Their keys are encoded."""
    package = "kyber_py.ml_kem" if name in KEMS else "dilithium_py.ml_dsa"
    algorithm = getattr(importlib.import_module(package), name.replace("-", "_"))
    public, secret = algorithm.keygen()
    if name in KEMS:
        ciphertext = algorithm.encaps(public)[1]
        return {
            "generate": algorithm.keygen,
            "encapsulate": lambda: algorithm.encaps(public),
            "decapsulate": lambda: algorithm.decaps(secret, ciphertext),
        }
    signature = algorithm.sign(secret, MESSAGE)
    return {
        "generate": algorithm.keygen,
        "sign": lambda: algorithm.sign(secret, MESSAGE),
        "verify": lambda: algorithm.verify(public, MESSAGE, signature),
    }


def with_liboqs_python(name: str) -> Operations | None:
    if "OQS_INSTALL_PATH" not in os.environ:
        return None
    oqs = importlib.import_module("oqs")
    if name in KEMS:
        kem = oqs.KeyEncapsulation(name)
        public = kem.generate_keypair()
        ciphertext = kem.encap_secret(public)[0]
        return {
            "generate": oqs.KeyEncapsulation(name).generate_keypair,
            "encapsulate": lambda: kem.encap_secret(public),
            "decapsulate": lambda: kem.decap_secret(ciphertext),
        }
    signer = oqs.Signature(name)
    public = signer.generate_keypair()
    signature = signer.sign(MESSAGE)
    return {
        "generate": oqs.Signature(name).generate_keypair,
        "sign": lambda: signer.sign(MESSAGE),
        "verify": lambda: signer.verify(MESSAGE, signature, public),
    }


PACKAGES: dict[str, Callable[[str], Operations | None]] = {
    "grille": with_grille,
    "cryptography": with_cryptography,
    "liboqs-python": with_liboqs_python,
    "kyber-py, dilithium-py": with_kyber_py,
}


def operations_of(package: Callable[[str], Operations | None], name: str) -> Operations | None:
    """Returns nothing for a package that is not installed or lacks the algorithm."""
    try:
        return package(name)
    except ModuleNotFoundError:
        return None


def lowest_median(operation: Callable[[], Any]) -> float:
    operation()
    return min(median(operation) for _ in range(5))


def median(operation: Callable[[], Any]) -> float:
    """Returns the median of the times of 5 runs or of 0.1 s, whichever is longer, in microseconds."""
    times: list[float] = []
    end = time.perf_counter() + 0.1
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        operation()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}\n")
    print(f"| operation | {' | '.join(PACKAGES)} |\n|---|{'---:|' * len(PACKAGES)}")
    for name in KEMS + SIGNATURES:
        columns = [operations_of(package, name) for package in PACKAGES.values()]
        for step in with_grille(name):
            cells = [f"{lowest_median(column[step]):,.1f}" if column else "–" for column in columns]
            print(f"| {name} {step} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
