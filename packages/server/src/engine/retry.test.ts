import { expect, it } from "vitest";
import { TABLE } from "../domains.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { testServer } from "../testing/test-server.ts";

class Contended extends Error {
  readonly retryable: boolean;

  constructor(retryable: boolean) {
    super("another server was first");
    this.retryable = retryable;
  }
}

/** A store that fails the next commits with given errors, before anything is written. */
class ContendedStore extends MemoryStore {
  failing: Contended[] = [];
  commits = 0;

  override async begin() {
    const batch = await super.begin();
    const commit = batch.commit.bind(batch);
    batch.commit = async (changes) => {
      this.commits += 1;
      const fault = this.failing.shift();
      if (fault === undefined) return commit(changes);
      await batch.release();
      throw fault;
    };
    return batch;
  }
}

const ASK = { type: "approval", prompt: "Ship?" };

it("E7 a batch that lost a conflict is decided again, and its callers see only the final result", async () => {
  const store = new ContendedStore({ indexes: TABLE });
  await using test = await testServer({ store });
  store.failing = [new Contended(true), new Contended(true)];
  store.commits = 0;
  const placed = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ASK });
  expect([placed.status, store.commits]).toEqual([201, 3]);
  expect(test.log).toEqual([]);
});

it("E7 a batch that may have been written is not retried", async () => {
  const store = new ContendedStore({ indexes: TABLE });
  await using test = await testServer({ store });
  store.failing = [new Contended(false)];
  store.commits = 0;
  const placed = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ASK });
  expect([placed.status, store.commits]).toEqual([500, 1]);
});

it("E7 a batch that loses every conflict fails in the end, and its caller gets 503", async () => {
  const store = new ContendedStore({ indexes: TABLE });
  await using test = await testServer({ store });
  store.failing = Array.from({ length: 50 }, () => new Contended(true));
  const placed = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ASK });
  store.failing = [];
  expect(placed).toMatchObject({ status: 503, body: { code: "unavailable" } });
});
