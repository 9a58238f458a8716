/**
 * Everything that the OpenIntent Python client 0.17.0 sent to a server, in both of its forms, and the replies that it could parse. The
 * same requests get the same replies now: whoever changes one has to record the client again.
 */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "../../packages/server/src/testing/test-server.ts";
import { comparable, type Exchange, Ids, type Reply } from "./recording.ts";

const { exchanges } = JSON.parse(
  readFileSync(new URL("./openintent-recording.json", import.meta.url), "utf8"),
) as { readonly exchanges: readonly Exchange[] };

const replies: Reply[] = [];

beforeAll(async () => {
  await using server = await testServer({ publicUrl: "http://127.0.0.1:4977" });
  const ids = new Ids();
  for (const { key, method, path, ifMatch, body, reply } of exchanges) {
    const { status, body: got } = await server.call(method, ids.in(path), {
      headers: {
        "x-api-key": server.keys[key],
        "x-agent-id": key === "agent" ? "refunder" : "ada",
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      },
      ...(body === undefined ? {} : { body: ids.in(body) }),
    });
    const now = got === "" ? null : got;
    ids.learn(reply, now);
    replies.push({ status, body: now });
    // Lists are ordered by time, and the client's requests came one after the other.
    await server.clock.advance(10);
  }
});

describe("the recorded requests of the OpenIntent Python client", () => {
  test.each(exchanges.map((exchange, at) => ({ ...exchange, at })))(
    "$call: $method $path gets the reply that the client parsed [openintent 0.17.0, recorded]",
    ({ at, status, reply }) => {
      expect(replies[at]?.status).toBe(status);
      expect(comparable(replies[at]?.body ?? null)).toEqual(comparable(reply));
    },
  );

  test.each([
    ["finding 8", "set_status", 403],
    ["finding 10", "request_approval", 200],
    ["finding 10", "create_vault", 501],
    ["finding 11", "create_plan", 200],
    ["finding 14", "get_leases", 200],
  ])("%s: the recording has %s with the reply %i [openintent 0.17.0, recorded]", (_finding, name, status) => {
    expect(exchanges.some((each) => each.call === name && each.status === status)).toBe(true);
  });
});
