/** The kit on a page, with a real server behind it. */

import { fromWire } from "@holdpoint/protocol/client";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { type TestServer, testServer } from "holdpoint/testing";
import { type ReactNode, StrictMode, useState } from "react";
import { describe, expect, it } from "vitest";
import { type AnswerReply, HoldCard, HoldpointProvider, HoldReview, Inbox, useHold } from "../index.ts";
import { mint, place, servedBy } from "./app.fixture.ts";
import { browserClient, type PageClient, type TokenSource } from "./browser-client.ts";
import { openPage } from "./page.fixture.ts";

function clientOf(test: TestServer, token: TokenSource): PageClient {
  const send = async (input: string, init: RequestInit) =>
    test.server.app.request(input.replace("http://test", ""), init);
  return browserClient("http://test", () => token, send);
}

async function started() {
  const test = await testServer();
  const client = clientOf(test, await mint(test));
  return { test, client, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe("the inbox on a page", () => {
  it("shows open questions and new ones, and sends the answer of the app's user", async () => {
    await using world = await started();
    await using page = await openPage();
    const { test, client } = world;
    await page.render(
      <StrictMode>
        <HoldpointProvider client={client}>
          <Inbox className="mine" />
        </HoldpointProvider>
      </StrictMode>,
    );
    await page.says("Nothing is waiting for you");
    expect(page.body.querySelector(".hp-inbox.mine")).not.toBeNull();
    const hold = await place(test);
    await page.says("Refund 40 EUR?");
    await page.press("Refund 40 EUR?");
    await page.says("asks for your approval");
    expect(page.button("Refund 40 EUR?").getAttribute("aria-current")).toBe("true");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Question");
    await page.press("Approve");
    await page.says("Nothing is waiting for you");
    await page.until(() => page.body.querySelector('[aria-label="How it ended"]') !== null);
    const { body } = await test.call("GET", `/v1/holds/${hold.id}`, { key: test.keys.app });
    expect(body.outcome).toMatchObject({
      action: "approve",
      shown: hold.digest,
      by: { kind: "app", claimed: { id: "u_1" } },
    });
    await page.press("Back to the list");
    await page.forgets("How it ended");
    expect(page.body.querySelector(".hp-inbox-look")).toBeNull();
  });

  it("shows how many have agreed, and moves on when somebody else votes", async () => {
    await using test = await testServer();
    await using page = await openPage();
    const { operator, otherOperator, admin, agent } = test.keys;
    for (const id of ["ada", "grace"])
      await test.call("POST", "/v1/people", { key: admin, body: { id, name: id } });
    const from = ["person:ada", "person:grace"];
    const decision = { approve: [{ need: 2, from }], strength: "link" };
    const { id } = await place(test, { decision, prompt: "Wire it?" }, agent);
    const client = clientOf(test, await mint(test, { person: "ada" }, operator));
    await page.render(
      <HoldpointProvider client={client}>
        <Inbox />
      </HoldpointProvider>,
    );
    await page.says("0 of 2 have agreed");
    await page.press("Wire it?");
    await page.says("Still needed: 2 of ada, grace");
    await page.press("Approve");
    await page.says("Your vote is recorded");
    await page.says("1 of 2 have agreed");
    const body = { action: "approve" };
    await test.call("POST", `/v1/holds/${id}/answer`, { key: otherOperator, body });
    await page.until(() => page.body.querySelector('[aria-label="How it ended"]') !== null);
    await page.says("Nothing is waiting for you");
  });

  it("says why it shows nothing when the token is refused", async () => {
    await using test = await testServer();
    await using page = await openPage();
    await page.render(
      <HoldpointProvider client={clientOf(test, "wrong")}>
        <Inbox />
      </HoldpointProvider>,
    );
    await page.until(() => page.body.querySelector('[role="alert"]') !== null);
  });

  it("takes components of the app for rows, for an empty list and for parts of the question", async () => {
    await using world = await started();
    await using page = await openPage();
    const slots = {
      empty: () => <p>All done</p>,
      row: ({ hold }: { readonly hold: { readonly prompt: string } }) => <b>Row: {hold.prompt}</b>,
      head: () => <h1>My head</h1>,
      details: null,
      beforeAnswer: () => <p>Think twice</p>,
    };
    await page.render(
      <HoldpointProvider client={world.client}>
        <Inbox slots={slots} title="To do" />
      </HoldpointProvider>,
    );
    await page.says("All done");
    await place(world.test, { context: { order: "o-77" } });
    await page.says("Row: Refund");
    await page.press("Row: Refund");
    await page.says("Think twice");
    expect(page.body.textContent).toContain("My head");
    expect(page.body.textContent).not.toContain("o-77");
  });
});

describe("one question on a page", () => {
  it("shows that another answer came first", async () => {
    await using world = await started();
    await using page = await openPage();
    const { test, client } = world;
    const { id } = await place(test);
    await page.render(
      <HoldpointProvider client={client}>
        <HoldReview id={id} className="card" />
      </HoldpointProvider>,
    );
    await page.says("asks for your approval");
    expect(page.body.querySelector(".hp-review.card")).not.toBeNull();
    await test.call("POST", `/v1/holds/${id}/cancel`, { key: test.keys.app, body: {} });
    await page.until(() => page.body.querySelector('[aria-label="How it ended"]') !== null);
  });

  it("G15: reports the missing note of an unknown call as a problem of its field, and sends nothing", async () => {
    await using test = await testServer();
    await using page = await openPage();
    const { id } = await place(test, { context: { call_unknown: true } });
    const replies: AnswerReply[] = [];
    const token = await mint(test);
    const sent: string[] = [];
    const send = async (input: string, init: RequestInit) => {
      if (input.endsWith("/answer")) sent.push(input);
      return test.server.app.request(input.replace("http://test", ""), init);
    };
    const client = browserClient("http://test", () => token, send);
    function One() {
      const { hold, answer } = useHold(id);
      const press = (data: JsonObject) => async () =>
        void replies.push(await answer({ action: "approve", data }));
      return (
        <>
          <p>{hold?.prompt}</p>
          <button type="button" onClick={press({})}>
            bare
          </button>
          <button type="button" onClick={press({ note: "I looked." })}>
            noted
          </button>
        </>
      );
    }
    await page.render(
      <HoldpointProvider client={client}>
        <One />
      </HoldpointProvider>,
    );
    await page.says("Refund");
    await page.press("bare");
    await page.until(() => replies.length === 1);
    expect(replies[0]).toMatchObject({ kind: "refused", problems: [{ key: "/note" }] });
    expect(sent).toEqual([]);
    await page.press("noted");
    await page.until(() => replies.length === 2);
    expect(replies[1]).toEqual({ kind: "settled" });
  });

  it("withdraws a vote, and reads another hold when the id changes", async () => {
    await using test = await testServer();
    await using page = await openPage();
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "ada", name: "Ada" } });
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "eve", name: "Eve" } });
    const decision = { approve: [{ need: 2, from: ["person:ada", "person:eve"] }], strength: "link" };
    const one = await place(test, { decision, prompt: "One?" }, test.keys.agent);
    const two = await place(test, { prompt: "Two?" }, test.keys.agent);
    const client = clientOf(test, await mint(test, { person: "ada" }, test.keys.operator));
    function Both() {
      const [id, setId] = useState<string>(one.id);
      const { hold, answer, withdrawVote } = useHold(id);
      return (
        <>
          <p>
            {hold?.prompt} {hold?.votes?.length}
          </p>
          <button type="button" onClick={() => void answer({ action: "approve", data: {} })}>
            vote
          </button>
          <button type="button" onClick={() => void withdrawVote()}>
            withdraw
          </button>
          <button type="button" onClick={() => setId(two.id)}>
            other
          </button>
        </>
      );
    }
    await page.render(
      <HoldpointProvider client={client}>
        <Both />
      </HoldpointProvider>,
    );
    await page.says("One? 0");
    await page.press("vote");
    await page.says("One? 1");
    await page.press("withdraw");
    await page.says("One? 0");
    await page.press("other");
    await page.says("Two?");
  });

  it("throws an error that names the missing provider", async () => {
    await using page = await openPage();
    await expect(page.render(<Inbox />)).rejects.toThrow("<HoldpointProvider>");
  });
});

describe("the token of a page", () => {
  it("is fetched once although the function is written inline, and again when it has ended", async () => {
    await using test = await testServer();
    const { id } = await place(test);
    let minted = 0;
    const given = () => async () => {
      minted += 1;
      return await mint(test, { person: "u_1", expires_in: "1m" });
    };
    const send = async (input: string, init: RequestInit) =>
      test.server.app.request(input.replace("http://test", ""), init);
    const client = browserClient("http://test", given, send);
    await Promise.all([client.get(id), client.get(id)]);
    await client.get(id);
    expect(minted).toBe(1);
    await test.clock.advance(60_000);
    expect((await client.get(id)).id).toBe(id);
    expect(minted).toBe(2);
  });

  it("is asked for again after the app's server could not give one", async () => {
    await using test = await testServer();
    const { id } = await place(test);
    let tries = 0;
    const source = async () => {
      tries += 1;
      if (tries === 1) throw new Error("signed out");
      return mint(test);
    };
    const client = clientOf(test, source);
    await client.get(id);
    expect(tries).toBe(2);
  });

  it("does not start everything again when the options of the provider are written inline", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using served = servedBy(test);
    const paths = () => served.calls.map(({ path }) => path);
    const app = () => (
      <HoldpointProvider url="http://test" token={async () => await mint(test)}>
        <Inbox />
      </HoldpointProvider>
    );
    await page.render(app());
    await page.says("Nothing is waiting for you");
    await page.until(() => paths().filter((path) => path === "/v1/holds").length === 2);
    for (let round = 0; round < 5; round += 1) await page.render(app());
    expect(paths().toSorted()).toEqual(["/v1/events", "/v1/holds", "/v1/holds"]);
  });
});

describe("an answer that its app holds back for a moment", () => {
  it("shows what the app says of it instead of the buttons, and the buttons again when it was taken back", async () => {
    await using test = await testServer();
    await using page = await openPage();
    const hold = fromWire("HoldOut", await place(test));
    function Holding(): ReactNode {
      const [undo, setUndo] = useState<() => void>();
      const onAnswer = () =>
        new Promise<AnswerReply>((resolve) =>
          setUndo(() => () => {
            setUndo(undefined);
            resolve({ kind: "refused", problems: [], notice: "Taken back." });
          }),
        );
      const held = undo && (
        <button type="button" onClick={undo}>
          Undo (5 s)
        </button>
      );
      return <HoldCard hold={hold} now={Date.now()} onAnswer={onAnswer} held={held} />;
    }
    await page.render(<Holding />);
    await page.press("Approve");
    await page.says("Undo (5 s)");
    expect(page.body.textContent).not.toContain("Sending");
    expect(page.body.textContent).not.toContain("Approve");
    expect(page.button("Undo").closest("fieldset:disabled")).toBeNull();
    await page.press("Undo (5 s)");
    await page.says("Taken back.");
    expect(page.button("Approve").disabled).toBe(false);
  });
});
