export * from "./grille.js";
