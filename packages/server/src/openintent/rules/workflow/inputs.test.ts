import { expect, test } from "vitest";
import { intentBody } from "../../../testing/intent-samples.ts";
import type { World } from "../world.ts";
import { whyNoInputs, wiringOf } from "./inputs.ts";
import { whyNoOutputs } from "./outputs.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test("of the dependencies with one name the first one gives the input", () => {
  const phases = [
    intentBody({ id: "a", title: "review", status: "active" }),
    intentBody({ id: "b", title: "other", status: "completed", state: { _phase_name: "review", n: 1 } }),
  ];
  const world = {
    get: (_kind: string, id: string) => phases.find((phase) => phase.id === id),
  } as unknown as World;
  const reader = (dependsOn: readonly string[]) =>
    intentBody({ id: "r", dependsOn, state: { _io_inputs: { n: "review.n" } } });
  expect(whyNoInputs(reader(["b", "a"]), "r", world)).toBeNull();
  expect(whyNoInputs(reader(["a", "b"]), "r", world)).toMatchObject({ code: "UnresolvableInputError" });
  const isWired = wiringOf(reader(["a", "b"]));
  expect([...phases, intentBody({ title: "third" })].map(isWired)).toEqual([true, true, false]);
});

test("G13: an error names the first few of very many inputs or outputs, and how many more there are", () => {
  const names = numbers(44_000).map((at) => `k${at}`);
  const state = {
    _io_inputs: Object.fromEntries(names.map((name) => [name, `review.${name}`])),
    _io_outputs: Object.fromEntries(names.map((name) => [name, "string"])),
  };
  const old = intentBody({ id: "r", state });
  const inputs = whyNoInputs(old, "r", { get: () => undefined } as unknown as World);
  expect(inputs?.message).toMatch(
    /^declared inputs cannot be resolved: review\.k0, .*review\.k19 and 43980 more$/,
  );
  expect(inputs?.detail?.["unresolvable_refs"]).toHaveLength(20);
  const outputs = whyNoOutputs(old, "r", {});
  expect(outputs?.message).toMatch(/^declared outputs are missing: k0, .*k19 and 43980 more$/);
  expect(outputs?.detail?.["missing_keys"]).toHaveLength(20);
});

test("a type of words takes the words that it lists, objects included", () => {
  const declared = (value: unknown) =>
    intentBody({
      state: {
        _io_outputs: { one: "T", two: "T" },
        _io_types: { T: { enum: ["a", 1, { x: 1, y: [null] }] } },
        one: "a",
        two: value as never,
      },
    });
  const check = (value: unknown) => whyNoOutputs(declared(value), "t", declared(value).state);
  expect([check(1), check({ y: [null], x: 1 })]).toEqual([null, null]);
  expect(check("1")).toMatchObject({ code: "OutputTypeMismatchError", detail: { actual_type: '"1"' } });
});
