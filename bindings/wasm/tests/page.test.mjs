// The page, opened from disk in headless Chromium. Needs `npm install` for Playwright, and Chromium at GRILLE_CHROMIUM or
// /usr/bin/chromium.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const executablePath = process.env.GRILLE_CHROMIUM ?? "/usr/bin/chromium";
const playwright = await import("playwright-core").catch(() => undefined);
const missing = !playwright
  ? "Playwright is missing: run `npm install` in bindings/wasm"
  : !existsSync(executablePath) && `Chromium is missing at ${executablePath}: install Debian's \`chromium\` or set GRILLE_CHROMIUM`;
const options = { skip: missing };

let browser;
let page;
const requests = [];
const problems = [];

before(async () => {
  if (missing) return;
  browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 360, height: 740 }, offline: true });
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(new URL("../dist/grille.html", import.meta.url).href);
  await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
});

after(() => browser?.close());

const result = (list, name) => page.locator(`#${list} dt:text-is("${name}") + dd`).textContent();

test("lists algorithms with their sizes", options, async () => {
  assert.match(await page.locator("#count").textContent(), /^\d+ algorithms/);
  const row = page.locator("#table tbody tr", { hasText: "ML-KEM-768" }).first();
  assert.match(await row.textContent(), /1,184.*2,400.*64.*1,088.*32/);
  await page.selectOption("#kind", "Signatures");
  await page.fill("#filter", "ml-dsa-44");
  assert.match(await page.locator("#table tbody").textContent(), /1,312.*2,560.*2,420/);
});

test("measures and draws speed", options, async () => {
  await page.selectOption("#kind", "KEMs");
  await page.fill("#filter", "ml-kem");
  await page.click("#measure");
  await page.waitForSelector("#chart .row:nth-child(3)", { timeout: 60_000 });
  const bars = await page.locator("#chart .bar span:last-child").allTextContents();
  assert.equal(bars.length, 9);
  assert.ok(bars.every((rate) => /^[\d,.]+\/s$/.test(rate)), bars.join(" "));
});

test("generates, encapsulates and decapsulates", options, async () => {
  await page.click("#kem-generate");
  await page.click("#kem-encapsulate");
  await page.click("#kem-decapsulate");
  await page.waitForSelector("#kem-result :text-is('both secrets are equal')");
  assert.equal(await result("kem-result", "Sender's secret"), await result("kem-result", "Receiver's secret"));
});

test("signs, verifies, and refuses a changed message", options, async () => {
  await page.click("#signature-generate");
  await page.click("#sign");
  await page.click("#verify");
  await page.waitForSelector("#signature-result :text-is('the signature is valid')");
  await page.fill("#message", "Attack at noon.");
  await page.click("#verify");
  await page.waitForSelector("#signature-result :text-is('the signature does not match')");
});

test("shows errors of the package", options, async () => {
  await page.fill("#context", "x".repeat(256));
  await page.click("#sign");
  await page.waitForSelector("#failure:visible");
  assert.match(await page.locator("#failure").textContent(), /context/);
});

test("inspects files", options, async () => {
  await page.setInputFiles("#file", path("../../../vectors/rfc9881/ML-DSA-44.crt"));
  await page.waitForSelector("#inspected dl");
  assert.match(await page.locator("#inspected").textContent(), /certificate.*ML-DSA-44.*LAMPS WG/s);
  await page.setInputFiles("#file", path("../../../vectors/SOURCES.md"));
  await page.waitForSelector("#inspected .bad");
  assert.match(await page.locator("#inspected .bad").textContent(), /neither PEM nor DER/);
});

test("fits a phone", options, async () => {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  const heights = await page.locator("button").evaluateAll((all) => all.map((one) => one.offsetHeight));
  assert.ok(heights.every((height) => height >= 44), heights.join(" "));
});

test("has a dark mode", options, async () => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await paper(), light);
});

test("needs no network and logs no error", options, () => {
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  assert.deepEqual(problems, []);
});
