import { afterEach, expect, test, vi } from "vitest";
import { type Api, Refused } from "../app/api.ts";
import { agentOf, keepKeyAfter } from "./faces.ts";

afterEach(() => vi.unstubAllGlobals());

test("the playground makes another key only when the server does not know the one it has", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  let made = 0;
  const send = async () => {
    made += 1;
    return { secret: `key-${made}` };
  };
  const api = { send } as unknown as Api;
  await agentOf(api);
  for (const status of [400, 403, 409, 500]) {
    keepKeyAfter(new Refused(status, {}));
    await agentOf(api);
  }
  keepKeyAfter(new Error("offline"));
  await agentOf(api);
  expect(made).toBe(1);
  keepKeyAfter(new Refused(401, {}));
  await agentOf(api);
  expect(made).toBe(2);
});
