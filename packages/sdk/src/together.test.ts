import type { Hold, HoldClient, Outcome } from "@holdpoint/protocol/client";
import { expect, it } from "vitest";
import { firstDecided } from "./together.ts";

const at = "2026-03-01T09:30:00Z";
const expired: Outcome = { kind: "expired", at };
const decided: Outcome = {
  kind: "decided",
  action: "reject",
  data: {},
  by: { kind: "link", id: "l" },
  door: "page",
  at,
};

/** A client whose waits end when told to. */
function hands(holdIds: readonly string[]) {
  const waits = new Map(holdIds.map((id) => [id, Promise.withResolvers<Hold>()]));
  const client = { wait: (id: string) => waits.get(id)!.promise } as unknown as HoldClient;
  const end = async (id: string, outcome: Outcome) => {
    waits.get(id)!.resolve({ id, outcome } as Hold);
    await waits.get(id)!.promise;
  };
  return { client, end };
}

it("firstDecided does not return an ending without a decision while another hold is open", async () => {
  const { client, end } = hands(["a", "b", "c"]);
  const first = firstDecided(client, [{ id: "a" }, { id: "b" }, { id: "c" }], {});
  await end("a", expired);
  await end("c", decided);
  expect(await first).toMatchObject({ index: 2, outcome: { kind: "decided", holdId: "c" } });
});

it("firstDecided returns the last ending when nobody has decided", async () => {
  const { client, end } = hands(["a", "b"]);
  const first = firstDecided(client, [{ id: "a" }, { id: "b" }], {});
  await end("b", expired);
  await end("a", expired);
  expect(await first).toMatchObject({ index: 0, outcome: { kind: "expired", holdId: "a" } });
});
