import { describe, expect, it } from "vitest";
import type { Channel, Notice, NoticeFacts, Told } from "./channel.ts";
import type { Delivery } from "./delivery.ts";
import { type LinkRequest, type NoticeOptions, noticeCarrier } from "./notices.ts";
import { outboxRow, START } from "./rows.fake.ts";

const TOKEN = "Zb4nX9qLw2Rt7KvYc1Md6Hs8Pf3";
const row = outboxRow({ kind: "notice", endpoint: "pager", detail: { attempt: 3, to: "lead@example.com" } });
const facts: NoticeFacts = {
  holdId: "hold_1",
  type: "approval",
  prompt: "Go?",
  askedBy: "refunder",
  expiresAt: START + 1_000,
};

function setUp(told: () => Promise<Told> = async () => ({ kind: "sent" })) {
  const happened: string[] = [];
  const notices: Notice[] = [];
  const links: LinkRequest[] = [];
  const channel: Channel = {
    kind: "fake",
    deliver: (notice) => {
      happened.push("told");
      notices.push(notice);
      return told();
    },
  };
  const options: NoticeOptions = {
    channel: (_workspace, name) => (name === "pager" ? channel : undefined),
    describe: async () => facts,
    async makeLink(request) {
      links.push(request);
      await Promise.resolve();
      happened.push("link committed");
      return `https://holdpoint.example/review/hold_1?token=${TOKEN}`;
    },
    consoleUrl: (holdId) => `https://holdpoint.example/console/holds/${holdId}`,
  };
  return { options, happened, notices, links };
}

async function deliver(options: NoticeOptions, given = row): Promise<Delivery> {
  const prepared = await noticeCarrier(options).prepare(given);
  return prepared.kind === "ready" ? prepared.send(new AbortController().signal) : prepared;
}

describe("a notice", () => {
  it("carries its own link, which is committed before anybody is told", async () => {
    const { options, happened, notices, links } = setUp();
    expect(await deliver(options)).toEqual({ kind: "sent" });
    expect(happened).toEqual(["link committed", "told"]);
    expect(links).toEqual([
      { workspace: "default", holdId: "hold_1", recipient: "lead@example.com", channel: "pager", attempt: 3 },
    ]);
    expect(notices).toEqual([
      {
        ...facts,
        id: "msg_1",
        workspace: "default",
        attempt: 3,
        recipient: "lead@example.com",
        reviewUrl: `https://holdpoint.example/review/hold_1?token=${TOKEN}`,
      },
    ]);
  });

  it("goes to the channel's own people when the row names nobody", async () => {
    const { options, notices } = setUp();
    await deliver(options, { ...row, detail: {} });
    expect(notices[0]).toMatchObject({ recipient: null, attempt: 1 });
  });

  it("makes no link while it is only being prepared, so that it can be put back", async () => {
    const { options, links } = setUp();
    expect(await noticeCarrier(options).prepare(row)).toMatchObject({ kind: "ready", lane: "channel:pager" });
    expect(links).toEqual([]);
  });

  it("makes no link at all for people who have signed in", async () => {
    const { options, notices, links } = setUp();
    const found = options.channel("default", "pager");
    const channel = () => found && { ...found, signedIn: true as const };
    expect(await deliver({ ...options, channel })).toEqual({ kind: "sent" });
    expect(links).toEqual([]);
    expect(notices[0]?.reviewUrl).toBe("https://holdpoint.example/console/holds/hold_1");
  });

  it("to an unknown channel is no_channel", async () => {
    const { options, happened } = setUp();
    expect(await deliver(options, { ...row, endpoint: "carrier-pigeon" })).toEqual({ kind: "no_channel" });
    expect(happened).toEqual([]);
  });

  it("that has nothing to tell any more is withdrawn", async () => {
    const { options, happened } = setUp();
    expect(await deliver({ ...options, describe: async () => null })).toEqual({ kind: "withdrawn" });
    expect(happened).toEqual([]);
  });

  it("tells nobody when its link could not be committed", async () => {
    const { options, happened } = setUp();
    const makeLink = () => Promise.reject(new Error("store failed"));
    await expect(deliver({ ...options, makeLink })).rejects.toThrow("store failed");
    expect(happened).toEqual([]);
  });

  it.each([
    ["the link", `550 cannot send https://holdpoint.example/review/hold_1?token=${TOKEN} here`],
    ["its token", `550 spam: ${TOKEN}`],
  ])("that fails keeps %s out of the record", async (_what, reason) => {
    const { options } = setUp(async () => ({ kind: "failed", reason, retry: false, status: 550 }));
    const delivery = await deliver(options);
    expect(delivery).toMatchObject({ kind: "failed", retry: false, status: 550 });
    expect(JSON.stringify(delivery)).toContain("[withheld]");
    expect(JSON.stringify(delivery)).not.toContain(TOKEN);
  });

  it("that fails at length is recorded in brief", async () => {
    const { options } = setUp(async () => ({ kind: "failed", reason: "no ".repeat(1_000), retry: true }));
    const delivery = await deliver(options);
    expect(delivery.kind === "failed" && delivery.error.length).toBe(200);
  });

  it("survives a channel that throws, without keeping its words", async () => {
    const { options } = setUp(() => Promise.reject(new Error(`boom ${TOKEN}`)));
    expect(await deliver(options)).toEqual({ kind: "failed", error: "crashed", retry: true });
  });
});
