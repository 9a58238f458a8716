/** Another person signs in to the app without a reload of the page: nothing of the first is shown, sent or kept. */

import { type TestServer, testServer } from "holdpoint/testing";
import { act } from "react";
import { describe, expect, it } from "vitest";
import { HoldpointProvider, HoldReview, Inbox, useHold, useInbox } from "../index.ts";
import { mint, place, servedBy } from "./app.fixture.ts";
import type { TokenSource } from "./browser-client.ts";
import { openPage, type Page } from "./page.fixture.ts";

const [ADA, EVE] = ["Refund Ada?", "Refund Eve?"];

async function placeBoth(test: TestServer) {
  const ada = await place(test, { prompt: ADA, metadata: { person: "ada" } });
  const eve = await place(test, { prompt: EVE, metadata: { person: "eve" } });
  return { ada, eve };
}

const inboxOf = (token: TokenSource, person?: string) => (
  <HoldpointProvider url="http://test" token={token} person={person}>
    <Inbox />
  </HoldpointProvider>
);

/** Opens the question and begins to write a reason. */
async function beginAnswer(page: Page, prompt: string): Promise<void> {
  await page.press(prompt);
  await page.press("Reject");
  await page.until(() => page.body.querySelector("textarea") !== null);
}

describe("another person on the same page", () => {
  it("sees nothing of the first, whose question is closed and whose token is not used again", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using served = servedBy(test);
    await placeBoth(test);
    const tokens: Record<string, string> = {};
    const app = (person: string) =>
      inboxOf(async () => {
        tokens[person] = await mint(test, { person });
        return tokens[person] ?? "";
      }, person);
    await page.render(app("ada"));
    await beginAnswer(page, ADA);
    const sentBefore = served.calls.length;
    await page.render(app("eve"));
    expect(page.body.textContent).not.toContain(ADA);
    await page.says(EVE);
    expect(page.body.textContent).not.toContain(ADA);
    expect(page.body.querySelector(".hp-inbox-look")).toBeNull();
    const used = new Set(served.calls.slice(sentBefore).map(({ authorization }) => authorization));
    expect(used).toEqual(new Set([`Bearer ${tokens["eve"]}`]));
  });

  it("is never drawn with the first person's holds, not even once before the new ones are read", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using _served = servedBy(test);
    const { ada } = await placeBoth(test);
    const drawn: string[] = [];
    function Own({ person }: { readonly person: string }) {
      const { holds = [] } = useInbox();
      const { hold } = useHold(ada.id);
      for (const { prompt } of [...holds, ...(hold === undefined ? [] : [hold])])
        drawn.push(`${person}: ${prompt}`);
      return <p>{holds.map(({ prompt }) => prompt).join()}</p>;
    }
    const app = (person: string) => (
      <HoldpointProvider url="http://test" token={() => mint(test, { person })} person={person}>
        <Own person={person} />
      </HoldpointProvider>
    );
    await page.render(app("ada"));
    await page.until(() => drawn.includes(`ada: ${ADA}`));
    await page.render(app("eve"));
    await page.says(EVE);
    expect(drawn).not.toContain(`eve: ${ADA}`);
  });

  it("is recognised by another token where tokens are given as texts", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using _served = servedBy(test);
    await placeBoth(test);
    await page.render(inboxOf(await mint(test, { person: "ada" })));
    await page.says(ADA);
    await page.render(inboxOf(await mint(test, { person: "eve" })));
    expect(page.body.textContent).not.toContain(ADA);
    await page.says(EVE);
  });

  it("does not send what the first person had begun to answer", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using served = servedBy(test);
    // Both may answer this one, so that only the token says who did.
    const keys = test.keys;
    for (const id of ["ada", "eve"])
      await test.call("POST", "/v1/people", { key: keys.admin, body: { id, name: id } });
    const { id } = await place(test, { prompt: "Wire it?" }, keys.agent);
    const tokenOf = (person: string) => mint(test, { person, expires_in: "1m" }, keys.operator);
    const renewal = Promise.withResolvers<string>();
    const given = [await tokenOf("ada")];
    const app = (person: string) => (
      <HoldpointProvider
        url="http://test"
        token={() => given.pop() ?? (person === "ada" ? renewal.promise : tokenOf(person))}
        person={person}
      >
        <HoldReview id={id} />
      </HoldpointProvider>
    );
    await page.render(app("ada"));
    await page.says("Wire it?");
    await test.clock.advance(60_000);
    await page.press("Approve");
    await page.until(() => served.calls.some(({ method }) => method === "POST"));
    await page.render(app("eve"));
    // The app's server knows only who is signed in now.
    await act(async () => renewal.resolve(await tokenOf("eve")));
    await page.says("asks for your approval");
    expect(served.calls.filter(({ method }) => method === "POST")).toHaveLength(1);
    const { body } = await test.call("GET", `/v1/holds/${id}`, { key: keys.operator });
    expect(body.status).toBe("open");
  });
});

describe("the same person on the same page", () => {
  it("keeps the open question when the token is renewed", async () => {
    await using test = await testServer();
    await using page = await openPage();
    using _served = servedBy(test);
    await placeBoth(test);
    await page.render(inboxOf(await mint(test, { person: "ada" }), "ada"));
    await beginAnswer(page, ADA);
    await page.render(inboxOf(await mint(test, { person: "ada" }), "ada"));
    expect(page.body.querySelector(".hp-inbox-look textarea")).not.toBeNull();
  });
});

describe("a question that is not there any more", () => {
  it("is taken off the page", async () => {
    await using test = await testServer();
    await using page = await openPage();
    const { id } = await place(test, { prompt: ADA, metadata: { person: "ada" } });
    using _served = servedBy(test);
    let person = "ada";
    await page.render(
      <HoldpointProvider url="http://test" token={() => mint(test, { person, expires_in: "1m" })}>
        <HoldReview id={id} />
      </HoldpointProvider>,
    );
    await page.says(ADA);
    person = "eve";
    await test.clock.advance(60_000);
    await test.call("POST", `/v1/holds/${id}/cancel`, { key: test.keys.app, body: {} });
    await page.forgets(ADA);
  });
});
