import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import type { Json, JsonObject } from "../rules/json.ts";
import { HITL_SCHEMAS, type HitlSchemaName, hitlJsonSchema } from "./json-schema.ts";
import { bent, pathsOf, withStrangers } from "./testing/bend.ts";
import * as samples from "./testing/samples.ts";

const ODD: readonly Json[] = [
  null,
  true,
  0,
  1.5,
  -1,
  1e20,
  "",
  "x",
  "x-own",
  "a@b",
  "http:",
  [],
  {},
  ["x"],
  [1],
];

/** Every way of bending a sample in one place. */
function bends(sample: JsonObject): readonly Json[] {
  const inner = pathsOf(sample).filter((path) => path.length > 0);
  return [
    sample,
    ...ODD,
    ...inner.map((path) => bent(sample, path)),
    ...inner.flatMap((path) => ODD.map((value) => bent(sample, path, value))),
    ...withStrangers(sample).map(([, value]) => value),
  ];
}

function compiled(version: "0.7" | "0.8", name: HitlSchemaName) {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  return ajv.compile(hitlJsonSchema(version, name as never));
}

const SHAPES: readonly (readonly ["0.7" | "0.8", HitlSchemaName, readonly JsonObject[]])[] = [
  ["0.7", "hitl-object", [samples.HITL_07]],
  ["0.8", "hitl-object", [samples.HITL_08]],
  ["0.7", "poll-response", [samples.IN_PROGRESS, samples.COMPLETED, samples.EXPIRED, samples.CANCELLED]],
  ["0.8", "poll-response", [samples.IN_PROGRESS, samples.COMPLETED_08, samples.EXPIRED, samples.CANCELLED]],
  ["0.7", "submit-request", [samples.SUBMIT]],
  ["0.8", "submit-request", [samples.SUBMIT_08]],
  ["0.7", "form-field", [samples.FIELD]],
  ["0.7", "form", [{ fields: [samples.FIELD] }, { steps: [{ title: "a", fields: [] }] }]],
  ["0.7", "discovery", [samples.DISCOVERY_07]],
  ["0.8", "discovery", [samples.DISCOVERY_08]],
  ["0.8", "submission-context", [samples.SUBMISSION_CONTEXT]],
  ["0.8", "verification-policy", [samples.POLICY]],
  ["0.8", "verification-result", [samples.VERIFICATION_RESULT]],
];

describe("JSON Schema output", () => {
  test.each(SHAPES)(
    "of %s %s agrees with the Zod schema on every object with one changed member",
    (version, name, shapes) => {
      const validate = compiled(version, name);
      const schemas: Readonly<Record<string, ZodType>> = HITL_SCHEMAS[version];
      const schema = schemas[name]!;
      for (const body of shapes.flatMap(bends))
        expect(validate(body), JSON.stringify(body)).toBe(schema.safeParse(body).success);
    },
  );

  test("exists for every object of both versions", () => {
    for (const version of ["0.7", "0.8"] as const)
      for (const name of Object.keys(HITL_SCHEMAS[version])) {
        const schema = hitlJsonSchema(version, name as never);
        expect(schema.$schema, name).toBe("https://json-schema.org/draft/2020-12/schema");
        expect(() => compiled(version, name as HitlSchemaName)).not.toThrow();
      }
  });
});
