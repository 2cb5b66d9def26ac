// The package in browsers, workers and Deno: fetches the WebAssembly module from the folder of this file.
import initialise from "./grille.js";

await initialise({ module_or_path: new URL("./grille_bg.wasm", import.meta.url) });

export * from "./grille.js";
