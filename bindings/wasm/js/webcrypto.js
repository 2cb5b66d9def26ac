// The methods of WebCrypto's SubtleCrypto for the package's algorithms, with the names, usages and exceptions of the draft
// "Modern Algorithms in the Web Cryptography API" (WICG). JSON Web Keys and wrapping are not included.
import { kem, kems, signature, signatures, loadPrivateKey, loadPublicKey } from "grille";

const PUBLIC_USAGES = { kem: ["encapsulateKey", "encapsulateBits"], signature: ["verify"] };
const PRIVATE_USAGES = { kem: ["decapsulateKey", "decapsulateBits"], signature: ["sign"] };
/** The formats of keys: the type of key that has each, and the method that writes it. */
const FORMATS = {
  "raw-public": { type: "public", method: "toBytes" },
  "raw-seed": { type: "private", method: "seed" },
  spki: { type: "public", method: "toSpki" },
  pkcs8: { type: "private", method: "toPkcs8" },
};

const fail = (name, message) => new DOMException(message, name);

/** A key, in the shape of WebCrypto's CryptoKey. */
export class Key {
  #handle;
  #kind;

  constructor(handle, kind, type, extractable, usages) {
    this.#handle = handle;
    this.#kind = kind;
    Object.assign(this, { type, extractable, algorithm: Object.freeze({ name: handle.algorithm.name }) });
    this.usages = Object.freeze([...usages]);
    Object.freeze(this);
  }

  /** Erases a private key. Later operations with it fail. */
  free() {
    this.#handle.free();
  }

  static handle(key, algorithm, type, usage) {
    const { handle } = Key.inside(key);
    const { name } = find(algorithm);
    if (key.algorithm.name !== name) {
      throw fail("InvalidAccessError", `the key is one of ${key.algorithm.name}, not ${name}`);
    }
    if (type && key.type !== type) throw fail("InvalidAccessError", `the key is ${key.type}, not ${type}`);
    if (usage && !key.usages.includes(usage)) {
      throw fail("InvalidAccessError", `the key's usages do not include ${usage}`);
    }
    return handle;
  }

  static inside(key) {
    if (!(key instanceof Key)) throw new TypeError("the key must come from this module's generateKey or importKey");
    return { handle: key.#handle, kind: key.#kind };
  }
}

/** Returns the algorithm that an AlgorithmIdentifier names. */
function find(algorithm) {
  const name = typeof algorithm === "string" ? algorithm : algorithm?.name;
  if (typeof name !== "string") throw new TypeError("the algorithm must be a name, or an object with a name");
  for (const [kind, lookup] of [["kem", kem], ["signature", signature]]) {
    try {
      const found = lookup(name);
      return { kind, found, name: found.name };
    } catch {
      // The name may be one of the other kind.
    }
  }
  throw fail("NotSupportedError", `no algorithm is called "${name}"`);
}

/** Runs an operation of the package; its errors become DOMExceptions with the given name. */
function attempt(name, operation) {
  try {
    return operation();
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) throw error;
    throw fail(name, error.message);
  }
}

function checkUsages(usages, allowed) {
  const wrong = [...usages].find((usage) => !allowed.includes(usage));
  if (wrong !== undefined) throw fail("SyntaxError", `the usage "${wrong}" is not one of ${allowed.join(", ")}`);
}

function unknownFormat(format) {
  throw fail("NotSupportedError", `the format "${format}" is not one of ${Object.keys(FORMATS).join(", ")}`);
}

const buffer = (array) => array.buffer;

/** Returns the context of a signature algorithm's parameters. */
function contextOf(algorithm) {
  return typeof algorithm === "string" ? undefined : algorithm.context;
}

/** Checks the usages before `make` returns the handle, so that a refused call leaves no private key in memory. */
function privateKey(make, kind, extractable, usages) {
  checkUsages(usages, PRIVATE_USAGES[kind]);
  if (usages.length === 0) throw fail("SyntaxError", "a private key needs at least one usage");
  return new Key(make(), kind, "private", extractable, usages);
}

function publicKey(handle, kind, usages) {
  checkUsages(usages, PUBLIC_USAGES[kind]);
  return new Key(handle, kind, "public", true, usages);
}

/** Checks that a file holds a key of the algorithm that the caller named. */
function ofAlgorithm(handle, name) {
  const found = handle.algorithm.name;
  if (found === name) return handle;
  handle.free();
  throw fail("DataError", `the file holds a key of ${found}, not ${name}`);
}

/** The methods of SubtleCrypto. */
export const subtle = Object.freeze({
  async generateKey(algorithm, extractable, usages) {
    const { kind, found } = find(algorithm);
    checkUsages(usages, [...PUBLIC_USAGES[kind], ...PRIVATE_USAGES[kind]]);
    const own = usages.filter((usage) => PRIVATE_USAGES[kind].includes(usage));
    if (own.length === 0) throw fail("SyntaxError", `the usages need one of ${PRIVATE_USAGES[kind].join(", ")}`);
    const others = usages.filter((usage) => PUBLIC_USAGES[kind].includes(usage));
    const handle = attempt("OperationError", () => found.generate());
    return {
      publicKey: publicKey(handle.publicKey(), kind, others),
      privateKey: privateKey(() => handle, kind, extractable, own),
    };
  },

  async importKey(format, data, algorithm, extractable, usages) {
    const { kind, found, name } = find(algorithm);
    const read = (operation) => attempt("DataError", operation);
    switch (format) {
      case "raw-public":
        return publicKey(read(() => found.publicKeyFromBytes(data)), kind, usages);
      case "spki":
        return publicKey(ofAlgorithm(read(() => loadPublicKey(data)), name), kind, usages);
      case "raw-seed":
        return privateKey(() => read(() => found.privateKeyFromSeed(data)), kind, extractable, usages);
      case "pkcs8":
        return privateKey(() => ofAlgorithm(read(() => loadPrivateKey(data)), name), kind, extractable, usages);
      default:
        return unknownFormat(format);
    }
  },

  async exportKey(format, key) {
    const { handle } = Key.inside(key);
    if (!key.extractable) throw fail("InvalidAccessError", "the key is not extractable");
    const { type, method } = Object.hasOwn(FORMATS, format) ? FORMATS[format] : unknownFormat(format);
    if (type !== key.type) throw fail("InvalidAccessError", `"${format}" is a format of ${type} keys`);
    return buffer(attempt("OperationError", () => handle[method]()));
  },

  async getPublicKey(key, usages) {
    const { handle, kind } = Key.inside(key);
    if (key.type !== "private") throw fail("InvalidAccessError", "the key is public already");
    return publicKey(attempt("OperationError", () => handle.publicKey()), kind, usages);
  },

  async encapsulateBits(algorithm, key) {
    return encapsulate(algorithm, key, "encapsulateBits");
  },

  async decapsulateBits(algorithm, key, ciphertext) {
    return decapsulate(algorithm, key, ciphertext, "decapsulateBits");
  },

  async encapsulateKey(algorithm, key, sharedKeyAlgorithm, extractable, usages) {
    const { sharedKey, ciphertext } = encapsulate(algorithm, key, "encapsulateKey");
    return { sharedKey: await shared(sharedKey, sharedKeyAlgorithm, extractable, usages), ciphertext };
  },

  async decapsulateKey(algorithm, key, ciphertext, sharedKeyAlgorithm, extractable, usages) {
    const bits = decapsulate(algorithm, key, ciphertext, "decapsulateKey");
    return shared(bits, sharedKeyAlgorithm, extractable, usages);
  },

  async sign(algorithm, key, data) {
    const handle = Key.handle(key, algorithm, "private", "sign");
    return buffer(attempt("OperationError", () => handle.sign(data, contextOf(algorithm))));
  },

  async verify(algorithm, key, bytes, data) {
    const handle = Key.handle(key, algorithm, "public", "verify");
    return attempt("OperationError", () => handle.verify(bytes, data, contextOf(algorithm)));
  },
});

function encapsulate(algorithm, key, usage) {
  const handle = Key.handle(key, algorithm, "public", usage);
  const { sharedSecret, ciphertext } = attempt("OperationError", () => handle.encapsulate());
  return { sharedKey: buffer(sharedSecret), ciphertext: buffer(ciphertext) };
}

function decapsulate(algorithm, key, ciphertext, usage) {
  const handle = Key.handle(key, algorithm, "private", usage);
  return buffer(attempt("OperationError", () => handle.decapsulate(ciphertext)));
}

/** Imports a shared secret as a key of the platform's own WebCrypto. */
async function shared(bits, algorithm, extractable, usages) {
  const key = await globalThis.crypto.subtle.importKey("raw", bits, algorithm, extractable, usages);
  new Uint8Array(bits).fill(0);
  return key;
}

/** Returns whether `subtle` has the operation for the algorithm, as SubtleCrypto.supports does. */
export function supports(operation, algorithm) {
  const kinds = {
    generateKey: ["kem", "signature"], importKey: ["kem", "signature"], exportKey: ["kem", "signature"],
    getPublicKey: ["kem", "signature"], sign: ["signature"], verify: ["signature"],
    encapsulateBits: ["kem"], decapsulateBits: ["kem"], encapsulateKey: ["kem"], decapsulateKey: ["kem"],
  }[operation];
  try {
    return kinds !== undefined && kinds.includes(find(algorithm).kind);
  } catch {
    return false;
  }
}

/** Returns the names of all algorithms that `subtle` accepts. */
export const algorithms = () => [...kems(), ...signatures()].map((one) => one.name);
