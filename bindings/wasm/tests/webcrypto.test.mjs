// The module `grille/webcrypto`: the names, usages and exceptions of WebCrypto.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kem } from "grille";
import { algorithms, subtle, supports } from "grille/webcrypto";
import { initSync } from "../pkg/grille.js";

const KEM = { name: "ML-KEM-768" };
const SIGNATURE = { name: "ML-DSA-65" };
const BITS = ["encapsulateBits", "decapsulateBits"];
const refuses = (promise, name) => assert.rejects(promise, (error) => error instanceof DOMException && error.name === name);

test("encapsulates and decapsulates bits", async () => {
  const { publicKey, privateKey } = await subtle.generateKey(KEM, false, BITS);
  const { sharedKey, ciphertext } = await subtle.encapsulateBits(KEM, publicKey);
  assert.ok(sharedKey instanceof ArrayBuffer && ciphertext instanceof ArrayBuffer);
  assert.deepEqual(await subtle.decapsulateBits(KEM, privateKey, ciphertext), sharedKey);
});

test("encapsulates a key that encrypts", async () => {
  const { publicKey, privateKey } = await subtle.generateKey(KEM, false, ["encapsulateKey", "decapsulateKey"]);
  const aes = [{ name: "AES-GCM" }, false, ["encrypt", "decrypt"]];
  const { sharedKey, ciphertext } = await subtle.encapsulateKey(KEM, publicKey, ...aes);
  const received = await subtle.decapsulateKey(KEM, privateKey, ciphertext, ...aes);
  const parameters = { name: "AES-GCM", iv: new Uint8Array(12) };
  const sealed = await crypto.subtle.encrypt(parameters, sharedKey, new Uint8Array([7]));
  assert.deepEqual(new Uint8Array(await crypto.subtle.decrypt(parameters, received, sealed)), new Uint8Array([7]));
});

test("signs and verifies with a context", async () => {
  const { publicKey, privateKey } = await subtle.generateKey(SIGNATURE, true, ["sign", "verify"]);
  const [message, algorithm] = [new Uint8Array(5), { ...SIGNATURE, context: new Uint8Array([1]) }];
  const made = await subtle.sign(algorithm, privateKey, message);
  assert.equal(await subtle.verify(algorithm, publicKey, made, message), true);
  assert.equal(await subtle.verify(SIGNATURE, publicKey, made, message), false);
});

test("exports and imports every format", async () => {
  const { publicKey, privateKey } = await subtle.generateKey(KEM, true, BITS);
  const { sharedKey, ciphertext } = await subtle.encapsulateBits(KEM, publicKey);
  for (const format of ["raw-seed", "pkcs8"]) {
    const copy = await subtle.importKey(format, await subtle.exportKey(format, privateKey), KEM, true, [BITS[1]]);
    assert.deepEqual(await subtle.decapsulateBits(KEM, copy, ciphertext), sharedKey);
  }
  for (const format of ["raw-public", "spki"]) {
    const file = await subtle.exportKey(format, publicKey);
    const copy = await subtle.importKey(format, file, KEM, true, [BITS[0]]);
    assert.deepEqual(await subtle.exportKey(format, copy), file);
  }
  const derived = await subtle.getPublicKey(privateKey, [BITS[0]]);
  assert.deepEqual(await subtle.exportKey("spki", derived), await subtle.exportKey("spki", publicKey));
});

test("refuses as WebCrypto does", async () => {
  const { publicKey, privateKey } = await subtle.generateKey(KEM, false, BITS);
  await refuses(subtle.generateKey("ML-KEM-3", true, BITS), "NotSupportedError");
  await refuses(subtle.generateKey(KEM, true, ["sign"]), "SyntaxError");
  await refuses(subtle.generateKey(KEM, true, [BITS[0]]), "SyntaxError");
  await refuses(subtle.exportKey("raw-seed", privateKey), "InvalidAccessError");
  await refuses(subtle.exportKey("raw-seed", publicKey), "InvalidAccessError");
  await refuses(subtle.exportKey("jwk", publicKey), "NotSupportedError");
  await refuses(subtle.encapsulateBits("ML-KEM-512", publicKey), "InvalidAccessError");
  await refuses(subtle.encapsulateBits(KEM, privateKey), "InvalidAccessError");
  await refuses(subtle.decapsulateBits(KEM, privateKey, new Uint8Array(3)), "OperationError");
  await refuses(subtle.importKey("raw-public", new Uint8Array(3), KEM, true, []), "DataError");
  await refuses(subtle.importKey("spki", await subtle.exportKey("spki", publicKey), "ML-KEM-512", true, []), "DataError");
  privateKey.free();
  await refuses(subtle.decapsulateBits(KEM, privateKey, new Uint8Array(1088)), "OperationError");
  await assert.rejects(subtle.encapsulateBits(KEM, {}), TypeError);
});

test("leaves no private key in memory if the usages are refused", async () => {
  // The module is initialised already, so this returns its exports.
  const { memory } = initSync({ module: new Uint8Array() });
  const holds = (seed) => Buffer.from(memory.buffer).includes(seed.subarray(0, 32));
  for (const usages of [[], ["sign"]]) {
    const seed = crypto.getRandomValues(new Uint8Array(64));
    const key = kem("ML-KEM-768").privateKeyFromSeed(seed);
    const file = key.toPkcs8();
    assert.ok(holds(seed));
    key.free();
    assert.ok(!holds(seed));
    await refuses(subtle.importKey("raw-seed", seed, KEM, true, usages), "SyntaxError");
    await refuses(subtle.importKey("pkcs8", file, KEM, true, usages), "SyntaxError");
    await refuses(subtle.importKey("pkcs8", file, "ML-KEM-512", true, BITS.slice(1)), "DataError");
    assert.ok(!holds(seed));
  }
});

test("names the supported operations", () => {
  assert.ok(supports("encapsulateBits", KEM) && supports("sign", "ML-DSA-65"));
  assert.ok(!supports("sign", KEM) && !supports("encrypt", KEM) && !supports("sign", "nothing"));
  assert.ok(algorithms().every((name) => supports("generateKey", name)));
});
