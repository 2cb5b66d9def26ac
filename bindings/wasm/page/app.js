import { inspect, kem, kems, signature, signatures } from "grille";

const $ = (id) => document.getElementById(id);
const encode = (text) => new TextEncoder().encode(text);
const tables = { KEMs: kems(), Signatures: signatures() };
const DEFAULTS = { kem: "ML-KEM-768", signature: "ML-DSA-65" };

/** Makes an element with text and children; text is never read as HTML. */
function make(tag, ...children) {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}

// Errors

function report(error) {
  $("failure").textContent = error ? String(error.message ?? error) : "";
  $("failure").hidden = !error;
}

/** Runs an action on a click, after the browser had time to draw, and shows its error. */
function onClick(id, action) {
  $(id).addEventListener("click", async () => {
    report();
    await pause();
    try {
      await action();
    } catch (error) {
      report(error);
    }
  });
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

// The list of algorithms

const COLUMNS = {
  KEMs: [
    ["Public key", "publicKeyLength"], ["Private key", "privateKeyLength"], ["Seed", "seedLength"],
    ["Ciphertext", "ciphertextLength"], ["Secret", "sharedSecretLength"],
  ],
  Signatures: [
    ["Public key", "publicKeyLength"], ["Private key", "privateKeyLength"], ["Seed", "seedLength"],
    ["Signature", "signatureLength"],
  ],
};

function shown() {
  const [status, filter] = [$("status").value, $("filter").value.trim().toLowerCase()];
  return tables[$("kind").value].filter((one) =>
    (!status || one.status === status) && [one.name, ...one.aliases].join(" ").toLowerCase().includes(filter));
}

function drawTable() {
  const columns = COLUMNS[$("kind").value];
  const titles = ["Algorithm", "Status", "Category", ...columns.map(([title]) => title)];
  $("table").tHead.replaceChildren(make("tr", ...titles.map((title) => make("th", title))));
  const rows = shown();
  $("table").tBodies[0].replaceChildren(...rows.map((one) => {
    const lengths = columns.map(([, length]) => one[length]?.toLocaleString() ?? "–");
    const row = make("tr", ...[one.name, one.status, String(one.category), ...lengths].map((cell) => make("td", cell)));
    row.title = one.specification;
    return row;
  }));
  $("count").textContent = `${rows.length} algorithms; lengths in bytes`;
}

// Speed

/** Returns the median time of an operation in milliseconds. Measures for a tenth of a second, but at least once. */
async function time(operation) {
  const times = [];
  for (const end = performance.now() + 100; times.length === 0 || performance.now() < end;) {
    const [count, start] = [batch(times), performance.now()];
    for (let run = 0; run < count; run += 1) operation();
    times.push((performance.now() - start) / count);
    await pause();
  }
  return times.toSorted((one, other) => one - other)[times.length >> 1];
}

/** Returns how many runs to measure together, because browsers round their clocks. */
const batch = (times) => (times.length === 0 ? 1 : Math.max(1, Math.ceil(5 / Math.max(times[0], 0.01))));

const isSlow = ({ name }) => /-(128|192|256)s\b/.test(name) || (name.startsWith("Classic-McEliece") && !name.includes("348864"));

/** Measures the three operations of an algorithm; the objects that they make are freed. */
async function measure(algorithm) {
  const key = algorithm.generate();
  const publicKey = key.publicKey();
  const message = encode("message");
  try {
    const generate = ["generate", await time(() => algorithm.generate().free())];
    if ("ciphertextLength" in algorithm) {
      const { ciphertext } = publicKey.encapsulate();
      return [generate, ["encapsulate", await time(() => publicKey.encapsulate())],
        ["decapsulate", await time(() => key.decapsulate(ciphertext))]];
    }
    const made = key.sign(message);
    return [generate, ["sign", await time(() => key.sign(message))],
      ["verify", await time(() => publicKey.verify(made, message))]];
  } finally {
    key.free();
    publicKey.free();
  }
}

const rate = (milliseconds) => `${(1000 / milliseconds).toLocaleString(undefined, { maximumSignificantDigits: 3 })}/s`;

/** Draws a bar for each operation. The scale is logarithmic: from once in ten seconds to 100,000 times a second. */
function draw(name, measured) {
  const bars = measured.map(([operation, milliseconds]) => {
    const bar = make("i");
    const share = (Math.log10(1000 / milliseconds) + 1) / 6;
    bar.style.width = `${Math.min(100, Math.max(1, share * 100))}%`;
    const row = make("div", make("span", operation), make("span", bar), make("span", rate(milliseconds)));
    row.className = "bar";
    row.title = `${milliseconds.toPrecision(3)} ms`;
    return row;
  });
  const row = make("div", make("strong", name), ...bars);
  row.className = "row";
  $("chart").append(row);
}

let stopped = false;

onClick("measure", async () => {
  stopped = false;
  const chosen = shown().filter((one) => $("slow").checked || !isSlow(one));
  $("chart").replaceChildren();
  $("measure").disabled = true;
  $("stop").disabled = false;
  try {
    for (const [place, one] of chosen.entries()) {
      if (stopped) break;
      $("progress").textContent = `${place + 1} of ${chosen.length}: ${one.name}`;
      await pause();
      draw(one.name, await measure(one));
    }
    $("progress").textContent = stopped ? "stopped" : `${chosen.length} measured; longer bars are faster, ten times for each sixth`;
  } finally {
    $("measure").disabled = false;
    $("stop").disabled = true;
  }
});

$("stop").addEventListener("click", () => {
  stopped = true;
});

// Keys, encapsulation, signatures

const hex = (bytes) => {
  const digits = (part) => Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return bytes.length <= 48 ? digits(bytes) : `${digits(bytes.subarray(0, 40))}… (${bytes.length.toLocaleString()} bytes)`;
};

/** Shows a result; a second one with the same name replaces the first. */
function show(list, name, value) {
  const known = [...$(list).querySelectorAll("dt")].find((one) => one.textContent === name);
  if (known) known.nextElementSibling.textContent = value;
  else $(list).append(make("dt", name), make("dd", value));
}

function fill(select, algorithms, chosen) {
  $(select).append(...algorithms.map((one) => new Option(one.name, one.name, false, one.name === chosen)));
}

/** The keys and results of the two demonstrations. */
const state = { kem: {}, signature: {} };

function restart(part, buttons) {
  state[part].key?.free();
  state[part] = {};
  $(`${part}-result`).replaceChildren();
  buttons.forEach((id) => { $(id).disabled = true; });
}

function generate(part, lookup) {
  const start = performance.now();
  const key = lookup($(`${part}-name`).value).generate();
  state[part] = { key, publicKey: key.publicKey() };
  show(`${part}-result`, "Time", `${(performance.now() - start).toFixed(1)} ms for the key pair`);
  show(`${part}-result`, "Public key", hex(state[part].publicKey.toBytes()));
}

onClick("kem-generate", () => {
  restart("kem", ["kem-encapsulate", "kem-decapsulate"]);
  generate("kem", kem);
  $("kem-encapsulate").disabled = false;
});

onClick("kem-encapsulate", () => {
  Object.assign(state.kem, state.kem.publicKey.encapsulate());
  show("kem-result", "Ciphertext", hex(state.kem.ciphertext));
  show("kem-result", "Sender's secret", hex(state.kem.sharedSecret));
  $("kem-decapsulate").disabled = false;
});

onClick("kem-decapsulate", () => {
  const [own, sent] = [state.kem.key.decapsulate(state.kem.ciphertext), state.kem.sharedSecret];
  show("kem-result", "Receiver's secret", hex(own));
  show("kem-result", "Result", hex(own) === hex(sent) ? "both secrets are equal" : "the secrets differ");
});

const context = () => ($("context").value ? encode($("context").value) : undefined);

onClick("signature-generate", () => {
  restart("signature", ["sign", "verify"]);
  generate("signature", signature);
  $("sign").disabled = false;
});

onClick("sign", () => {
  state.signature.made = state.signature.key.sign(encode($("message").value), context());
  show("signature-result", "Signature", hex(state.signature.made));
  show("signature-result", "Result", "signed; change the message and verify");
  $("verify").disabled = false;
});

onClick("verify", () => {
  const { publicKey, made } = state.signature;
  const valid = publicKey.verify(made, encode($("message").value), context());
  show("signature-result", "Result", valid ? "the signature is valid" : "the signature does not match");
});

// Inspection

const TITLES = {
  type: "Type", algorithm: "Algorithm", keyLength: "Key length", subject: "Subject", issuer: "Issuer", names: "Names",
  serial: "Serial number", notBefore: "Not before", notAfter: "Not after", signatureAlgorithm: "Signature",
  signatureLength: "Signature length", authority: "Authority", ownSignature: "Signature of its own key", size: "Size of the DER",
};

function describe(name, value) {
  if (value instanceof Date) return value.toISOString();
  if (name === "ownSignature") return value ? "valid" : "not valid";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return `${value.toLocaleString()} bytes`;
  return Array.isArray(value) ? value.join(", ") || "none" : value;
}

async function look(file) {
  report();
  $("inspected").replaceChildren();
  try {
    if (file.size > 16 << 20) throw new Error("the file is longer than 16 MiB, so it is not a key or certificate");
    const found = inspect(await file.arrayBuffer());
    $("inspected").append(make("h3", file.name), ...found.map((one) => make("dl", ...Object.entries(TITLES)
      .filter(([name]) => name in one)
      .flatMap(([name, title]) => [make("dt", title), make("dd", describe(name, one[name]))]))));
  } catch (error) {
    const line = make("p", `${file.name}: ${error.message}`);
    line.className = "bad";
    $("inspected").append(line);
  }
}

$("file").addEventListener("change", () => $("file").files[0] && look($("file").files[0]));

for (const name of ["dragover", "dragleave", "drop"]) {
  $("drop").addEventListener(name, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) look(event.dataTransfer.files[0]);
  });
}

// Start

const statuses = new Set(Object.values(tables).flat().map((one) => one.status));
$("status").append(...[...statuses].map((status) => new Option(status, status, false, status === "standard")));
$("status").value = "standard";
for (const id of ["kind", "status", "filter"]) $(id).addEventListener("input", drawTable);
fill("kem-name", tables.KEMs, DEFAULTS.kem);
fill("signature-name", tables.Signatures, DEFAULTS.signature);
$("kem-name").addEventListener("change", () => restart("kem", ["kem-encapsulate", "kem-decapsulate"]));
$("signature-name").addEventListener("change", () => restart("signature", ["sign", "verify"]));
drawTable();
document.documentElement.dataset.ready = "yes";
