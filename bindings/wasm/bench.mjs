// Measures the package in Node, and @noble/post-quantum where it is installed. Arguments: folders of packages; pkg by default.
// Prints a Markdown table of milliseconds: the lowest of five medians, because other programs may disturb some of them.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { pathToFileURL } from "node:url";

const KEMS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"];
const SIGNATURES = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f", "Falcon-512"];
const message = new Uint8Array(32);

const subjects = {};
for (const folder of process.argv.slice(2).length ? process.argv.slice(2) : ["pkg"]) {
  const { kem, signature } = await import(pathToFileURL(`${folder}/node.js`));
  subjects[folder] = (name) => (KEMS.includes(name) ? ours(kem(name), "kem") : ours(signature(name)));
}
if (existsSync("node_modules/@noble/post-quantum")) subjects["@noble/post-quantum"] = await noble();

console.log(`${cpus()[0].model}, Node ${process.version}\n`);
console.log(`| operation | ${Object.keys(subjects).join(" | ")} |\n|---|${"---:|".repeat(Object.keys(subjects).length)}`);
for (const name of [...KEMS, ...SIGNATURES]) {
  const steps = Object.values(subjects).map((subject) => subject(name));
  for (const step of ["generate", ...(KEMS.includes(name) ? ["encapsulate", "decapsulate"] : ["sign", "verify"])]) {
    const cells = steps.map((operations) => (operations ? time(operations[step]).toPrecision(3) : "–"));
    console.log(`| ${name} ${step} | ${cells.join(" | ")} |`);
  }
}

function ours(algorithm, kind) {
  const key = algorithm.generate();
  const publicKey = key.publicKey();
  const generate = () => algorithm.generate().free();
  if (kind === "kem") {
    const { ciphertext } = publicKey.encapsulate();
    return { generate, encapsulate: () => publicKey.encapsulate(), decapsulate: () => key.decapsulate(ciphertext) };
  }
  const made = key.sign(message);
  return { generate, sign: () => key.sign(message), verify: () => publicKey.verify(made, message) };
}

/** noble's operations take encoded keys; it has no prepared ones. */
async function noble() {
  const load = createRequire(import.meta.url).resolve;
  const modules = await Promise.all(["ml-kem", "ml-dsa", "slh-dsa", "falcon"].map((name) =>
    import(pathToFileURL(load(`@noble/post-quantum/${name}.js`)))));
  const all = Object.fromEntries(modules.flatMap((one) => Object.entries(one))
    .map(([name, algorithm]) => [name.replaceAll("_", "").toLowerCase(), algorithm]));
  return (name) => {
    const algorithm = all[name.replaceAll("-", "").toLowerCase()];
    if (!algorithm) return undefined;
    const { publicKey, secretKey } = algorithm.keygen();
    const generate = () => algorithm.keygen();
    if (KEMS.includes(name)) {
      const { cipherText } = algorithm.encapsulate(publicKey);
      return { generate, encapsulate: () => algorithm.encapsulate(publicKey),
        decapsulate: () => algorithm.decapsulate(cipherText, secretKey) };
    }
    const made = algorithm.sign(message, secretKey);
    return { generate, sign: () => algorithm.sign(message, secretKey),
      verify: () => algorithm.verify(made, message, publicKey) };
  };
}

/** The lowest of five medians of an operation's times, in milliseconds. */
function time(operation) {
  operation();
  return Math.min(...Array.from({ length: 5 }, () => median(operation)));
}

/** The median of the times of 5 runs or of 150 ms, whichever is longer. */
function median(operation) {
  const times = [];
  for (const end = performance.now() + 150; times.length < 5 || performance.now() < end;) {
    const start = performance.now();
    operation();
    times.push(performance.now() - start);
  }
  return times.sort((one, other) => one - other)[times.length >> 1];
}
