// The programs in README.md and in the guide's page run as they stand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);

for (const [file, count] of [["README.md", 2], ["../../docs/guide/src/14-in-javascript.md", 4]]) {
  const programs = [...readFileSync(new URL(file, root), "utf8").matchAll(/```js\n(.*?)```/gs)];
  const name = file.split("/").pop();
  test(`${name} has programs`, () => assert.equal(programs.length, count));
  for (const [place, [, program]] of programs.entries()) {
    test(`program ${place + 1} of ${name} runs`, () => {
      const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", program],
        { cwd: fileURLToPath(root), encoding: "utf8" });
      assert.equal(ran.status, 0, ran.stderr);
    });
  }
}
