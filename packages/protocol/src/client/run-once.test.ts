import { describe, expect, it, vi } from "vitest";
import { isRefusal, RetryableError, TerminalError } from "./errors.ts";
import { type ClaimClient, type OutstandingReport, runOnce, tryOnce } from "./run-once.ts";
import type { Claim, ClaimResult, Hold } from "./types.ts";

const gone = () => new RetryableError({ message: "no reply", code: "no_reply" });
const refusal = (code: string) => new TerminalError({ code, status: 409, message: code });

/** One approved hold whose server can be made deaf to reports. */
class Server implements ClaimClient {
  hold: Hold;
  runs = 0;
  lost = 0;
  readonly reports: ClaimResult[] = [];

  constructor(more: Partial<Hold> = {}) {
    this.hold = { id: "hold_1", digest: "d", status: "decided", ...more } as Hold;
  }

  get = async (): Promise<Hold> => this.hold;

  claim = async (): Promise<Claim> => {
    const { claim, uses = 1 } = this.hold;
    if (claim?.state === "unknown") throw refusal("claim_unknown");
    if (claim !== undefined && (uses === 1 || claim.state === "claimed")) throw refusal("claim_taken");
    const taken = { id: `claim_${this.runs}`, holdId: "hold_1", state: "claimed" } as Claim;
    this.hold = { ...this.hold, claim: taken };
    return taken;
  };

  finishClaim = async (_holdId: string, _claimId: string, result: ClaimResult): Promise<Claim> => {
    if (this.lost > 0) {
      this.lost -= 1;
      throw gone();
    }
    this.reports.push(result);
    const detail = result.detail as Claim["detail"];
    const state = result.ok ? "done" : "failed";
    const claim = {
      ...(this.hold.claim as Claim),
      state,
      ...(detail === undefined ? {} : { detail }),
    } as const;
    this.hold = { ...this.hold, claim };
    return claim;
  };

  work = (): { order: number } => {
    this.runs += 1;
    return { order: this.runs };
  };
}

describe("runOnce", () => {
  it("O1 runOnce claims before the work starts, and reports its result", async () => {
    const server = new Server();
    const states: (string | undefined)[] = [];
    const result = await runOnce(server, "hold_1", () => {
      states.push(server.hold.claim?.state);
      return server.work();
    });
    expect(result).toEqual({ order: 1 });
    expect(states).toEqual(["claimed"]);
    expect(server.reports).toEqual([{ ok: true, detail: { result: { order: 1 } } }]);
  });

  it("O1 runOnce does not run what somebody else has claimed, and throws the refusal", async () => {
    const server = new Server({ claim: { id: "c", state: "claimed" } as Claim });
    const error = await runOnce(server, "hold_1", server.work).catch((reason: unknown) => reason);
    expect(isRefusal(error, "claim_taken")).toBe(true);
    expect(server.runs).toBe(0);
  });

  it("O2 runOnce sends a lost success report again", async () => {
    const server = new Server();
    server.lost = 1;
    const onOutstanding = vi.fn();
    expect(await runOnce(server, "hold_1", server.work, { onOutstanding })).toEqual({ order: 1 });
    expect(onOutstanding).not.toHaveBeenCalled();
    expect(server.hold.claim?.state).toBe("done");
  });

  it("O2 runOnce returns the result although its success report stays lost, and the caller can send the report later", async () => {
    const server = new Server();
    server.lost = 2;
    const outstanding: OutstandingReport[] = [];
    const onOutstanding = (report: OutstandingReport) => void outstanding.push(report);
    expect(await runOnce(server, "hold_1", server.work, { onOutstanding })).toEqual({ order: 1 });
    expect(server.hold.claim?.state).toBe("claimed");
    expect(outstanding[0]?.error).toBeInstanceOf(RetryableError);
    await outstanding[0]?.retry();
    expect(server.reports).toEqual([{ ok: true, detail: { result: { order: 1 } } }]);
  });

  it("O2 runOnce warns about an outstanding report when nobody listens for it", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      const server = new Server();
      server.lost = 2;
      await runOnce(server, server.hold, server.work);
      expect(warned.mock.calls.join()).toContain("the work of hold_1 ran, but its report is outstanding");
    } finally {
      warned.mockRestore();
    }
  });

  it("O2 runOnce reports work as done although its result cannot be recorded", async () => {
    const server = new Server();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(await runOnce(server, "hold_1", () => cyclic)).toBe(cyclic);
    expect(server.reports).toEqual([{ ok: true, detail: { result_unrecorded: true } }]);
  });

  it("O3 runOnce returns the recorded result to a repeat, and runs nothing", async () => {
    const server = new Server();
    const before = server.hold;
    await runOnce(server, "hold_1", server.work);
    expect(await runOnce(server, "hold_1", server.work)).toEqual({ order: 1 });
    // The same with a hold that was read before the work ran.
    expect(await runOnce(server, before, server.work)).toEqual({ order: 1 });
    expect(server.runs).toBe(1);
  });

  it("O3 runOnce returns undefined to a repeat of work that returned nothing", async () => {
    const server = new Server();
    await runOnce(server, "hold_1", () => undefined);
    expect(await runOnce(server, "hold_1", () => undefined)).toBeUndefined();
  });

  it("O3 runOnce tells a repeat that the result was too large to record", async () => {
    const server = new Server();
    const large = () => "x".repeat(300_000);
    await runOnce(server, "hold_1", large);
    await expect(runOnce(server, "hold_1", large)).rejects.toThrow(/had 300002 characters .* small/s);
  });

  it("O3 a result that is no JSON is told as such to a repeat, never as `undefined`", async () => {
    const server = new Server();
    const circular: { self?: object } = {};
    circular.self = circular;
    expect(await runOnce(server, "hold_1", () => circular)).toBe(circular);
    const repeated = runOnce(server, "hold_1", () => circular);
    await expect(repeated).rejects.toMatchObject({ code: "result_not_recorded" });
    await expect(repeated).rejects.toThrow(
      "could not be written as JSON. Return something small that is JSON",
    );
  });

  it("O3 runOnce runs an approval for several uses again", async () => {
    const server = new Server({ uses: 2 });
    await runOnce(server, "hold_1", server.work);
    expect(await runOnce(server, "hold_1", server.work)).toEqual({ order: 2 });
  });

  it("O4 runOnce reports a failure without its reason, and throws the work's own error", async () => {
    const server = new Server();
    const error = new Error("password=hunter2");
    await expect(runOnce(server, "hold_1", () => Promise.reject(error))).rejects.toBe(error);
    expect(server.reports).toEqual([{ ok: false }]);
  });

  it("O4 runOnce reports work that throws before it returns a promise", async () => {
    const server = new Server();
    const error = new Error("at once");
    const work = (): Promise<number> => {
      throw error;
    };
    await expect(runOnce(server, "hold_1", work)).rejects.toBe(error);
    expect(server.hold.claim?.state).toBe("failed");
  });

  it("O4 runOnce throws the work's error although the failure report is lost", async () => {
    const server = new Server();
    server.lost = 9;
    const error = new Error("the real one");
    await expect(runOnce(server, "hold_1", () => Promise.reject(error))).rejects.toBe(error);
  });

  it("O4 runOnce treats an error of the work that looks like a refused claim as the work's own", async () => {
    const server = new Server();
    const error = refusal("claim_taken");
    expect(await tryOnce(server, "hold_1", () => Promise.reject(error))).toEqual({ kind: "failed", error });
  });

  it("returns the known claim with the refusal of an execution", async () => {
    const server = new Server({ claim: { id: "c", state: "unknown" } as Claim });
    const attempt = await tryOnce(server, "hold_1", server.work);
    expect(attempt).toMatchObject({
      kind: "refused",
      refusal: { code: "claim_unknown" },
      claim: { id: "c" },
    });
  });

  it("throws when the server cannot be reached, and runs nothing", async () => {
    const server = new Server();
    const claim = () => Promise.reject(gone());
    await expect(runOnce({ ...server, claim }, server.hold, server.work)).rejects.toBeInstanceOf(
      RetryableError,
    );
    expect(server.runs).toBe(0);
  });

  const editedHold = (): Partial<Hold> => ({
    type: "approval",
    outcome: {
      kind: "decided",
      action: "approve",
      data: { edited_args: { cents: 5 } },
    } as unknown as Hold["outcome"] & {},
  });

  it.each(["the hold's id", "the hold", "the hold as it was before the decision"])(
    "G14 O5 given %s, runOnce claims and runs nothing after an approval with changed arguments that the work does not take",
    async (given) => {
      const server = new Server(editedHold());
      const { outcome: _outcome, ...before } = server.hold;
      const hold =
        given === "the hold's id" ? "hold_1" : given === "the hold" ? server.hold : (before as Hold);
      const error = await runOnce(server, hold, (_claim) => server.work()).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "edited_args", holdId: "hold_1" });
      expect(await tryOnce(server, hold, server.work)).toMatchObject({
        kind: "refused",
        refusal: { code: "edited_args" },
      });
      expect([server.runs, server.hold.claim]).toEqual([0, undefined]);
    },
  );

  const granted = (type: string, context: object, action: string, data: object): Partial<Hold> =>
    ({ type, context, outcome: { kind: "decided", action, data } }) as unknown as Partial<Hold>;

  it.each([
    ["approval", {}, "approve", { edits: { cents: 5 } }],
    ["escalation", { params: { cents: 80 } }, "retry", { modified_params: { cents: 5 } }],
    ["confirmation", { items: [{ id: "a" }, { id: "b" }] }, "confirm", { confirmed_items: ["a"] }],
    ["confirmation", { items: [{ id: "a" }, { id: "b" }] }, "confirm", { confirmed_items: [] }],
  ])(
    "G14 O5 work that takes no changes does not run after an %s of %j was granted by %s with %j",
    async (type, context, action, data) => {
      const server = new Server(granted(type, context, action, data));
      const [member = ""] = Object.keys(data);
      const error = await runOnce(server, "hold_1", server.work).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "edited_args", message: expect.stringContaining(member) });
      expect([server.runs, server.hold.claim]).toEqual([0, undefined]);
      expect(await runOnce(server, "hold_1", server.work, { takesEdits: true })).toEqual({ order: 1 });
    },
  );

  it("G14 O5 work that takes changed arguments under one name does not run when they came under another", async () => {
    const server = new Server(granted("approval", {}, "approve", { edited_args: {}, edits: { cents: 5 } }));
    const attempt = await tryOnce(server, "hold_1", server.work, { takesEdits: ["edited_args"] });
    expect(attempt).toMatchObject({ kind: "refused", refusal: { code: "edited_args" } });
    expect(server.runs).toBe(0);
  });

  it("O5 runOnce runs work whose author says that it takes the changed arguments", async () => {
    const server = new Server(editedHold());
    expect(await runOnce(server, "hold_1", server.work, { takesEdits: true })).toEqual({ order: 1 });
  });
});
