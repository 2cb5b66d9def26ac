// Bad input gets an error that names the problem; private keys are erased.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect, kem, loadPrivateKey, loadPublicKey, signature } from "grille";
import { initSync } from "../pkg/grille.js";

const vectors = new URL("../../../vectors/", import.meta.url);
const read = (path) => readFileSync(new URL(path, vectors));
const refuses = (action, name, message) => assert.throws(action, { name, message });

test("refuses unknown names", () => {
  refuses(() => kem("ML-KEM-769"), "Error", /^unknown KEM or group "ML-KEM-769"/);
  refuses(() => kem("ML-DSA-44"), "Error", /^ML-DSA-44 is a signature algorithm, not a KEM/);
  refuses(() => signature("ML-KEM-768"), "Error", /^ML-KEM-768 is a KEM, not a signature algorithm/);
  refuses(() => signature("X"), "Error", /signatures\(\) lists all names/);
  refuses(() => kem(768), "TypeError", /the name must be a string, not number/);
});

test("finds names in any case", () => assert.equal(kem("ml-kem-768").name, "ML-KEM-768"));

test("refuses wrong lengths", () => {
  const algorithm = kem("ML-KEM-768");
  const key = algorithm.generate();
  const short = new Uint8Array(3);
  refuses(() => algorithm.publicKeyFromBytes(short), "Error", /must be 1184 bytes long, got 3/);
  refuses(() => algorithm.privateKeyFromBytes(short), "Error", /must be 2400 bytes long, got 3/);
  refuses(() => algorithm.privateKeyFromSeed(short), "Error", /must be 64 bytes long, got 3/);
  refuses(() => key.decapsulate(new Uint8Array(1087)), "Error", /must be 1088 bytes long, got 1087/);
});

test("refuses arguments that are not bytes", () => {
  const algorithm = signature("ML-DSA-44");
  const key = algorithm.generate();
  for (const wrong of [undefined, null, 3, "text", [1, 2], {}, algorithm]) {
    refuses(() => algorithm.publicKeyFromBytes(wrong), "TypeError", /^the public key must be a Uint8Array/);
    refuses(() => key.sign(wrong), "TypeError", /^the message must be a Uint8Array/);
  }
  refuses(() => key.sign(new Uint8Array(1), "text"), "TypeError", /^the context must be a Uint8Array/);
});

test("takes every view and buffer", () => {
  const key = signature("ML-DSA-44").generate();
  const whole = new Uint8Array([0, 0, 1, 2, 3, 4, 0, 0]);
  const made = key.sign(whole.slice(2, 6));
  for (const same of [new DataView(whole.buffer, 2, 4), new Uint16Array(whole.buffer, 2, 2), whole.slice(2, 6).buffer]) {
    assert.ok(key.publicKey().verify(made, same));
  }
});

test("reads files as text and as bytes", () => {
  const key = signature("ML-DSA-44").generate();
  const pem = key.toPem();
  for (const contents of [pem, new TextEncoder().encode(pem)]) {
    assert.deepEqual(loadPrivateKey(contents).publicKey().toBytes(), key.publicKey().toBytes());
  }
  assert.deepEqual(loadPublicKey(key.publicKey().toPem()).toBytes(), key.publicKey().toBytes());
  assert.equal(inspect(key.publicKey().toPem())[0].type, inspect(key.publicKey().toSpki())[0].type);
  refuses(() => loadPrivateKey("text"), "Error", /text without a -----BEGIN line/);
  refuses(() => inspect(3), "TypeError", /^the file must be a Uint8Array/);
});

test("refuses keys of another algorithm", () => {
  const [small, large] = ["ML-KEM-512", "ML-KEM-1024"].map(kem);
  const key = small.generate();
  refuses(() => large.publicKeyFromBytes(key.publicKey().toBytes()), "Error", /must be 1568 bytes long, got 800/);
  refuses(() => loadPrivateKey(key.publicKey().toSpki()), "Error", /public key/);
  refuses(() => loadPublicKey(key.toPkcs8()), "Error", /private key/);
});

test("refuses a public key with a coefficient out of range", () => {
  refuses(() => kem("ML-KEM-512").publicKeyFromBytes(new Uint8Array(800).fill(255)), "Error", /^the public key/);
});

test("refuses signatures without an exception", () => {
  const key = signature("ML-DSA-44").generate();
  const [publicKey, message] = [key.publicKey(), new Uint8Array(2)];
  const made = key.sign(message);
  for (const wrong of [new Uint8Array(0), made.slice(1), made.map((byte, place) => (place === 9 ? byte ^ 1 : byte))]) {
    assert.equal(publicKey.verify(wrong, message), false);
  }
});

test("refuses contexts that are too long", () => {
  const key = signature("ML-DSA-44").generate();
  refuses(() => key.sign(new Uint8Array(1), new Uint8Array(256)), "Error", /255/);
});

test("refuses buffers that were transferred away, and objects in disguise", () => {
  const key = kem("ML-KEM-512").generate();
  const transferred = (view) => structuredClone(view, { transfer: [view.buffer ?? view] }) && view;
  const lie = Object.defineProperty(new DataView(new ArrayBuffer(4)), "byteOffset", { value: 1000 });
  const thrower = Object.defineProperty(new DataView(new ArrayBuffer(4)), "byteOffset", { get: () => { throw new TypeError("no"); } });
  for (const wrong of [
    transferred(new ArrayBuffer(768)), transferred(new Uint8Array(768)), transferred(new DataView(new ArrayBuffer(768))),
    Object.create(Uint8Array.prototype), new Proxy(new Uint8Array(768), {}), new SharedArrayBuffer(768), lie, thrower,
  ]) {
    assert.throws(() => key.decapsulate(wrong), Error);
  }
  // no refused call keeps the key borrowed
  assert.equal(key.decapsulate(new Uint8Array(new SharedArrayBuffer(768))).length, 32);
  key.free();
});

test("refuses freed objects", () => {
  const key = kem("ML-KEM-512").generate();
  key.free();
  refuses(() => key.decapsulate(new Uint8Array(768)), "Error", /^the object has been freed$/);
});

test("erases private keys when they are freed", () => {
  const seed = crypto.getRandomValues(new Uint8Array(64));
  const key = kem("ML-KEM-768").privateKeyFromSeed(seed);
  // The module is initialised already, so this returns its exports.
  const { memory } = initSync({ module: new Uint8Array() });
  const find = () => Buffer.from(memory.buffer).indexOf(seed.subarray(0, 32));
  assert.notEqual(find(), -1);
  key.free();
  assert.equal(find(), -1);
});

test("describes certificates, requests and keys", () => {
  const [certificate] = inspect(read("rfc9881/ML-DSA-44.crt"));
  assert.equal(certificate.type, "certificate");
  assert.equal(certificate.algorithm, "ML-DSA-44");
  assert.equal(certificate.keyLength, 1312);
  assert.equal(certificate.subject, "CN=LAMPS WG,O=IETF");
  assert.equal(certificate.notBefore.getUTCFullYear(), 2020);
  assert.equal(certificate.ownSignature, true);
  const types = ["files/bc-ml-kem-768.pub", "files/bc-ml-kem-768.key", "files/bc-ml-dsa-44.key"].map(read).map(inspect);
  assert.deepEqual(types.map(([one]) => [one.type, one.algorithm, one.keyLength]), [
    ["public key", "ML-KEM-768", 1184], ["private key", "ML-KEM-768", 2400], ["private key", "ML-DSA-44", 2560],
  ]);
});

test("describes classical certificates without checking them", () => {
  const [certificate] = inspect(read("files/openssl-p256.crt"));
  assert.equal(certificate.algorithm, "P-256");
  assert.ok(!("ownSignature" in certificate));
});

test("explains files that it cannot read", () => {
  refuses(() => inspect(read("files/node-ml-dsa-44-encrypted.key")), "Error", /^the file is encrypted/);
  refuses(() => inspect(read("files/openssl.p12")), "Error", /^the file is encrypted/);
  refuses(() => inspect(read("SOURCES.md")), "Error", /neither PEM nor DER/);
  refuses(() => inspect(read("files/openssl-p256.pub")), "Error", /1\.2\.840\.10045\.2\.1|P-256|EC/);
  refuses(() => inspect(new Uint8Array(0)), "Error", /./);
});

test("survives every truncation of a certificate and a key", () => {
  for (const path of ["files/openssl-p256.crt", "files/bc-ml-kem-768.pub"]) {
    const [, body] = read(path).toString().split(/-----[A-Z ]+-----\r?\n/);
    const der = Buffer.from(body, "base64");
    for (let length = 0; length < der.length; length += 1) {
      assert.throws(() => inspect(der.subarray(0, length)), { name: "Error" });
    }
  }
});

test("writes files that it reads again", () => {
  for (const algorithm of [kem("ML-KEM-512"), signature("ML-DSA-44"), signature("SLH-DSA-SHA2-128f"), signature("Falcon-512")]) {
    const key = algorithm.generate();
    const publicBytes = key.publicKey().toBytes();
    for (const file of [key.toPkcs8(), Buffer.from(key.toPem())]) {
      const loaded = loadPrivateKey(file);
      assert.equal(loaded.algorithm.name, algorithm.name);
      assert.deepEqual(loaded.publicKey().toBytes(), publicBytes);
    }
    for (const file of [key.publicKey().toSpki(), Buffer.from(key.publicKey().toPem())]) {
      assert.deepEqual(loadPublicKey(file).toBytes(), publicBytes);
    }
  }
});
