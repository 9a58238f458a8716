import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { emptyMemory, type MemoryData } from "../../store/memory/data.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { direct, eventsOf, labelsOf, telegramStage } from "../../testing/chat/stage.ts";

describe("several servers and restarts", () => {
  const memory = (data: MemoryData) => new MemoryStore({ indexes: TABLE, data });

  test("a press while no server runs is taken by the next one", async () => {
    const data = emptyMemory();
    const first = await telegramStage({ store: memory(data) });
    const id = await first.place();
    const message = await first.nth(1);
    await first.at.server.stop();
    const query = first.fake.press(first.ada, message, "Approve");
    await using second = await telegramStage({ store: memory(data), beside: first });
    expect((await second.fake.answered(query)).text).toBe("Approved.");
    expect(await second.closed(message)).toContain("Approved by Ada Lovelace.");
    expect(await second.hold(id)).toMatchObject({ status: "decided" });
    await first.fake[Symbol.asyncDispose]();
  });

  test("of two servers with one bot one listens, and the other takes over when its lease ends", async () => {
    const data = emptyMemory();
    const first = await telegramStage({ store: memory(data) });
    await first.fake.until(() => first.fake.updates.isPolled);
    await using second = await telegramStage({ store: memory(data), beside: first });
    await first.at.clock.advance(60_000);
    const states = () => [first, second].map(({ at }) => at.server.chats.states()[0]?.listener);
    await expect.poll(states).toEqual(["connected", "standby"]);
    await first.at.server.chats.stop();
    await first.at.clock.advance(5_000);
    await first.fake.until(() => first.fake.updates.isPolled);
    const id = await second.place();
    await second.press(second.ada, await second.nth(1), "Approve");
    expect(await second.hold(id)).toMatchObject({ status: "decided" });
    await first.at.server.stop();
    await first.fake[Symbol.asyncDispose]();
  });
});

describe("linking an account", () => {
  test("works with a one-time code that a person sends to the bot, once", async () => {
    await using stage = await telegramStage();
    const { at, fake, stranger } = stage;
    await at.call("POST", "/v1/people", {
      key: at.keys.admin,
      body: { id: "root", name: "Root", role: "admin" },
    });
    const made = await at.call("POST", "/v1/people/root/account_codes", { key: at.keys.admin, body: {} });
    expect(made.status).toBe(201);
    expect(made.body.links).toEqual([
      {
        channel: "telegram",
        platform: "telegram",
        url: `https://t.me/${fake.bot.username}?start=${made.body.code}`,
      },
    ]);
    fake.startBot(stranger, made.body.code);
    expect((await direct(stage, stranger)).text).toContain("You are linked as Root.");
    fake.startBot(stage.grace, made.body.code);
    expect((await direct(stage, stage.grace)).text).toContain("unknown, used or older");
    await stage.place();
    expect(await stage.press(stranger, await stage.nth(1), "Approve")).toBe("Approved.");
  });

  test("a stranger who writes faster than Telegram lets the bot reply does not keep others waiting (G13)", async () => {
    await using stage = await telegramStage();
    const { fake, stranger } = stage;
    const id = await stage.place();
    const message = await stage.nth(1);
    const chat = fake.privateChat(stranger);
    const reply = { status: 429, body: { ok: false, error_code: 429, parameters: { retry_after: 60 } } };
    fake.fail("sendMessage", { kind: "reply", reply }, 2);
    fake.write(stranger, chat, "hello");
    fake.write(stranger, chat, "hello?");
    expect(await stage.press(stage.ada, message, "Approve")).toBe("Approved.");
    expect((await stage.hold(id))["status"]).toBe("decided");
  });

  test("a stranger gets only so many explanations in a minute, and is answered again later", async () => {
    await using stage = await telegramStage();
    const { fake, stranger, at } = stage;
    const chat = fake.privateChat(stranger);
    const message = await stage.place().then(() => stage.nth(1));
    for (let n = 0; n < 15; n += 1) fake.write(stranger, chat, `hello ${n}`);
    expect(await stage.press(stage.ada, message, "Approve")).toBe("Approved.");
    expect(fake.fromBot(chat)).toHaveLength(10);
    await at.clock.advance(60_000);
    fake.write(stranger, chat, "hello again");
    expect((await direct(stage, stranger, 11)).text).toContain("link this account");
  });

  test("a message without a code gets a short explanation", async () => {
    await using stage = await telegramStage();
    stage.fake.startBot(stage.stranger);
    expect((await direct(stage, stage.stranger)).text).toContain("link this account");
  });
});

describe("people who cannot be reached", () => {
  test("a rung whose every delivery failed advances at once, and the hold says that nobody has been reached", async () => {
    await using stage = await telegramStage();
    const ladder = [
      { after: "0s", channel: "telegram", to: "person:grace" },
      { after: "2h", channel: "telegram" },
    ];
    stage.fake.block(stage.grace);
    const id = await stage.place({ ladder });
    const message = await stage.nth(1);
    expect(labelsOf(message)).toContain("Approve");
    const types = (await eventsOf(stage, id)).map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(["hold.placed", "hold.delivery_failed", "hold.escalated"]);
  });

  test("the native API shows since when nobody has been reached", async () => {
    await using stage = await telegramStage();
    stage.fake.block(stage.grace);
    const id = await stage.place({ ladder: [{ after: "0s", channel: "telegram", to: "person:grace" }] });
    await stage.fake.until(() => stage.fake.callsOf("sendMessage").length === 1);
    await stage.at.server.sender.idle();
    expect(await stage.hold(id)).toMatchObject({ nobody_reached_since: "2026-01-05T10:00:00.000Z" });
  });
});
