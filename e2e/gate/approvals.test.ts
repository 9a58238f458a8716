import { afterEach } from "vitest";
import { approvalsSuite } from "../../packages/gate/src/host/approvals.suite.ts";
import { holdApprovals } from "../../packages/gate/src/host/hold-approvals.ts";
import { type GateServer, LEASE_MS, overHttp, people, withoutPort } from "./world.fixture.ts";

const opened: GateServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

async function underTest(open: () => Promise<GateServer>) {
  const server = await open();
  opened.push(server);
  const { approve, reject, revoke, release } = people(server);
  const approvals = holdApprovals(server.client("agent"));
  const lose = () => server.test.clock.advance(LEASE_MS);
  return { approvals, approve, reject, revoke, release, lose };
}

approvalsSuite("a Holdpoint server in this process", () => underTest(withoutPort));
approvalsSuite("a Holdpoint server over HTTP and SQLite", () => underTest(overHttp));
