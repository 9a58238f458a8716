import { describe, expect, test } from "vitest";
import { plainJudge } from "../testing/plain-judge.ts";
import {
  type Ask,
  checkAnswer,
  FILE_INPUT,
  filePlaces,
  filesIn,
  isFileRef,
  type JsonObject,
  readFormPost,
  wantsFile,
} from "./index.ts";

const file = { file_id: "file_1", name: "contract.pdf", sha256: "0".repeat(64) };
const field = { key: "contract", label: "Contract", type: "x-file-upload", required: true } as const;
const form: Ask = { type: "input", prompt: "?", form: { fields: [field] } };
const upload: JsonObject = { type: "object", title: "Signed contract", "x-file-upload": true };
const schema = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const input = (responseSchema: JsonObject): Ask => ({ type: "input", prompt: "?", responseSchema });

const given = (ask: Ask, data: JsonObject, action = "submit") =>
  checkAnswer(ask, { action, data }, plainJudge);

describe("file references", () => {
  test.each([
    [file, true],
    [{ ...file, note: "more" }, true],
    [{ ...file, sha256: "abc" }, false],
    [{ ...file, file_id: 1 }, false],
    [{ ...file, name: null }, false],
    ["contract.pdf", false],
    [undefined, false],
  ])("the value %j is a file reference: %s", (value, is) => {
    expect(isFileRef(value)).toBe(is);
  });

  test("a file field accepts only a file reference, and may be required", () => {
    expect(given(form, { contract: file })).toEqual({ ok: true, data: { contract: file } });
    for (const contract of ["contract.pdf", { file_id: "file_1" }]) {
      expect(given(form, { contract })).toMatchObject({
        ok: false,
        problems: [{ key: "contract", rule: "file" }],
      });
    }
    expect(given(form, {})).toMatchObject({ ok: false, problems: [{ key: "contract", rule: "required" }] });
  });

  test("files are found wherever a schema asks for an upload", () => {
    const ask = input(
      schema({ main: upload, more: { type: "array", items: upload }, note: { type: "string" } }),
    );
    const data = { main: file, more: [file, file], note: "both", extra: { file_id: "not ours" } };
    expect(filesIn(ask, data).map(({ key }) => key)).toEqual(["/main", "/more/0", "/more/1"]);
    expect(given(ask, data)).toMatchObject({ ok: true });
    expect(given(ask, { main: { name: "x" } })).toMatchObject({
      ok: false,
      problems: [{ key: "/main", rule: "file" }],
    });
  });

  test("files are looked for in the part of the answer that the schema describes", () => {
    expect(filesIn(input(upload), file)).toEqual([{ key: "", value: file }]);
    const list = input({ type: "array", items: upload });
    expect(filesIn(list, { value: [file] })).toEqual([{ key: "/value/0", value: file }]);
    expect(filesIn(list, {})).toEqual([]);
    const approval: Ask = { type: "approval", prompt: "?", responseSchema: schema({ doc: upload }) };
    expect(filesIn(approval, { edited_args: { doc: file } })).toEqual([
      { key: "/edited_args/doc", value: file },
    ]);
    expect(filesIn({ type: "approval" }, { edited_args: { doc: file } })).toEqual([]);
    expect(filesIn(form, {})).toEqual([]);
  });

  test("an ask wants a file when its form has a file field or its schema an upload", () => {
    const text = { key: "a", label: "A", type: "text" } as const;
    expect(wantsFile(form)).toBe(true);
    expect(wantsFile({ type: "input", form: { fields: [text] } })).toBe(false);
    expect(wantsFile(input({ anyOf: [{ type: "string" }, upload] }))).toBe(true);
    expect(wantsFile(input(schema({ a: { type: "string" } })))).toBe(false);
    expect(wantsFile({ type: "input" })).toBe(false);
  });
});

describe("pages without script", () => {
  test("find the places where a schema wants files, by name and to a limited depth", () => {
    const inner = schema({ scan_of_it: { "x-file-upload": true } });
    expect(
      filePlaces(schema({ contract: upload, "a/b": inner, no: true, text: { type: "string" } })),
    ).toEqual([
      { at: "/contract", label: "Signed contract" },
      { at: "/a~1b/scan_of_it", label: "scan of it" },
    ]);
    expect(
      filePlaces(schema({ a: schema({ b: schema({ c: schema({ d: schema({ e: upload }) }) }) }) })),
    ).toEqual([]);
  });

  test("send the file reference as JSON, under the field's key or the schema's path", () => {
    const text = JSON.stringify(file);
    expect(readFormPost(form, [["contract", text]]).data).toEqual({ contract: file });
    expect(readFormPost(form, [["contract", ""]]).data).toEqual({});
    expect(readFormPost(form, []).data).toEqual({});
    const ask = input(schema({ main: upload }));
    const pairs = [
      ["data", '{"note":"n","deep":{"x":1}}'],
      [`${FILE_INPUT}/main`, text],
      [`${FILE_INPUT}/deep/a~1b`, text],
      [`${FILE_INPUT}/fresh/one`, text],
      [`${FILE_INPUT}/none`, ""],
    ] as const;
    expect(readFormPost(ask, pairs).data).toEqual({
      note: "n",
      main: file,
      deep: { x: 1, "a/b": file },
      fresh: { one: file },
    });
  });
});
