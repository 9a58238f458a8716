/** Tests with Node's own runner; Vitest, Jest and others work the same way. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ExpiredError, Holdpoint } from "@holdpoint/sdk";
import { testHoldpoint } from "@holdpoint/sdk/testing";
import { type Bank, refund } from "./agent.ts";

function setUp() {
  const holds = testHoldpoint();
  const paid: string[] = [];
  const bank: Bank = {
    async pay(order, cents) {
      paid.push(`${order}: ${cents}`);
      return `receipt-${order}`;
    },
  };
  return { holds, hp: new Holdpoint({ client: holds.client }), bank, paid };
}

test("an approved refund is paid once, also when the agent is started again", async () => {
  const { holds, hp, bank, paid } = setUp();
  const running = refund(hp, bank, "1042", 8000);
  await holds.answerNext("approve");
  assert.equal(await running, "receipt-1042");
  assert.equal(await refund(hp, bank, "1042", 8000), "receipt-1042");
  assert.deepEqual(paid, ["1042: 8000"]);
});

test("a person approves with a smaller amount, and that is paid", async () => {
  const { holds, hp, bank, paid } = setUp();
  const running = refund(hp, bank, "1042", 8000);
  await holds.answerNext("approve", { edited_args: { cents: 5000 } });
  await running;
  assert.deepEqual(paid, ["1042: 5000"]);
});

test("a rejected refund is not paid", async () => {
  const { holds, hp, bank, paid } = setUp();
  const running = refund(hp, bank, "1042", 8000);
  await holds.rejectNext("The order was never delivered.");
  assert.equal(await running, "refused");
  assert.deepEqual(paid, []);
});

test("nobody answers for two hours: nothing is paid", async () => {
  const { holds, hp, bank, paid } = setUp();
  const failed = assert.rejects(refund(hp, bank, "1042", 8000), ExpiredError);
  await holds.nextOpen();
  await holds.advance("2h");
  await failed;
  assert.deepEqual(paid, []);
});

test("the server is unreachable after the payment: the agent has its receipt, and pays no second time", async () => {
  const { holds, hp, bank, paid } = setUp();
  const running = refund(hp, bank, "1042", 8000);
  holds.loseReply("finishClaim");
  await holds.answerNext("approve");
  assert.equal(await running, "receipt-1042");
  assert.deepEqual(paid, ["1042: 8000"]);
});
