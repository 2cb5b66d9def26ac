// The programs in README.md run as they stand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const programs = [...readFileSync(new URL("README.md", root), "utf8").matchAll(/```js\n(.*?)```/gs)];

test("README has programs", () => assert.equal(programs.length, 2));

for (const [place, [, program]] of programs.entries()) {
  test(`program ${place + 1} of README runs`, () => {
    const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", program],
      { cwd: fileURLToPath(root), encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stderr);
  });
}
