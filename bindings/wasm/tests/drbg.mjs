// NIST's AES-256 CTR_DRBG without derivation function, as the programs of the known answers use it. `vectors/SOURCES.md`
// describes the records.
import { createCipheriv } from "node:crypto";

export class Drbg {
  #key = Buffer.alloc(32);
  #counter = Buffer.alloc(16);

  constructor(seed) {
    this.#update(seed);
  }

  bytes(length) {
    const output = this.#blocks(Math.ceil(length / 16)).subarray(0, length);
    this.#update(Buffer.alloc(48));
    return output;
  }

  #blocks(count) {
    const cipher = createCipheriv("aes-256-ecb", this.#key, null).setAutoPadding(false);
    const inputs = Array.from({ length: count }, () => {
      for (let place = 15; place >= 0 && (this.#counter[place] = (this.#counter[place] + 1) & 255) === 0; place--);
      return Buffer.from(this.#counter);
    });
    return cipher.update(Buffer.concat(inputs));
  }

  #update(data) {
    const fresh = this.#blocks(3).map((byte, place) => byte ^ data[place]);
    this.#key = fresh.subarray(0, 32);
    this.#counter = fresh.subarray(32, 48);
  }
}

/** Runs `action` while crypto.getRandomValues draws from a generator with this seed. */
export function withRandomness(seed, action) {
  const generator = new Drbg(seed);
  const fill = (array) => {
    array.set(generator.bytes(array.length));
    return array;
  };
  Object.defineProperty(globalThis.crypto, "getRandomValues", { value: fill, configurable: true });
  try {
    return action();
  } finally {
    delete globalThis.crypto.getRandomValues;
  }
}

/** The message of the first record of every signature algorithm. */
export function firstMessage() {
  const generator = new Drbg(Buffer.from(Array.from({ length: 48 }, (_, place) => place)));
  generator.bytes(48);
  return generator.bytes(33);
}
