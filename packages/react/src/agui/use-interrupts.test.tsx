import { act } from "react";
import { describe, expect, it } from "vitest";
import { openPage } from "../live/page.fixture.ts";
import type { InterruptibleAgent } from "./desk-control.ts";
import { useInterrupts } from "./use-interrupts.ts";

function quietAgent() {
  let subscriptions = 0;
  const agent: InterruptibleAgent = {
    threadId: "t1",
    pendingInterrupts: [],
    messages: [],
    subscribe() {
      subscriptions += 1;
      return { unsubscribe: () => undefined };
    },
    runAgent: async () => undefined,
  };
  return { agent, subscriptions: () => subscriptions };
}

describe("the interrupts of a thread", () => {
  it("are read once although headers, clock and fetch are written inline, and with the newest headers later", async () => {
    await using page = await openPage();
    const { agent, subscriptions } = quietAgent();
    const sent: string[] = [];
    let again: () => Promise<void> = async () => undefined;
    function Desk({ user }: { readonly user: string }) {
      const { desk, restore } = useInterrupts(agent, {
        url: "http://agent.test",
        headers: { "x-user": user },
        now: () => 0,
        fetch: async (_input, init) => {
          // A hook that reads at every render would never come to rest.
          if (sent.length > 20) await new Promise(() => undefined);
          sent.push(new Headers(init?.headers).get("x-user") ?? "");
          return Response.json({ interrupts: [], history: [] });
        },
      });
      again = restore;
      return <p>{desk.phase}</p>;
    }
    await page.render(<Desk user="ada" />);
    for (let round = 0; round < 5; round += 1) await page.render(<Desk user="eve" />);
    expect(sent).toEqual(["ada"]);
    expect(subscriptions()).toBe(1);
    await act(again);
    expect(sent).toEqual(["ada", "eve"]);
  });
});
