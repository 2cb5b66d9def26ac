/** The name of an algorithm, or an object with it. `context` binds a signature to a purpose. */
export type AlgorithmName = string | { name: string; context?: BufferSource };

export type Usage =
  "encapsulateKey" | "encapsulateBits" | "decapsulateKey" | "decapsulateBits" | "sign" | "verify";

/** "raw-public" and "spki" are formats of public keys, "raw-seed" and "pkcs8" of private keys. */
export type Format = "raw-public" | "raw-seed" | "spki" | "pkcs8";

/** A key, in the shape of WebCrypto's CryptoKey. */
export class Key {
  private constructor();
  readonly type: "public" | "private";
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly Usage[];
  /** Erases a private key. Later operations with it fail. */
  free(): void;
}

/** The result of `encapsulateBits`. */
export interface EncapsulatedBits {
  sharedKey: ArrayBuffer;
  ciphertext: ArrayBuffer;
}

/** The result of `encapsulateKey`. */
export interface EncapsulatedKey {
  sharedKey: CryptoKey;
  ciphertext: ArrayBuffer;
}

/** The methods of SubtleCrypto, for the package's algorithms. */
export const subtle: {
  generateKey(
    algorithm: AlgorithmName, extractable: boolean, usages: Usage[],
  ): Promise<{ publicKey: Key; privateKey: Key }>;
  importKey(
    format: Format, data: BufferSource, algorithm: AlgorithmName, extractable: boolean, usages: Usage[],
  ): Promise<Key>;
  exportKey(format: Format, key: Key): Promise<ArrayBuffer>;
  getPublicKey(key: Key, usages: Usage[]): Promise<Key>;
  encapsulateBits(algorithm: AlgorithmName, key: Key): Promise<EncapsulatedBits>;
  decapsulateBits(algorithm: AlgorithmName, key: Key, ciphertext: BufferSource): Promise<ArrayBuffer>;
  encapsulateKey(
    algorithm: AlgorithmName, key: Key, sharedKeyAlgorithm: Parameters<SubtleCrypto["importKey"]>[2],
    extractable: boolean, usages: KeyUsage[],
  ): Promise<EncapsulatedKey>;
  decapsulateKey(
    algorithm: AlgorithmName, key: Key, ciphertext: BufferSource,
    sharedKeyAlgorithm: Parameters<SubtleCrypto["importKey"]>[2], extractable: boolean, usages: KeyUsage[],
  ): Promise<CryptoKey>;
  sign(algorithm: AlgorithmName, key: Key, data: BufferSource): Promise<ArrayBuffer>;
  verify(algorithm: AlgorithmName, key: Key, signature: BufferSource, data: BufferSource): Promise<boolean>;
};

/** Returns whether `subtle` has the operation for the algorithm, as SubtleCrypto.supports does. */
export function supports(operation: string, algorithm: AlgorithmName): boolean;

/** Returns the names of all algorithms that `subtle` accepts. */
export function algorithms(): string[];
