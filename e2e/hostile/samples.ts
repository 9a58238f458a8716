/** Bodies that a schema accepts, made from its JSON Schema: the least one, and one more for each member and each branch. */

import * as z from "zod";

type Schema = Readonly<Record<string, unknown>>;

export function samplesOf(schema: z.ZodType): readonly unknown[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
  const made = new Samples(root).of(root, 0);
  const fitting = unique(made).filter((sample) => schema.safeParse(sample).success);
  if (fitting.length === 0) throw new Error(`no sample fits: ${JSON.stringify(made[0]).slice(0, 500)}`);
  return fitting;
}

function unique(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const DEPTH_MAX = 8;

const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": "2026-03-01T09:30:00.000Z",
  date: "2026-03-01",
  uri: "https://example.com/callback",
  url: "https://example.com/callback",
  email: "ada@example.com",
  uuid: "0b0e4a5e-7f3a-4a39-8d5e-0f0a5a3c1d2e",
};

class Samples {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  of(schema: Schema, depth: number): readonly unknown[] {
    if (depth > DEPTH_MAX) return [null];
    const { $ref, const: constant, enum: words, examples, type } = schema;
    if (typeof $ref === "string") return this.of(this.#at($ref), depth + 1);
    if (constant !== undefined) return [constant];
    if (Array.isArray(words)) return words;
    const branches = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(branches)) return branches.flatMap((branch: Schema) => this.of(branch, depth + 1));
    if (schema["properties"] !== undefined) return this.#objects(schema, depth);
    if (Array.isArray(examples)) return examples.slice(0, 1);
    switch (Array.isArray(type) ? type[0] : type) {
      case "object":
        return [{ any: "thing" }];
      case "array":
        return this.of((schema["items"] ?? {}) as Schema, depth + 1).map((item) => [item]);
      case "integer":
      case "number":
        return [numberOf(schema)];
      case "boolean":
        return [true, false];
      case "string":
        return [textOf(schema)];
      default:
        return ["anything"];
    }
  }

  #objects(schema: Schema, depth: number): readonly unknown[] {
    const properties = Object.entries(schema["properties"] as Readonly<Record<string, Schema>>);
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    const made = properties.map(([name, inner]) => [name, this.of(inner, depth + 1)] as const);
    const least = Object.fromEntries(
      made.filter(([name]) => required.has(name)).map(([name, [first]]) => [name, first]),
    );
    return [least, ...made.flatMap(([name, all]) => all.map((one) => ({ ...least, [name]: one })))];
  }

  #at(ref: string): Schema {
    const parts = ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    return parts.reduce<Schema>((here, part) => (here[part] ?? {}) as Schema, this.#root);
  }
}

function numberOf({ minimum = 1, maximum = 1 }: Schema): number {
  return Math.max(Number(minimum), Math.min(1, Number(maximum)));
}

function textOf({ format, minLength = 1, pattern }: Schema): string {
  if (typeof format === "string" && format in BY_FORMAT) return BY_FORMAT[format] as string;
  if (typeof pattern === "string" && pattern.startsWith("^x-")) return "x-own";
  return "abcdefgh".repeat(Math.ceil(Number(minLength) / 8) || 1);
}
