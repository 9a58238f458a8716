/** Changes the rows of links as a server of before would have written them: past this one's engine. */

import type { TestServer } from "./test-server.ts";

export async function rewriteLinks(
  test: TestServer,
  change: (body: Record<string, unknown>) => object,
): Promise<void> {
  const links = await test.store.query({ workspace: "default", kind: "link", limit: 10 });
  const batch = await test.store.begin();
  const found = await batch.load(links.map(({ workspace, kind, id }) => ({ workspace, kind, id })));
  const puts = found.map(({ workspace, kind, id, version, seq, head, body }) => ({
    key: { workspace, kind, id },
    expected: version,
    version: version + 1,
    seq,
    head,
    body: change({ ...body }) as object,
  }));
  await batch.commit({ puts, events: [], timers: [], outbox: [] });
}
