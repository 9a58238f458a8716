import * as fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { wireSchemas } from "../native-openapi.ts";
import type { Form, JsonObject } from "../rules/index.ts";
import { isObject } from "../rules/index.ts";
import type { ClaimOut } from "../wire/claim.ts";
import type { EventOut } from "../wire/event.ts";
import type { GroupOut } from "../wire/group.ts";
import type { HoldOut } from "../wire/hold.ts";
import type { LinkOut } from "../wire/link.ts";
import { PlaceIn } from "../wire/place.ts";
import { camel, fromWire, holdFromWire, SHAPES, type Shape, snake, toWire } from "./casing.ts";
import type { Claim, Group, Hold, HoldEvent, Link, Place } from "./types.ts";

describe("toWire", () => {
  it("renames declared members at every declared depth", () => {
    const wire = toWire("PlaceIn", {
      type: "approval",
      prompt: "Go?",
      onTimeout: { action: "reject", data: { keepMe: 1 } },
      remindAt: ["1h"],
      callbackUrl: "https://a.example",
      responseSchema: { additionalProperties: false },
    });
    expect(wire).toEqual({
      type: "approval",
      prompt: "Go?",
      on_timeout: { action: "reject", data: { keepMe: 1 } },
      remind_at: ["1h"],
      callback_url: "https://a.example",
      response_schema: { additionalProperties: false },
    });
    expect(PlaceIn.safeParse(wire).success).toBe(true);
  });

  it("passes a text where an object could be", () => {
    expect(toWire("PlaceIn", { type: "input", prompt: "?", onTimeout: "skip" })).toMatchObject({
      on_timeout: "skip",
    });
  });

  it("never touches what is inside context, data, form, schema and metadata", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const inside = { camelName: value, snake_name: value, __proto__: value } as unknown as JsonObject;
        const form = inside as unknown as Form;
        const place: Place = {
          type: "input",
          prompt: "?",
          context: inside,
          metadata: inside,
          responseSchema: inside,
          form,
        };
        const wire = toWire("PlaceIn", place);
        expect(wire.context).toBe(inside);
        expect(wire.metadata).toBe(inside);
        expect(wire.response_schema).toBe(inside);
        expect(wire.form).toBe(inside);
        expect(toWire("AnswerIn", { action: "submit", data: inside }).data).toBe(inside);
      }),
    );
  });
});

describe("fromWire", () => {
  it("renames a hold and every declared member of it", () => {
    const at = "2026-03-01T09:30:00.000Z";
    const wire: HoldOut = {
      id: "hold_1",
      case_id: "review_1",
      status: "decided",
      type: "approval",
      prompt: "Go?",
      context: { order_id: { deep_name: 1 } },
      actions: [{ id: "approve", label: "Approve" }],
      digest: "d",
      created_by: "agent",
      created_at: at,
      attempt: 1,
      ladder: [{ at, kind: "attempt", n: 2, channel: "mail", state: "waiting" }],
      version: 2,
      links: "agent",
      claim: { id: "c", hold_id: "hold_1", state: "claimed", claimed_by: "agent", claimed_at: at, until: at },
      outcome: {
        kind: "decided",
        action: "approve",
        data: { edited_args: { to_whom: "x" } },
        by: { kind: "link", id: "l", claimed: { full_name: "M" } },
        door: "page",
        at,
      },
    };
    const hold = fromWire("HoldOut", wire);
    expect(holdFromWire(wire)).toEqual(hold);
    expect(hold).toMatchObject({
      caseId: "review_1",
      createdBy: "agent",
      claim: { holdId: "hold_1", claimedAt: at },
    });
    expect(hold.context).toBe(wire.context);
    expect(hold.outcome).toEqual(wire.outcome);
  });

  it("renames the person who cancelled without treating them as a decider", () => {
    const by = { kind: "key", id: "a" } as const;
    const outcome = fromWire("OutcomeOut", {
      kind: "cancelled",
      cancelled_by: by,
      at: "2026-03-01T09:30:00Z",
    });
    expect(outcome).toEqual({ kind: "cancelled", cancelledBy: by, at: "2026-03-01T09:30:00Z" });
  });
});

describe("names", () => {
  it("survive a translation to the wire and back", () => {
    const name = fc.stringMatching(/^[a-z]+(_[a-z]+)*$/);
    fc.assert(fc.property(name, (text) => snake(camel(text)) === text));
  });
});

/** Places in a schema where a declared object with two-part names is held, as dotted wire names. */
function declaredObjects(schema: JsonObject, defs: JsonObject, seen: readonly JsonObject[] = []): string[][] {
  if (seen.includes(schema)) return [];
  const next = [...seen, schema];
  const { $ref, properties, items, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string")
    return declaredObjects(defs[$ref.replace("#/$defs/", "")] as JsonObject, defs, next);
  const branches = [anyOf, oneOf, allOf].flatMap((list) =>
    Array.isArray(list) ? (list as JsonObject[]) : [],
  );
  if (isObject(items)) branches.push(items);
  const inBranches = branches.flatMap((branch) => declaredObjects(branch, defs, next));
  if (!isObject(properties)) return inBranches;
  const own = Object.keys(properties).some((name) => name.includes("_")) ? [[]] : [];
  const inMembers = Object.entries(properties).flatMap(([name, member]) =>
    declaredObjects(member as JsonObject, defs, next).map((path) => [name, ...path]),
  );
  return [...own, ...inMembers, ...inBranches];
}

describe("shapes", () => {
  it.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])("cover every declared object of %s", (name) => {
    const json = z.toJSONSchema(wireSchemas[name], {
      unrepresentable: "any",
      io: "input",
    }) as unknown as JsonObject;
    const paths = declaredObjects(json, (json["$defs"] ?? {}) as JsonObject);
    // A form's members keep the names its author wrote: they are the same on both sides.
    const ours = paths.filter((path) => !path.includes("form"));
    for (const path of ours) {
      const shape = path.reduce<Shape | undefined>((here, member) => here?.[member], SHAPES[name]);
      expect(shape, path.join(".")).toBeDefined();
    }
  });
});

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
/** Open objects have any name; a form keeps its author's. */
type Camelled<T> = T extends string | number | boolean | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Camelled<Item>[]
    : string extends keyof T
      ? T
      : {
          readonly [Name in keyof T as Name extends string ? Camel<Name> : Name]: Name extends "form"
            ? T[Name]
            : Camelled<T[Name]>;
        };

describe("types of programs", () => {
  it("are those of the wire in camelCase", () => {
    expectTypeOf<Camelled<HoldOut>>().toExtend<Hold>();
    expectTypeOf<keyof Hold>().toEqualTypeOf<keyof Camelled<HoldOut>>();
    expectTypeOf<Camelled<ClaimOut>>().toExtend<Claim>();
    expectTypeOf<keyof Claim>().toEqualTypeOf<keyof Camelled<ClaimOut>>();
    expectTypeOf<Camelled<GroupOut>>().toExtend<Group>();
    expectTypeOf<keyof Group>().toEqualTypeOf<keyof Camelled<GroupOut>>();
    expectTypeOf<Camelled<LinkOut>>().toExtend<Link>();
    expectTypeOf<keyof Link>().toEqualTypeOf<keyof Camelled<LinkOut>>();
    expectTypeOf<Camelled<EventOut>>().toExtend<HoldEvent>();
    expectTypeOf<keyof HoldEvent>().toEqualTypeOf<keyof Camelled<EventOut>>();
    expectTypeOf<Camelled<PlaceIn>>().toExtend<Place>();
    expectTypeOf<keyof Place>().toEqualTypeOf<keyof Camelled<PlaceIn>>();
  });
});
