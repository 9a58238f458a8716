import { expect, test } from "vitest";
import { dayStart } from "./activity/days.ts";
import { entryColumns, entryPages, logPages } from "./audit-export.ts";
import { fileOf } from "./export.ts";

const NONE = { person: "", agent: "", tool: "", ending: "", door: "", from: "", until: "" };

const entry = (position: number) => ({
  ...{ position, at: "2026-01-05T10:00:00Z", type: "team.added", stream: "team:t1", actor: "key:ada" },
  ...{ who: "Ada Obi", team: "Finance", data: { team_id: "t1" }, hash: "sha256:h" },
});

/** Answers one page after the other, and keeps what was asked. */
function serverWith(...pages: readonly object[]) {
  const asked: URL[] = [];
  return {
    asked,
    async get<Out>(path: string) {
      asked.push(new URL(path, "http://test"));
      return pages[asked.length - 1] as Out;
    },
  };
}

async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

test("the export asks with every filter of the page, on each of its pages, also after one that has no entry", async () => {
  const filters = { person: "ada", agent: "bot", tool: "refund", ending: "approve", door: "console" };
  const narrowed = { ...filters, from: "2026-01-01", until: "2026-01-31" };
  const server = serverWith(
    { activities: [entry(9)], next_before: 9 },
    { activities: [], next_before: 4 },
    { activities: [entry(2)] },
  );
  const found = await all(entryPages(server, narrowed));
  expect(found.map(({ position }) => position)).toEqual([9, 2]);
  const query = { ...filters, from: dayStart("2026-01-01"), until: dayStart("2026-01-31", 1), limit: "200" };
  expect(server.asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    query,
    { ...query, before: "9" },
    { ...query, before: "4" },
  ]);
});

test("an export reads the next page only when the one before is written", async () => {
  const server = serverWith({ activities: [entry(9)], next_before: 9 }, { activities: [] });
  const pages = entryPages(server, NONE);
  await pages.next();
  expect(server.asked).toHaveLength(1);
});

test("an entry is exported as the page tells it", async () => {
  const pages = entryPages(serverWith({ activities: [entry(9)] }), NONE);
  const [head, line] = (await (await fileOf("csv", entryColumns(String), pages)).text()).split("\r\n");
  expect(head).toBe("position,at,what,type,stream,actor,who,data,hash");
  expect(line).toContain("9,2026-01-05T10:00:00Z,Ada Obi added the team Finance.,team.added,team:t1,key:ada");
});

test("the whole log is read from its first event, whatever the filters are", async () => {
  const event = { ...entry(1), seq: 1, previous: "" };
  const server = serverWith({ events: [event], next_after: 1 }, { events: [{ ...event, position: 2 }] });
  expect((await all(logPages(server))).map(({ position }) => position)).toEqual([1, 2]);
  expect(server.asked.map(({ search }) => search)).toEqual(["?after=0&limit=200", "?after=1&limit=200"]);
});
