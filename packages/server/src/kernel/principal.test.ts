import { expect, test } from "vitest";
import { AGENT, link, reviewer } from "../testing/core-samples.ts";
import { actorText, SYSTEM } from "./principal.ts";

test("the log names a key by its owner's name, and a link or session by its id", () => {
  expect(actorText(AGENT)).toBe("key:refunder");
  expect(actorText(reviewer(link({ recipient: "ada" }).body))).toBe("link:link_1");
  expect(actorText({ role: "operator", via: "session", id: "s1", name: "Ada" })).toBe("session:Ada");
  expect(actorText(SYSTEM)).toBe("system");
});
