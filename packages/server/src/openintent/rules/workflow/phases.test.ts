import { expect, test } from "vitest";
import { intentBody } from "../../../testing/intent-samples.ts";
import { phaseNameOf } from "./phases.ts";

test("a phase's name is its own name, else the name its dependent gives it, else its title", () => {
  const titled = intentBody({ title: "Review the claims" });
  const knows = intentBody({ state: { _io_dep_title_to_name: { "Review the claims": "review" } } });
  expect(phaseNameOf(titled)).toBe("Review the claims");
  expect(phaseNameOf(titled, knows)).toBe("review");
  expect(phaseNameOf(titled, intentBody())).toBe("Review the claims");
  expect(phaseNameOf(intentBody({ state: { _phase_name: "own" } }), knows)).toBe("own");
});
