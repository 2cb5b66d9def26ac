// The package in Node: loads the WebAssembly module from disk.
import { readFileSync } from "node:fs";
import { initSync } from "./grille.js";

initSync({ module: readFileSync(new URL("./grille_bg.wasm", import.meta.url)) });

export * from "./grille.js";
