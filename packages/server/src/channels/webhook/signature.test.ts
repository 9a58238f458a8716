import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerSafeId, readSecret, type Signing, signedHeaders, writeSecret } from "./signature.ts";

/** A receiver implemented from the Standard Webhooks specification, without the sender's code. */
function isGenuine(headers: Readonly<Record<string, string>>, body: string, secret: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const mac = createHmac("sha256", key);
  mac.update(Buffer.from(headers["webhook-id"] ?? "", "utf8")).update(".");
  mac.update(headers["webhook-timestamp"] ?? "").update(".");
  mac.update(Buffer.from(body, "utf8"));
  const expected = mac.digest("base64");
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => signature === `v1,${expected}`);
}

function standard(...secrets: string[]): readonly Signing[] {
  return [{ kind: "standard", secrets }];
}

/** HMAC pads a short key with zeros, so keys that differ only in trailing zeros are equal. */
function padded(key: Uint8Array): Buffer {
  return Buffer.concat([key, Buffer.alloc(64 - key.length)]);
}

const keys = fc.uint8Array({ minLength: 24, maxLength: 64 });
const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const sentAts = fc.integer({ min: 0, max: 4_102_444_800_000 });
const bodies = fc.string({ unit: "binary", maxLength: 300 });

describe("Standard Webhooks signatures", () => {
  it("Standard Webhooks signatures match the published example", () => {
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      sentAt: 1_614_265_330_999,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(message, standard("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("a signature is accepted by a receiver with any of the secrets, and by no other", () => {
    fc.assert(
      fc.property(ids, sentAts, bodies, keys, keys, keys, (id, sentAt, body, oldKey, newKey, strange) => {
        fc.pre(![oldKey, newKey].some((key) => padded(key).equals(padded(strange))));
        const headers = signedHeaders(
          { id, sentAt, body },
          standard(writeSecret(newKey), writeSecret(oldKey)),
        );
        if (!headers) throw new Error("not signed");
        expect(isGenuine(headers, body, writeSecret(oldKey))).toBe(true);
        expect(isGenuine(headers, body, writeSecret(newKey))).toBe(true);
        expect(isGenuine(headers, body, writeSecret(strange))).toBe(false);
      }),
    );
  });

  it("a signature is invalid if the id, the time or the body is changed", () => {
    fc.assert(
      fc.property(ids, sentAts, bodies, keys, (id, sentAt, body, key) => {
        const secret = writeSecret(key);
        const headers = signedHeaders({ id, sentAt, body }, standard(secret)) ?? {};
        const later = String(Number(headers["webhook-timestamp"]) + 1);
        expect(isGenuine(headers, `${body} `, secret)).toBe(false);
        expect(isGenuine({ ...headers, "webhook-timestamp": later }, body, secret)).toBe(false);
        expect(isGenuine({ ...headers, "webhook-id": `${id}x` }, body, secret)).toBe(false);
      }),
    );
  });

  it("signing fails if one secret is invalid or there is none", () => {
    const message = { id: "msg_1", sentAt: 0, body: "{}" };
    const good = writeSecret(Buffer.alloc(32, 1));
    expect(signedHeaders(message, standard(good, "hunter2"))).toBeNull();
    expect(signedHeaders(message, standard())).toBeNull();
  });
});

describe("webhook secrets", () => {
  it("a webhook secret reads back as written", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(readSecret(writeSecret(key))?.equals(key)).toBe(true);
      }),
    );
  });

  it.each([
    ["no prefix", Buffer.alloc(32).toString("base64")],
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["not base64", `whsec_${"*".repeat(44)}`],
    ["base64 with a space in it", `whsec_${Buffer.alloc(32).toString("base64").replace("A", "A ")}`],
    ["an empty text", ""],
  ])("%s is not a webhook secret", (_why, secret) => {
    expect(readSecret(secret)).toBeNull();
  });

  it("a webhook secret may omit the base64 padding", () => {
    const written = writeSecret(Buffer.alloc(32, 9));
    expect(readSecret(written.replace(/=+$/, ""))?.equals(Buffer.alloc(32, 9))).toBe(true);
  });
});

describe("HITL signatures", () => {
  it("a HITL signature is the hexadecimal HMAC of the body alone, so it is the same for all tries", () => {
    const body = '{"event":"review.completed"}';
    const sign: readonly Signing[] = [{ kind: "hitl", secret: "shared" }];
    const first = signedHeaders({ id: "msg_1", sentAt: 0, body }, sign);
    const second = signedHeaders({ id: "msg_1", sentAt: 60_000, body }, sign);
    expect(first?.["x-hitl-signature"]).toBe(
      `sha256=${createHmac("sha256", "shared").update(body).digest("hex")}`,
    );
    expect(second?.["x-hitl-signature"]).toBe(first?.["x-hitl-signature"]);
    expect(second?.["x-hitl-delivery"]).toBe("msg_1");
    expect(first).not.toHaveProperty("webhook-signature");
  });
});

describe("message ids", () => {
  it("a message id of letters, digits, hyphens and underscores stays as it is", () => {
    expect(headerSafeId("msg_Ab-9")).toBe("msg_Ab-9");
  });

  it.each(["a.b", "a b", "ä", "a\r\nx: y", "", "x".repeat(129)])(
    "the message id %j becomes a digest, always the same",
    (id) => {
      expect(headerSafeId(id)).toMatch(/^msg_[\w-]{32}$/);
      expect(headerSafeId(id)).toBe(headerSafeId(id));
      expect(headerSafeId(id)).not.toBe(headerSafeId(`${id}.`));
    },
  );
});
