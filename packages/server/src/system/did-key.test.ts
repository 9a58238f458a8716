import { expect, it } from "vitest";
import { didKeyOf } from "./did-key.ts";
import { newSigner } from "./signing.ts";

it("a did:key contains the public key itself", () => {
  // A test vector of the did:key specification.
  const hex = "2e6fcce36701dc791488e0d0b1745cc1e33a4c1c9fcc41c63bd343dbbe0970e6";
  const x = Buffer.from(hex, "hex").toString("base64url");
  expect(didKeyOf({ kty: "OKP", crv: "Ed25519", x })).toBe(
    "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
  );
});

it("every Ed25519 key gets a unique did:key of the same form", () => {
  const names = Array.from({ length: 20 }, () => didKeyOf(newSigner().publicJwk));
  for (const name of names) expect(name).toMatch(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/);
  expect(new Set(names).size).toBe(20);
});
