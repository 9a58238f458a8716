/** What goes wrong on a first day, against a real server: each is a typed error that says what to do. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, type Serving, serve } from "holdpoint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { Holdpoint, isRefusal, isRetryableError, isTerminalError } from "./index.ts";

const KEYS = "agent-key=agent:refunder,admin-key=admin:ada";
let home: string;
let serving: Serving;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "holdpoint-bad-input-"));
  const env = { HOLDPOINT_HOME: home, HOLDPOINT_PORT: "0", HOLDPOINT_API_KEYS: KEYS };
  serving = await serve(readConfig(env, home), env, () => undefined);
});

afterAll(async () => {
  await serving.close();
  rmSync(home, { recursive: true, force: true });
});

function connected(apiKey: string, url = serving.address): Holdpoint {
  return new Holdpoint({ url, apiKey, retry: { attemptsMax: 1 } });
}

async function thrownBy(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => Promise.reject(new Error("nothing was thrown")),
    (error: Error) => error,
  );
}

describe("a beginner's mistake", () => {
  it("an option that does not exist is named, with those that do", () => {
    const make = () => new Holdpoint({ uri: "http://localhost:4100" } as never);
    expect(make).toThrow(/there is no option uri\. Use one of: url, apiKey/);
    expect(() => make()).toThrow(expect.objectContaining({ name: "TerminalError", code: "misconfigured" }));
  });

  it("an option of `retry` that does not exist is named too, and so is an address given instead of options", () => {
    expect(() => new Holdpoint({ retry: { attempts: 3 } } as never)).toThrow(
      /there is no retry option attempts\. Use one of: attemptsMax/,
    );
    expect(() => new Holdpoint("http://localhost:4100" as never)).toThrow(/there is no option 0, 1.*: url/);
    expect(() => new Holdpoint({ client: undefined } as never)).toThrow(/there is no option client/);
  });

  it("an option of waiting that does not exist is named, instead of waiting for ever", async () => {
    const hp = connected("agent-key");
    const place = { type: "approval", prompt: "?" } as const;
    const handle = await hp.place(place);
    for (const call of [
      () => handle.wait({ timeout: "1m" } as never),
      () => hp.ask(place, { timeoutMs: 1 } as never),
    ]) {
      const error = await thrownBy(call());
      expect(error).toMatchObject({ name: "TerminalError", code: "misconfigured" });
      expect(error.message).toMatch(/there is no option timeout(Ms)?\. Use one of: waitMs, signal/);
    }
  });

  it("a type that does not exist, or none, is answered with those that do", async () => {
    for (const place of [{ type: "aproval", prompt: "?" }, { prompt: "?" }]) {
      const error = await thrownBy(connected("agent-key").place(place as never));
      expect(error).toMatchObject({ name: "TerminalError", code: "invalid_body" });
      expect(error.message).toMatch(/\/type: Use approval, .+, or a type of your own that begins with x-/);
    }
  });

  it("a wrong key is told apart from other refusals, and the error says where keys come from", async () => {
    const error = await thrownBy(connected("hp_wrong").get("hold_1"));
    expect(isRefusal(error, "unauthenticated")).toBe(true);
    expect(error.message).toContain("Check the key: the variable HOLDPOINT_API_KEY, or the option `apiKey`");
  });

  it("an invalid address is reported before anything is sent", async () => {
    const error = await thrownBy(connected("agent-key", "localhost:4100").get("hold_1"));
    expect(isTerminalError(error)).toBe(true);
    expect(error.message).toContain("is no http address. Give one such as http://127.0.0.1:4100");
  });

  it("the address of another server than Holdpoint is reported", async () => {
    const other = createServer((_request, reply) => reply.writeHead(404).end("<h1>Not found</h1>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const error = await thrownBy(connected("agent-key", `http://127.0.0.1:${port}`).get("hold_1"));
    other.close();
    expect(error).toMatchObject({ name: "TerminalError", code: "invalid_reply" });
    expect(error.message).toContain("does not come from a Holdpoint server. Check the server's address");
  });

  it("an unreachable server gives an error that says so and can be retried", async () => {
    const error = await thrownBy(connected("agent-key", "http://127.0.0.1:9").get("hold_1"));
    expect(isRetryableError(error)).toBe(true);
    expect(error.message).toContain("cannot reach http://127.0.0.1:9: is the server running?");
  });

  it("an erased answer gives an error with the outcome that is left and what to do", async () => {
    const hp = connected("agent-key");
    const question = {
      type: "input",
      prompt: "How much?",
      responseSchema: z.object({ amount: z.number() }),
    } as const;
    const placed = await hp.place({ ...question, key: "budget:1" });
    await connected("admin-key").answer(placed.id, { action: "submit", data: { amount: 80 } });
    const headers = { authorization: "Bearer admin-key", "content-type": "application/json" };
    await fetch(`${serving.address}/v1/holds/${placed.id}/erase`, { method: "POST", headers, body: "{}" });
    const error = await thrownBy(hp.hold(placed.id, question).outcome());
    expect(isTerminalError(error)).toBe(true);
    expect(error).toMatchObject({ code: "erased", holdId: placed.id, outcome: { kind: "decided" } });
    expect(error.message).toContain("Ask again under another key.");
  });

  it("what names no hold is refused before anything is sent", () => {
    const hp = connected("agent-key");
    for (const saved of [undefined, null, {}, "", "{}"]) {
      expect(() => hp.hold(saved as never)).toThrow("This names no hold: give the id of a hold");
    }
  });

  it("a schema that cannot be converted to JSON Schema is named, with what to do", async () => {
    const asked = connected("agent-key").input(z.object({ on: z.date() }), { prompt: "When?" });
    const error = await thrownBy(asked);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(
      "zod cannot convert this schema to JSON Schema (Error: Date cannot be represented",
    );
  });

  it("a question that cannot be shown names the first thing to change", async () => {
    const error = await thrownBy(connected("agent-key").choose("Which?", []));
    expect(error).toMatchObject({ name: "TerminalError", code: "invalid_ask" });
    expect(error.message).toContain("/options: a selection needs at least one option");
  });

  it("a question with a mistake names the field", async () => {
    const error = await thrownBy(
      connected("agent-key").place({ type: "approval", prompt: "?", timeout: "soon" }),
    );
    expect(error).toMatchObject({ name: "TerminalError", fields: [{ key: "/timeout" }] });
  });
});
