import { describe, expect, it } from "vitest";
import type { Channel, ChannelResult, Notice, NoticeFacts } from "./channel.ts";
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

function setUp(result: () => Promise<ChannelResult> = async () => ({ kind: "sent" })) {
  const happened: string[] = [];
  const notices: Notice[] = [];
  const links: LinkRequest[] = [];
  const channel: Channel = {
    kind: "fake",
    deliver: (notice) => {
      happened.push("notified");
      notices.push(notice);
      return result();
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

describe("notices", () => {
  it("a notice to a person asks for a link for this person, although the address may be somebody else's when it is made", async () => {
    const { options, links } = setUp();
    await deliver(options, { ...row, detail: { ...row.detail, person_id: "lead" } });
    expect(links).toMatchObject([{ recipient: "lead@example.com", personId: "lead" }]);
  });

  it("a notice has its own link, which is committed before the channel is called", async () => {
    const { options, happened, notices, links } = setUp();
    expect(await deliver(options)).toEqual({ kind: "sent" });
    expect(happened).toEqual(["link committed", "notified"]);
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

  it("a notice without a recipient goes to the channel's default recipients", async () => {
    const { options, notices } = setUp();
    await deliver(options, { ...row, detail: {} });
    expect(notices[0]).toMatchObject({ recipient: null, attempt: 1 });
  });

  it("preparing a notice makes no link, so that the row can be put back", async () => {
    const { options, links } = setUp();
    expect(await noticeCarrier(options).prepare(row)).toMatchObject({ kind: "ready", lane: "channel:pager" });
    expect(links).toEqual([]);
  });

  it("a notice to people who are signed in makes no link", async () => {
    const { options, notices, links } = setUp();
    const found = options.channel("default", "pager");
    const channel = () => found && { ...found, signedIn: true as const };
    expect(await deliver({ ...options, channel })).toEqual({ kind: "sent" });
    expect(links).toEqual([]);
    expect(notices[0]?.reviewUrl).toBe("https://holdpoint.example/console/holds/hold_1");
  });

  it("a notice to an unknown channel ends as no_channel", async () => {
    const { options, happened } = setUp();
    expect(await deliver(options, { ...row, endpoint: "carrier-pigeon" })).toEqual({ kind: "no_channel" });
    expect(happened).toEqual([]);
  });

  it("a notice about a hold that has ended is withdrawn", async () => {
    const { options, happened } = setUp();
    expect(await deliver({ ...options, describe: async () => null })).toEqual({ kind: "withdrawn" });
    expect(happened).toEqual([]);
  });

  it("a notice is not sent if its link could not be committed", async () => {
    const { options, happened } = setUp();
    const makeLink = () => Promise.reject(new Error("store failed"));
    await expect(deliver({ ...options, makeLink })).rejects.toThrow("store failed");
    expect(happened).toEqual([]);
  });

  it.each([
    ["the link", `550 cannot send https://holdpoint.example/review/hold_1?token=${TOKEN} here`],
    ["its token", `550 spam: ${TOKEN}`],
  ])("a failed notice does not record %s", async (_what, reason) => {
    const { options } = setUp(async () => ({ kind: "failed", reason, retry: false, status: 550 }));
    const delivery = await deliver(options);
    expect(delivery).toMatchObject({ kind: "failed", retry: false, status: 550 });
    expect(JSON.stringify(delivery)).toContain("[withheld]");
    expect(JSON.stringify(delivery)).not.toContain(TOKEN);
  });

  it("the error of a failed notice is cut to 200 characters", async () => {
    const { options } = setUp(async () => ({ kind: "failed", reason: "no ".repeat(1_000), retry: true }));
    const delivery = await deliver(options);
    expect(delivery.kind === "failed" && delivery.error.length).toBe(200);
  });

  it("a channel that throws makes the notice fail without recording its error text", async () => {
    const { options } = setUp(() => Promise.reject(new Error(`boom ${TOKEN}`)));
    expect(await deliver(options)).toEqual({ kind: "failed", error: "crashed", retry: true });
  });
});
