// Builds the npm package into pkg/, and the page that works offline into dist/grille.html.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const text = (path) => readFileSync(new URL(path, here), "utf8");

const needed = text("Cargo.toml").match(/^wasm-bindgen = "=(.*)"$/m)[1];
const install = `cargo install wasm-bindgen-cli --locked --version ${needed}`;
const found = spawnSync("wasm-bindgen", ["--version"], { encoding: "utf8" });
if (found.error) stop(`the command wasm-bindgen is missing; run \`${install}\``);
if (found.stdout.trim() !== `wasm-bindgen ${needed}`) {
  stop(`the command is ${found.stdout.trim()}, but the crate is ${needed}; run \`${install}\``);
}

run("cargo", ["build", "--release", "--quiet"]);
const metadata = run("cargo", ["metadata", "--format-version", "1", "--no-deps"], "pipe");
const target = JSON.parse(metadata).target_directory;
rmSync(new URL("pkg", here), { recursive: true, force: true });
const module = `${target}/wasm32-unknown-unknown/release/grille.wasm`;
run("wasm-bindgen", ["--target", "web", "--out-dir", "pkg", "--out-name", "grille", module]);
explainFreedObjects();
cpSync(new URL("js", here), new URL("pkg", here), { recursive: true });
bundlePage();

/** Rewords the message that wasm-bindgen has for methods of an object after `free()`. */
function explainFreedObjects() {
  const path = new URL("pkg/grille.js", here);
  const thrower = "throw new Error(getStringFromWasm0(arg0, arg1));";
  const glue = readFileSync(path, "utf8");
  if (!glue.includes(thrower)) stop("wasm-bindgen's output has changed; adapt explainFreedObjects in build.mjs");
  const reworded = `const message = getStringFromWasm0(arg0, arg1);
        throw new Error(message === "null pointer passed to rust" ? "the object has been freed" : message);`;
  writeFileSync(path, glue.replace(thrower, () => reworded));
}

/** Writes one HTML file that holds the page, its style, its script and the compressed module, so that it works from disk. */
function bundlePage() {
  const encode = (bytes) => Buffer.from(bytes).toString("base64");
  const wasm = encode(gzipSync(readFileSync(new URL("pkg/grille_bg.wasm", here)), { level: 9 }));
  const start = `const packed = Uint8Array.from(atob(document.getElementById("wasm").textContent), (one) => one.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
await __wbg_init({ module_or_path: new Response(unpacked).arrayBuffer() });`;
  const library = `data:text/javascript;base64,${encode(`${text("pkg/grille.js")}\n${start}\n`)}`;
  const page = text("page/index.html")
    .replace('"../pkg/browser.js"', () => `"${library}"`)
    .replace('<link rel="stylesheet" href="style.css">', () => `<style>\n${text("page/style.css")}</style>`)
    .replace('<script type="module" src="app.js"></script>',
      () => `<script id="wasm" type="text/plain">${wasm}</script>\n<script type="module">\n${text("page/app.js")}</script>`);
  mkdirSync(new URL("dist", here), { recursive: true });
  writeFileSync(new URL("dist/grille.html", here), page);
}

function run(command, options, stdout = "inherit") {
  const result = spawnSync(command, options, { cwd: here, encoding: "utf8", stdio: ["ignore", stdout, "inherit"],
    maxBuffer: 1 << 26 });
  if (result.error) stop(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) stop(`${command} ${options.join(" ")} failed`);
  return result.stdout;
}

function stop(reason) {
  console.error(`build: ${reason}`);
  process.exit(1);
}
