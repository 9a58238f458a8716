import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { create, INPUT, openCase, pathOf } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const TEXT = { key: "a", label: "A", type: "text" };
const withForm = (form: unknown) => ({ type: "input", prompt: "?", context: { form } });
const withField = (field: object) => withForm({ fields: [{ ...TEXT, ...field }] });

async function refused(form: unknown) {
  const { status, body } = await create(server, withForm(form));
  return { status, keys: (body.fields ?? []).map((field: { key: string }) => field.key) };
}

/** The status and the keys at fault when this is sent, past any page. */
async function sent(field: object, value: unknown) {
  const opened = await openCase(server, withField(field));
  const { status, body } = await opened.respond({
    action: "submit",
    data: value === undefined ? {} : { a: value },
  });
  return [status, ...(body.fields ?? []).map((one: { key: string }) => one.key)];
}
const GOOD = [200];
const BAD = [422, "a"];

describe("making a form", () => {
  test("HP-058 a form has either fields or steps", async () => {
    expect(await refused({})).toEqual({ status: 400, keys: ["/context/form"] });
    expect(await refused({ fields: [TEXT], steps: [{ title: "One", fields: [TEXT] }] })).toMatchObject({
      status: 400,
    });
    expect((await create(server, withForm({ fields: [TEXT] }))).status).toBe(202);
  });

  test("HP-059 a field has key, label and type, and unknown members are refused", async () => {
    for (const name of ["key", "label", "type"]) {
      const { [name as "key"]: _left, ...rest } = TEXT;
      expect(await refused({ fields: [rest] })).toEqual({
        status: 400,
        keys: [`/context/form/fields/0/${name}`],
      });
    }
    expect(await refused({ fields: [{ ...TEXT, key: "1a" }] })).toMatchObject({ status: 400 });
    expect(await refused({ fields: [{ ...TEXT, label: "x".repeat(201) }] })).toMatchObject({ status: 400 });
    expect(await refused({ fields: [{ ...TEXT, colour: "red" }] })).toEqual({
      status: 400,
      keys: ["/context/form/fields/0/colour"],
    });
  });

  test("HP-060 a form with a repeated key is refused, also across steps", async () => {
    const step = { title: "One", fields: [TEXT] };
    expect(await refused({ fields: [TEXT, TEXT] })).toMatchObject({ status: 400 });
    expect(await refused({ steps: [step, step] })).toMatchObject({ status: 400 });
  });

  test("HP-065 a sensitive field with a default is refused", async () => {
    expect(await refused({ fields: [{ ...TEXT, sensitive: true, default: "x" }] })).toMatchObject({
      status: 400,
    });
  });

  test("HP-069 options must have value and label as text", async () => {
    expect(await refused({ fields: [{ ...TEXT, type: "select" }] })).toMatchObject({ status: 400 });
    const numbers = [{ value: 1, label: "One" }];
    expect(await refused({ fields: [{ ...TEXT, type: "select", options: numbers }] })).toMatchObject({
      status: 400,
    });
  });

  test("HP-072 bounds of a date may be written as dates and are shown as milliseconds", async () => {
    const validation = { min: "2026-01-01", max: "2026-12-31" };
    const { hitl } = await openCase(server, withField({ type: "date", validation }));
    expect(hitl.context.form.fields[0].validation).toEqual({
      min: Date.UTC(2026, 0, 1),
      max: Date.UTC(2026, 11, 31),
    });
  });

  test("HP-076 a step has a title and fields, perhaps none, and nothing unknown", async () => {
    const steps = [
      { title: "One", description: "First", fields: [TEXT] },
      { title: "Review", fields: [] },
    ];
    expect((await openCase(server, withForm({ steps }))).hitl.context.form.steps).toEqual(steps);
    expect(await refused({ steps: [{ fields: [TEXT] }] })).toMatchObject({ status: 400 });
    expect(await refused({ steps: [{ title: "One", fields: [TEXT], icon: "x" }] })).toMatchObject({
      status: 400,
    });
  });

  test("HP-079 a condition has all three members and one of five operators", async () => {
    const conditional = { field: "a", operator: "eq", value: "x" };
    const second = { ...TEXT, key: "b" };
    for (const operator of ["eq", "neq", "in"])
      expect(
        (
          await create(
            server,
            withForm({
              fields: [
                TEXT,
                {
                  ...second,
                  conditional: { ...conditional, operator, value: operator === "in" ? ["x"] : "x" },
                },
              ],
            }),
          )
        ).status,
      ).toBe(202);
    const numbers = { ...TEXT, type: "number" };
    for (const operator of ["gt", "lt"]) {
      const fields = [numbers, { ...second, conditional: { field: "a", operator, value: 5 } }];
      expect((await create(server, withForm({ fields }))).status).toBe(202);
    }
    for (const name of ["field", "operator", "value"]) {
      const { [name as "field"]: _left, ...rest } = conditional;
      expect(await refused({ fields: [TEXT, { ...second, conditional: rest }] })).toMatchObject({
        status: 400,
      });
    }
    expect(
      await refused({ fields: [TEXT, { ...second, conditional: { ...conditional, operator: "like" } }] }),
    ).toMatchObject({ status: 400 });
  });
});

describe("the page of a form", () => {
  const FIELDS = [
    "text",
    "textarea",
    "number",
    "date",
    "email",
    "url",
    "boolean",
    "select",
    "multiselect",
    "range",
  ].map((type) => ({
    key: `the_${type}`,
    label: `The ${type}`,
    type,
    ...(type.endsWith("select")
      ? {
          options: [
            { value: "v", label: "V" },
            { value: "w", label: "W" },
          ],
        }
      : {}),
  }));

  test("HP-061 each of the ten field types has its own control, and its value arrives with the right type", async () => {
    const opened = await openCase(server, withForm({ fields: FIELDS }));
    const page = (await opened.open()).body as string;
    for (const [type, control] of [
      ["text", /<input[^>]*type="text"[^>]*name="the_text"|<input[^>]*name="the_text"[^>]*type="text"/],
      ["textarea", /<textarea[^>]*name="the_textarea"/],
      ["number", /<input[^>]*the_number[^>]*>/],
      ["date", /<input[^>]*type="date"/],
      ["email", /<input[^>]*type="email"/],
      ["url", /<input[^>]*type="url"/],
      [
        "boolean",
        /<input[^>]*type="(checkbox|radio)"[^>]*the_boolean|the_boolean[^>]*type="(checkbox|radio)"/,
      ],
      ["select", /<select[^>]*name="the_select"|type="radio"[^>]*the_select/],
      ["multiselect", /the_multiselect/],
      ["range", /<input[^>]*type="range"/],
    ] as const)
      expect(page, type).toMatch(control);
    const form = new URLSearchParams({
      action: "submit",
      the_text: "t",
      the_textarea: "two\r\nlines",
      the_number: "4.5",
      the_date: "2026-03-01",
      the_email: "a@example.com",
      the_url: "https://example.com/",
      the_boolean: "on",
      the_select: "v",
      the_range: "30",
    });
    form.append("the_multiselect", "v");
    form.append("the_multiselect", "w");
    const reply = await server.call("POST", opened.at("respond"), {
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(reply.status).toBe(303);
    expect((await opened.poll()).body.result.data).toEqual({
      the_text: "t",
      the_textarea: "two\nlines",
      the_number: 4.5,
      the_date: "2026-03-01",
      the_email: "a@example.com",
      the_url: "https://example.com/",
      the_boolean: true,
      the_select: "v",
      the_multiselect: ["v", "w"],
      the_range: 30,
    });
  });

  test("HP-062 a field of an unknown type is shown as a text field", async () => {
    const page = (await (await openCase(server, withField({ type: "x-colour" }))).open()).body;
    expect(page).toMatch(/<(input|textarea)[^>]*name="a"/);
  });

  test("HP-064 the page shows placeholder, hint and default, and ties the hint to its field", async () => {
    const field = { placeholder: "e.g. blue", hint: "Any colour", default: "green" };
    const page = (await (await openCase(server, withField(field))).open()).body as string;
    expect(page).toContain('placeholder="e.g. blue"');
    expect(page).toContain("Any colour");
    expect(page).toMatch(/value="green"/);
    const id = /aria-describedby="([^"]+)"/.exec(page)?.[1]?.split(" ")[0];
    expect(page).toContain(`id="${id}"`);
  });

  test("HP-067 a sensitive field is masked", async () => {
    const page = (await (await openCase(server, withField({ sensitive: true }))).open()).body;
    expect(page).toMatch(/<input[^>]*type="password"[^>]*name="a"|<input[^>]*name="a"[^>]*type="password"/);
  });

  test("HP-075 a slider without bounds runs from 0 to 100", async () => {
    const page = (await (await openCase(server, withField({ type: "range" }))).open()).body as string;
    const slider = /<input[^>]*type="range"[^>]*>/.exec(page)?.[0];
    expect(slider).toContain('min="0"');
    expect(slider).toContain('max="100"');
  });
});

describe("answers checked by the server", () => {
  test("HP-063 a required field must be answered", async () => {
    expect(await sent({ required: true }, undefined)).toEqual(BAD);
    expect(await sent({ required: true }, "")).toEqual(BAD);
    expect(await sent({}, undefined)).toEqual(GOOD);
  });

  test("HP-069 an answer must be one of the offered options", async () => {
    const options = [{ value: "v", label: "V" }];
    expect(await sent({ type: "select", options }, "v")).toEqual(GOOD);
    expect(await sent({ type: "select", options }, "z")).toEqual(BAD);
    expect((await sent({ type: "multiselect", options }, ["v", "z"]))[0]).toBe(422);
  });

  test.each([
    ["text", (length: number) => "x".repeat(length)],
    ["textarea", (length: number) => "x".repeat(length)],
    ["email", (length: number) => `${"x".repeat(length - 7)}@b.test`],
    ["url", (length: number) => `https://${"x".repeat(length - 8)}`],
  ] as const)("HP-070 the length limits of a %s are inclusive", async (type, ofLength) => {
    const field = { type, validation: { minLength: 12, maxLength: 14 } };
    const lengths = await Promise.all([11, 12, 13, 14, 15].map((length) => sent(field, ofLength(length))));
    expect(lengths.map(([status]) => status)).toEqual([422, 200, 200, 200, 422]);
  });

  test("HP-071 a pattern must match the whole value, and no pattern can hang the server", async () => {
    const field = { validation: { pattern: "[a-z]+" } };
    expect(await sent(field, "abc")).toEqual(GOOD);
    expect(await sent(field, "abc1")).toEqual(BAD);
    expect(await sent({ validation: { pattern: "(a+)+" } }, `${"a".repeat(5_000)}!`)).toEqual(BAD);
  });

  test.each([
    ["number", { min: 2, max: 4 }, [1, 2, 3, 4, 5]],
    ["range", { min: 2, max: 4 }, [1, 2, 3, 4, 5]],
    [
      "date",
      { min: "2026-01-02", max: "2026-01-04" },
      ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"],
    ],
  ])("HP-072 the bounds of a %s are inclusive", async (type, validation, values) => {
    const replies = await Promise.all(values.map((value) => sent({ type, validation }, value)));
    expect(replies.map(([status]) => status)).toEqual([422, 200, 200, 200, 422]);
  });

  test.each([
    ["email", "not an address"],
    ["url", "not an address"],
    ["date", "2026-02-30"],
    ["number", "four"],
    ["boolean", "yes"],
  ])("HP-073 the server validates a %s too", async (type, value) => {
    expect(await sent({ type }, value)).toEqual(BAD);
  });

  test("HP-074 a required boolean must be answered, and false is an answer", async () => {
    expect(await sent({ type: "boolean", required: true }, undefined)).toEqual(BAD);
    expect(await sent({ type: "boolean", required: true }, false)).toEqual(GOOD);
  });

  test("HP-080 a hidden field is neither required nor stored, whatever was posted", async () => {
    const opened = await openCase(server, INPUT);
    const data = { name: "Ada", kind: "full", rate: 90 };
    expect((await opened.respond({ action: "submit", data })).status).toBe(200);
    expect((await opened.poll()).body.result.data).toEqual({ name: "Ada", kind: "full" });
    const part = await openCase(server, INPUT);
    expect(
      (await part.respond({ action: "submit", data: { name: "Ada", kind: "part" } })).body.fields,
    ).toMatchObject([{ key: "rate", rule: "required" }]);
  });

  test("HP-081 a field that depends on a hidden field is hidden", async () => {
    const form = {
      fields: [
        { ...TEXT, key: "a" },
        { ...TEXT, key: "b", conditional: { field: "a", operator: "eq", value: "yes" } },
        { ...TEXT, key: "c", required: true, conditional: { field: "b", operator: "neq", value: "x" } },
      ],
    };
    const opened = await openCase(server, withForm(form));
    expect((await opened.respond({ action: "submit", data: { a: "no", b: "y", c: "z" } })).status).toBe(200);
    expect((await opened.poll()).body.result.data).toEqual({ a: "no" });
  });

  test("HP-068 sensitive values reach the agent that asked and are in no log", async () => {
    const canary = "DE-4711-CANARY";
    const opened = await openCase(server, INPUT);
    await server.call("PUT", opened.at("session"), { body: { values: { name: "Ada", tax_id: canary } } });
    const bad = await opened.respond({ action: "submit", data: { tax_id: canary } });
    expect(bad.status).toBe(422);
    expect((await opened.respond({ action: "submit", data: { name: "Ada", tax_id: canary } })).status).toBe(
      200,
    );
    expect((await opened.poll()).body.result.data.tax_id).toBe(canary);
    const seen = await opened.poll({ key: server.keys.operator });
    expect(seen.body.result.data.tax_id).toEqual({ withheld: true });
    const events = await server.call("GET", `/v1/holds/${opened.holdId}/events`, { key: server.keys.admin });
    const page = await opened.open();
    expect(JSON.stringify([bad.body, events.body, server.log, page.body])).not.toContain(canary);
  });
});

describe("values that only the page may fetch", () => {
  const SALARY = {
    ...withField({ key: "salary", type: "number", sensitive: true }),
    prefill: { salary: 81_000 },
  };

  test("HP-066 a prefilled field has a default_ref, and its value is in no 202 and on no page", async () => {
    const opened = await openCase(server, SALARY);
    const { default_ref } = opened.hitl.context.form.fields[0];
    expect(JSON.stringify(opened.reply.body)).not.toContain("81000");
    expect((await opened.open()).body).not.toContain("81000");
    const get = (query: string) => server.call("GET", pathOf(default_ref) + query);
    const ours = `?case_id=${opened.hitl.case_id}&token=${opened.token}`;
    expect(await get("")).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect(await get(`?case_id=${opened.hitl.case_id}&token=wrong`)).toMatchObject({ status: 401 });
    expect(await get(`?token=${opened.token}`)).toMatchObject({ status: 401 });
    expect(await get(ours)).toMatchObject({ status: 200, body: { value: 81_000 } });
    await opened.respond({ action: "submit", data: { salary: 1 } });
    expect(await get(ours)).toMatchObject({ status: 404 });
  });

  test("HP-066 a submit token cannot fetch prefilled values, and a value without a field is refused", async () => {
    const opened = await openCase(server, SALARY);
    const other = await openCase(server, { type: "confirmation", prompt: "?", inline: true });
    const { default_ref } = opened.hitl.context.form.fields[0];
    const query = `?case_id=${other.hitl.case_id}&token=${other.hitl.submit_token}`;
    expect((await server.call("GET", pathOf(default_ref) + query)).status).toBe(401);
    expect((await create(server, { ...SALARY, prefill: { bonus: 1 } })).status).toBe(400);
    const ref = (default_ref: string) => withField({ default_ref });
    expect((await create(server, ref("http://evil.example/x"))).status).toBe(400);
    expect((await create(server, ref("https://shop.example/prefill/a"))).status).toBe(202);
  });

  test("HP-066 repeating a request with prefilled values finds the same case", async () => {
    const headers = { "idempotency-key": "salary" };
    const first = await openCase(server, SALARY, { headers });
    expect((await openCase(server, SALARY, { headers })).id).toBe(first.id);
  });
});

describe("a half-filled form", () => {
  test("HP-082 a saved draft is found again, also after a restart", async () => {
    await using folder = await temporaryFolder();
    const start = () =>
      testServer({ store: openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes: TABLE }) });
    const before = await start();
    const opened = await openCase(before, INPUT);
    const values = { name: "Ada", kind: "part" };
    expect((await before.call("PUT", opened.at("session"), { body: { values, step: 2 } })).status).toBe(200);
    await before[Symbol.asyncDispose]();
    await using after = await start();
    const { status, body } = await after.call("GET", opened.at("session"));
    expect({ status, ...body }).toMatchObject({ status: 200, case_id: opened.id, values, step: 2 });
  });

  test("HP-082 a draft is saved only if the form has a session, and without sensitive values", async () => {
    const { session_id: _session, ...form } = INPUT.context.form;
    const without = await openCase(server, withForm(form));
    expect((await server.call("PUT", without.at("session"), { body: { values: {} } })).status).toBe(404);
    const opened = await openCase(server, INPUT);
    expect((await server.call("GET", opened.at("session"))).status).toBe(404);
    const { body } = await server.call("PUT", opened.at("session"), {
      body: { values: { name: "A", tax_id: "9" } },
    });
    expect(body.values).toEqual({ name: "A" });
  });

  test("HP-083 a draft needs the link and is deleted when the case ends", async () => {
    await using test = await testServer();
    const save = (path: string) => test.call("PUT", path, { body: { values: { name: "Ada" } } });
    const opened = await openCase(test, INPUT);
    await save(opened.at("session"));
    for (const path of [opened.at("session", ""), opened.at("session", "wrong")]) {
      expect((await test.call("GET", path)).status).toBe(401);
      expect((await save(path)).status).toBe(401);
    }
    await opened.respond({ action: "submit", data: { name: "Ada" } });
    expect((await test.call("GET", opened.at("session"))).status).toBe(404);
    expect((await save(opened.at("session"))).status).toBe(409);
    const [row] = await test.store.load([
      { workspace: "default", kind: "form_session", id: opened.holdId, read: true },
    ]);
    expect(row).toBeUndefined();
    const late = await openCase(test, INPUT);
    await save(late.at("session"));
    await test.clock.advance(86_400_000);
    expect((await test.call("GET", late.at("session"))).status).toBe(410);
  });

  test("HP-084 progress counts the visible fields", async () => {
    const opened = await openCase(server, INPUT);
    const progressAt = async (values: object, step: number) => {
      expect((await opened.progress({ values, step })).status).toBe(200);
      const { body } = await opened.poll();
      expect(body.status).toBe("in_progress");
      return body.progress;
    };
    expect(await progressAt({}, 1)).toEqual({
      current_step: 1,
      total_steps: 3,
      completed_fields: 0,
      total_fields: 3,
    });
    expect(await progressAt({ name: "Ada", kind: "part" }, 2)).toEqual({
      current_step: 2,
      total_steps: 3,
      completed_fields: 2,
      total_fields: 4,
    });
  });
});
