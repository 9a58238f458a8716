/** Refusals of the operations about passkeys, made to happen. */

import type { Code } from "@holdpoint/protocol";
import { Authenticator } from "../../testing/authenticator.ts";
import { addPasskey, type SignedInPerson, signedInPerson } from "../../testing/signed-in.ts";
import { type TestReply, type TestServer, testServer } from "../../testing/test-server.ts";
import { as, BODIES, call, pathOf, type Recipe, scene, sending } from "./refusals.fixture.ts";

const STARTING = "/v1/passkey-challenges";
const NO_HOST_NAME = { publicUrl: "http://192.0.2.1:4100" };

/** The same call to a server that is reached by an IP address. */
export function withoutHostName(body?: object): Recipe {
  return async (_test, operation) => {
    await using other = await testServer(NO_HOST_NAME);
    return await call(other, operation, await scene(other), body === undefined ? {} : { body });
  };
}

function noHostNameFor(act: (person: SignedInPerson) => Promise<TestReply>): Recipe {
  return async () => {
    await using other = await testServer(NO_HOST_NAME);
    await scene(other);
    // Awaited here: the server is gone when this function returns.
    return await act(await signedInPerson(other, "lin"));
  };
}

/** Lin has made a passkey and has not registered it yet. */
async function madePasskey(test: TestServer) {
  const person = await signedInPerson(test, "lin");
  const device = new Authenticator();
  const { body: asked } = await person.call("POST", STARTING);
  return { person, device, body: { id: asked.id, credential: device.create(asked.public_key) } };
}

export const PASSKEY_REFUSALS: Readonly<Record<string, Partial<Record<Code, Recipe>>>> = {
  startPasskey: {
    not_allowed: async (test) => (await signedInPerson(test, "lin", "auditor")).call("POST", STARTING),
    fresh_sign_in_required: as("operator"),
    unknown_person: async (test) => (await signedInPerson(test, "nobody")).call("POST", STARTING),
    passkeys_unavailable: noHostNameFor((person) => person.call("POST", STARTING)),
  },
  addPasskey: {
    not_allowed: async (test, operation, ids) => {
      const { cookie = "" } = (await signedInPerson(test)).headers;
      const body = BODIES[operation.id];
      return test.call(operation.method, pathOf(operation, ids), { body, headers: { cookie } });
    },
    not_proven: sending({}),
    fresh_sign_in_required: async (test) => {
      const { person, body } = await madePasskey(test);
      await test.clock.advance(10 * 60_000);
      return person.call("POST", "/v1/passkeys", body);
    },
    unknown_person: async (test) => {
      const { body } = await madePasskey(test);
      return (await signedInPerson(test, "nobody")).call("POST", "/v1/passkeys", body);
    },
    already_exists: async (test) => {
      const { person, body, device } = await madePasskey(test);
      await person.call("POST", "/v1/passkeys", body);
      const { body: asked } = await person.call("POST", STARTING);
      const credential = device.create(asked.public_key);
      return person.call("POST", "/v1/passkeys", { id: asked.id, credential });
    },
    passkeys_unavailable: noHostNameFor((person) =>
      person.call("POST", "/v1/passkeys", BODIES["addPasskey"]),
    ),
  },
  listPasskeys: {
    not_allowed: (test) => test.call("GET", "/v1/passkeys?person=lin", { key: test.keys.operator }),
  },
  removePasskey: { not_allowed: as("operator") },
  listPushDevices: {
    not_allowed: (test) => test.call("GET", "/v1/push-devices?person=lin", { key: test.keys.operator }),
  },
  addPushDevice: {
    not_allowed: as("agent"),
    unknown_person: async (test) =>
      (await signedInPerson(test, "nobody")).call("POST", "/v1/push-devices", BODIES["addPushDevice"]),
    callback_refused: async (test) => {
      const device = { ...(BODIES["addPushDevice"] as object), endpoint: "http://169.254.169.254/" };
      return (await signedInPerson(test, "lin")).call("POST", "/v1/push-devices", device);
    },
  },
  removePushDevice: {
    not_allowed: (test) =>
      test.call("DELETE", "/v1/push-devices/device_1?person=lin", { key: test.keys.operator }),
  },
};

/** A case whose answer has to be confirmed with a passkey, until `expires_at`. */
async function verifiedCase(test: TestServer, expiresAt?: string): Promise<string> {
  const binding = { case_id: true, action: true, freshness_seconds: 60, single_use: true };
  const verification_policy = {
    mode: "required",
    required_for: ["browser_submit"],
    requirements: { any_of: [{ all_of: [{ proof_type: "x-webauthn" }] }] },
    binding: expiresAt === undefined ? binding : { ...binding, expires_at: expiresAt },
    fallback: { on_missing: "browser_review", on_invalid: "browser_review" },
  };
  const body = { type: "approval", prompt: "Refund 40 EUR?", verification_policy };
  const { hitl } = (await test.call("POST", "/hitl/v1/cases", { key: test.keys.agent, body })).body;
  return hitl.case_id.replace(/^review_/, "hold_");
}

export const VERIFYING: Partial<Record<Code, Recipe>> = {
  verification_required: async (test, operation, ids) =>
    call(test, operation, { ...ids, hold: await verifiedCase(test) }),
  verification_failed: async (test) => {
    const lin = await signedInPerson(test, "lin");
    const device = await addPasskey(lin);
    const id = await verifiedCase(test, new Date(test.clock.now()).toISOString());
    const { body: asked } = await lin.call("POST", `/v1/holds/${id}/challenge`, { action: "approve" });
    const passkey = { id: asked.id, credential: device.get(asked.public_key) };
    return lin.call("POST", `/v1/holds/${id}/answer`, { action: "approve", passkey });
  },
};
