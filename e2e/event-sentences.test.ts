/** Every kind of event that any domain writes to the log is a sentence in the console, and the console hears of it. */

import { expect, test } from "vitest";
import { DOMAINS } from "../packages/server/src/domains.ts";
import { type Activity, sentenceOf, TOLD } from "../packages/web/src/app/activity/sentence.ts";
import { TYPES } from "../packages/web/src/app/live.ts";

interface Spec {
  readonly log: (fact: never) => object | null;
}

/** Facts that are never logged return `null` whatever they are; the others look into the fact. */
function isLogged({ log }: Spec): boolean {
  try {
    return log(undefined as never) !== null;
  } catch {
    return true;
  }
}

/** Events of intents are read through OpenIntent, with its own access list. */
const ELSEWHERE = new Set(["intent.logged"]);

const LOGGED = Object.values(DOMAINS)
  .flatMap(({ facts }) => Object.entries(facts as Readonly<Record<string, Spec>>))
  .filter(([type, spec]) => isLogged(spec) && !ELSEWHERE.has(type))
  .map(([type]) => type);

/** What events name: ids that nobody can read, and words that people chose. */
const DATA = {
  ...{ person: "ben", person_id: "ben", assignee: "ben", action: "approve", attempt: 2 },
  ...{ channel: "email", platform: "slack", proxy: "shop", host: "example.com", reason: "not_a_member" },
  ...{ team_id: "finance", key_id: "key_01ABC", session_id: "session_01ABC", device_id: "device_01ABC" },
  ...{ rota: { people: ["ben"], every_ms: 604_800_000 } },
  ...{ changed: { retention_ms: 604_800_000 }, before: { retention_ms: null } },
  ...{ hold_id: "hold_01ABC", token_id: "token_01ABC", webhook_id: "webhook_01ABC", tool: "refund" },
};

function activity(type: string): Activity {
  const stream = `${type.split(".")[0]}:x_01ABC`;
  const about = { position: 1, at: "2026-03-01T10:04:00.000Z", type, stream, actor: "session:ada" };
  const name = /^(?:session|sign_in)\./.test(type) ? "ben" : "ops";
  return { ...about, who: "Ada Obi", whom: "Ben Okoro", data: { ...DATA, name }, hash: "h" };
}

test("there are many kinds of events in the log, of every domain that writes any", () => {
  expect(LOGGED.length).toBeGreaterThan(90);
});

test.each(LOGGED)("%s is a sentence with names, without its bare name or an id", (type) => {
  const said = sentenceOf(activity(type), false, () => "Ben Okoro");
  expect(TOLD).toContain(type);
  expect(said).toMatch(/^[A-Z“].*[^ ]\.$/);
  expect(said).not.toMatch(/_|01ABC|\b(?:ada|ben)\b|undefined|null| {2}| \./);
  expect(said).not.toContain(type.replace(/[._]/g, " "));
});

/** So many a second that pages would read again all the time; no page shows them as they happen. */
const NOT_LIVE = new Set(["check.recorded", "grant.matched", "skip.recorded"]);

test("open pages hear of every kind of event, except of calls that no person is asked about", () => {
  expect([...TYPES].sort()).toEqual(LOGGED.filter((type) => !NOT_LIVE.has(type)).sort());
});
