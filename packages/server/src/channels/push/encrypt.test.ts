import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
import { encryptFor, PLAIN_BYTES_MAX } from "./encrypt.ts";
import { newPushKey, vapidHeader } from "./vapid.ts";

test("a message is encrypted as the example of RFC 8291, appendix A", () => {
  const encrypted = encryptFor(
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    Buffer.from("When I grow up, I want to be a watermelon"),
    {
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
      privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
    },
  );
  expect(encrypted.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("every message has a key and a salt of its own", () => {
  const browser = createECDH("prime256v1");
  const device = { p256dh: browser.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
  const plain = Buffer.alloc(PLAIN_BYTES_MAX, "a");
  const [one, other] = [encryptFor(device, plain), encryptFor(device, plain)];
  expect(one.subarray(0, 16)).not.toEqual(other.subarray(0, 16));
  expect(one.subarray(21, 86)).not.toEqual(other.subarray(21, 86));
  expect(one.length).toBe(86 + 4_096);
});

test("the server's token names the push service, ends within a day and is signed by its key", () => {
  const key = newPushKey();
  const header = vapidHeader(key, "https://push.example/send/abc", "https://holdpoint.example", 1_000_000);
  const [, token = "", shown] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  expect(shown).toBe(key.publicKey);
  const [head = "", claims = "", signature = ""] = token.split(".");
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    aud: "https://push.example",
    exp: 1_000 + 12 * 3_600,
    sub: "https://holdpoint.example",
  });
  const point = Buffer.from(key.publicKey, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33), y: point.subarray(33) };
  const publicKey = createPublicKey({
    format: "jwk",
    key: { ...jwk, x: jwk.x.toString("base64url"), y: jwk.y.toString("base64url") },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const how = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", signed, how, Buffer.from(signature, "base64url"))).toBe(true);
  expect(verify("sha256", Buffer.from(`${head}.x`), how, Buffer.from(signature, "base64url"))).toBe(false);
});
