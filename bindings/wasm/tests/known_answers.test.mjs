// Known answers of every family, and round trips of every algorithm.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { kem, kems, loadPrivateKey, loadPublicKey, signature, signatures } from "grille";
import { firstMessage, withRandomness } from "./drbg.mjs";

const vectors = new URL("../../../vectors/", import.meta.url);
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (digits) => Buffer.from(digits, "hex");

/** The small sets of hash-based signatures need seconds for a signature. The vectors of SLH-DSA, whose names are in another
 *  case, are checked in full. */
const signsSlowly = (name) => /-(128|192|256)s\b/.test(name);
/** Key generation of Classic McEliece needs up to seconds; the smallest set shows that it works. */
const generatesSlowly = (name) => name.startsWith("Classic-McEliece-") && !name.includes("348864");

const FAMILIES =
  ["mlkem", "kyber", "hqc", "bike", "mceliece", "ntru", "saber", "mldsa", "dilithium", "slhdsa", "sphincs"];

for (const family of FAMILIES) {
  const folder = new URL(`${family}/`, vectors);
  for (const file of readdirSync(folder).filter((name) => name.startsWith("liboqs-"))) {
    const entries = JSON.parse(readFileSync(new URL(file, folder)));
    const quick = entries.filter(({ algorithm }) => !signsSlowly(algorithm) && !generatesSlowly(algorithm));
    assert.notEqual(quick.length, 0);
    test(`known answers of ${family}, ${file}: ${quick.length} of ${entries.length} sets`, () => quick.forEach(check));
  }
}

/** Compares the first record of an algorithm, computed with the record's randomness. */
function check({ algorithm, kind, records: [record] }) {
  withRandomness(bytes(record.seed), () => {
    const key = (kind === "kem" ? kem : signature)(algorithm).generate();
    assert.equal(sha256(key.publicKey().toBytes()), record.pk_sha256, `${algorithm}: public key`);
    assert.equal(sha256(key.toBytes()), record.sk_sha256, `${algorithm}: private key`);
    (kind === "kem" ? checkEncapsulation : checkSignature)(algorithm, key, record);
    key.free();
  });
}

function checkEncapsulation(algorithm, key, record) {
  const { sharedSecret, ciphertext } = key.publicKey().encapsulate();
  assert.equal(sha256(ciphertext), record.ct_sha256, `${algorithm}: ciphertext`);
  assert.equal(hex(sharedSecret), record.ss, `${algorithm}: shared secret`);
  assert.equal(hex(key.decapsulate(ciphertext)), record.ss, `${algorithm}: decapsulated secret`);
  if (record.ss_ct0_flipped === undefined) return;
  ciphertext[0] ^= 1;
  assert.equal(hex(key.decapsulate(ciphertext)), record.ss_ct0_flipped, `${algorithm}: implicit rejection`);
}

function checkSignature(algorithm, key, record) {
  const message = firstMessage();
  assert.equal(sha256(message), record.msg_sha256);
  const made = key.sign(message);
  assert.equal(sha256(made), record.sig_sha256, `${algorithm}: signature`);
  assert.ok(key.publicKey().verify(made, message), `${algorithm}: verification`);
}

test("known answers of Falcon: keys of Bouncy Castle, because grille generates others than the reference", () => {
  for (const size of [512, 1024]) {
    const read = (kind) => readFileSync(new URL(`files/bc-falcon-${size}.${kind}`, vectors));
    const [key, publicKey] = [loadPrivateKey(read("key")), loadPublicKey(read("pub"))];
    assert.equal(key.algorithm.name, `Falcon-${size}`);
    assert.equal(hex(key.publicKey().toBytes()), hex(publicKey.toBytes()));
    assert.ok(publicKey.verify(key.sign(bytes("00")), bytes("00")));
  }
});

test("known answers of NIST: ML-KEM keys from seeds", () => {
  const groups = JSON.parse(readFileSync(new URL("acvp/ml-kem.json", vectors)));
  const generation = groups.filter(({ mode }) => mode === "keyGen");
  assert.equal(generation.length, 3);
  for (const { parameterSet, tests } of generation) {
    for (const { d, z, ekSha256, dkSha256 } of tests) {
      const key = kem(parameterSet).privateKeyFromSeed(bytes(d + z));
      assert.equal(hex(key.seed()), d + z);
      assert.equal(sha256(key.publicKey().toBytes()), ekSha256);
      assert.equal(sha256(key.toBytes()), dkSha256);
    }
  }
});

for (const algorithm of kems()) {
  const { name } = algorithm;
  const skip = generatesSlowly(name) && "key generation of the larger sets of Classic McEliece takes a second";
  test(`round trip of ${name}`, { skip }, () => {
    const generated = algorithm.generate();
    const key = algorithm.privateKeyFromBytes(generated.toBytes());
    const publicKey = algorithm.publicKeyFromBytes(generated.publicKey().toBytes());
    const { sharedSecret, ciphertext } = publicKey.encapsulate();
    assert.deepEqual(key.decapsulate(ciphertext), sharedSecret);
    assert.equal(publicKey.toBytes().length, algorithm.publicKeyLength);
    assert.equal(key.toBytes().length, algorithm.privateKeyLength);
    assert.equal(ciphertext.length, algorithm.ciphertextLength);
    assert.equal(sharedSecret.length, algorithm.sharedSecretLength);
    if (algorithm.seedLength === undefined) return;
    const seed = generated.seed();
    assert.equal(seed.length, algorithm.seedLength);
    assert.deepEqual(algorithm.privateKeyFromSeed(seed).toBytes(), generated.toBytes());
  });
}

for (const algorithm of signatures()) {
  const { name } = algorithm;
  const skip = signsSlowly(name) && "signatures of the small hash-based sets take seconds";
  test(`round trip of ${name}`, { skip }, () => {
    const [generated, message] = [algorithm.generate(), Buffer.from("message")];
    const key = algorithm.privateKeyFromBytes(generated.toBytes());
    const publicKey = algorithm.publicKeyFromBytes(generated.publicKey().toBytes());
    const context = algorithm.contextLength > 0 ? Buffer.from("purpose") : undefined;
    const made = key.sign(message, context);
    assert.ok(made.length <= algorithm.signatureLength);
    assert.equal(publicKey.verify(made, message, context), true);
    assert.equal(publicKey.verify(made, Buffer.from("massage"), context), false);
    if (context) assert.equal(publicKey.verify(made, message), false);
    assert.equal(publicKey.toBytes().length, algorithm.publicKeyLength);
    assert.equal(key.toBytes().length, algorithm.privateKeyLength);
    if (algorithm.seedLength === undefined) return;
    const seed = generated.seed();
    assert.equal(seed.length, algorithm.seedLength);
    assert.deepEqual(algorithm.privateKeyFromSeed(seed).toBytes(), generated.toBytes());
  });
}
