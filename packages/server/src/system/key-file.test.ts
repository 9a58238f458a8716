import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readKeyFile } from "./key-file.ts";
import { resultSignerFromFile, signerFromFile } from "./signing.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the file of a signing key", () => {
  it("is made once, for its owner only, and nothing is left beside it", () => {
    const path = join(folder, "deep", "signing-key.json");
    const { keyId } = signerFromFile(path);
    expect(signerFromFile(path).keyId).toBe(keyId);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "deep"))).toEqual(["signing-key.json"]);
  });

  it("is not there at all while its key is being made", () => {
    const path = join(folder, "key");
    const cutOff = () => {
      throw new Error("the power failed");
    };
    expect(() => readKeyFile(path, cutOff)).toThrow("the power failed");
    expect(readKeyFile(path, () => "whole")).toBe("whole\n");
  });

  it("is that of whoever was first", () => {
    const path = join(folder, "key");
    const second = readKeyFile(path, () => {
      writeFileSync(path, "first\n");
      return "second";
    });
    expect(second).toBe("first\n");
    expect(readdirSync(folder)).toEqual(["key"]);
  });

  it.each([
    ["nothing", ""],
    ["half a key", '{"kty":"OKP","crv":"Ed25519","d":"c2VjcmV0'],
    ["something else", '{"kty":"nothing"}'],
  ])("that holds %s is named, never replaced, and never repeated", (_what, text) => {
    const path = join(folder, "signing-key.json");
    writeFileSync(path, text);
    for (const read of [signerFromFile, resultSignerFromFile]) {
      expect(() => read(path)).toThrow(
        expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(path) }),
      );
      expect(() => read(path)).not.toThrow(/c2VjcmV0/);
    }
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
