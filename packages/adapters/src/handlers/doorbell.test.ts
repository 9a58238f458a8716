/** Which messages a doorbell accepts; real servers and web frameworks ring it in `e2e/frameworks/doorbell.test.ts`. */

import { testServer } from "holdpoint/testing";
import { expect, it } from "vitest";
import { clientOf } from "../testing/client-of.ts";
import { doorbell } from "./index.ts";

it("a message about another agent's hold is accepted and moves nothing, so that the server does not send it again", async () => {
  await using test = await testServer();
  const { id } = await clientOf(test, "otherAgent").place({
    type: "approval",
    prompt: "?",
    threadId: "run-1",
  });
  const errors: unknown[] = [];
  const asked: string[] = [];
  const ring = doorbell({
    holdpoint: clientOf(test, "agent"),
    read: async () => ({ holdId: id }),
    run: (key) => {
      asked.push(key);
      return null;
    },
    onError: (error) => errors.push(error),
  });
  expect((await ring(new Request("http://app/holdpoint", { method: "POST" }))).status).toBe(204);
  expect({ errors, asked }).toEqual({ errors: [], asked: [] });
});
