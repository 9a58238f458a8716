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

describe("signing key files", () => {
  it("a signing key file is made once, readable only by its owner, without leftovers", () => {
    const path = join(folder, "deep", "signing-key.json");
    const { keyId } = signerFromFile(path);
    expect(signerFromFile(path).keyId).toBe(keyId);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "deep"))).toEqual(["signing-key.json"]);
  });

  it("a signing key file does not exist while its key is being made", () => {
    const path = join(folder, "key");
    const fail = () => {
      throw new Error("the power failed");
    };
    expect(() => readKeyFile(path, fail)).toThrow("the power failed");
    expect(readKeyFile(path, () => "whole")).toBe("whole\n");
  });

  it("of two starts that make a signing key file, both use the first one's key", () => {
    const path = join(folder, "key");
    const second = readKeyFile(path, () => {
      writeFileSync(path, "first\n");
      return "second";
    });
    expect(second).toBe("first\n");
    expect(readdirSync(folder)).toEqual(["key"]);
  });

  it.each([
    ["no text", ""],
    ["half a key", '{"kty":"OKP","crv":"Ed25519","d":"c2VjcmV0'],
    ["something else", '{"kty":"nothing"}'],
  ])(
    "a signing key file that holds %s is reported by path, and its content is neither replaced nor shown",
    (_what, text) => {
      const path = join(folder, "signing-key.json");
      writeFileSync(path, text);
      for (const read of [signerFromFile, resultSignerFromFile]) {
        expect(() => read(path)).toThrow(
          expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(path) }),
        );
        expect(() => read(path)).not.toThrow(/c2VjcmV0/);
      }
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );
});
