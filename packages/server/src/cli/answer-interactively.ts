/** Answers one hold in the terminal: shows the whole ask, then asks for the action and the data it needs. */

import type { Interface } from "node:readline/promises";
import type { Hold, HoldClient } from "@holdpoint/protocol/client";
import { type Field, fieldsOf, type JsonObject, needsNote, visibleFields } from "@holdpoint/protocol/rules";
import { clean } from "./clean.ts";
import type { Io } from "./io.ts";
import { outcomeText, painter, wholeAsk } from "./show.ts";

export type Questions = Pick<Interface, "question">;

export async function answerInteractively(
  hp: HoldClient,
  hold: Hold,
  lines: Questions,
  io: Io,
): Promise<void> {
  const paint = painter(io);
  io.out(`\n${wholeAsk(hold, io)}`);
  const words = hold.actions.map(({ id }) => id);
  const action = (await lines.question(`${words.map(clean).join(" / ")} (Enter goes back): `)).trim();
  if (action === "") return;
  if (!words.includes(action)) {
    io.out(`${paint("yellow", "this hold does not have that action")}; nothing was sent\n`);
    return;
  }
  const data = await dataFor(hold, action, lines);
  try {
    const answered = await hp.answer(hold.id, { action, data, shown: hold.digest });
    if (answered.outcome !== undefined) io.out(`${outcomeText(answered.outcome, io)}\n`);
  } catch (fault) {
    io.out(`${paint("red", clean((fault as Error).message))}\n`);
  }
}

/** The server takes no approval of an unknown call without it (G15). */
const HOW_KNOWN = "the exact call is unknown. How do you know what will run? ";

async function dataFor(hold: Hold, action: string, lines: Questions): Promise<JsonObject> {
  if (hold.form !== undefined) return formData(hold, lines);
  switch (hold.type) {
    case "selection": {
      const text = await lines.question("which (ids, separated by commas): ");
      return {
        selected: text
          .split(",")
          .map((id) => id.trim())
          .filter((id) => id !== ""),
      };
    }
    case "approval":
      if (needsNote(hold, action)) return noted("note", await lines.question(HOW_KNOWN));
      return noted("feedback", await lines.question(action === "approve" ? "note (optional): " : "why: "));
    case "escalation":
      return noted("reason", await lines.question("why (optional): "));
    case "confirmation":
      return noted("note", await lines.question(needsNote(hold, action) ? HOW_KNOWN : "note (optional): "));
    default:
      if (hold.responseSchema !== undefined)
        return readObject(await lines.question("your answer, as JSON: "));
      // Custom types need only the action; `input` also needs a value.
      return hold.type === "input"
        ? { value: await lines.question("your answer: ") }
        : noted("note", await lines.question("note (optional): "));
  }
}

function noted(name: string, text: string): JsonObject {
  return text.trim() === "" ? {} : { [name]: text.trim() };
}

function readObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonObject;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
  } catch {
    return { value: text };
  }
}

/** Asks for one field after another. An answer can make a conditional field visible. */
async function formData(hold: Hold, lines: Questions): Promise<JsonObject> {
  const form = hold.form ?? {};
  const data: Record<string, JsonObject[string]> = {};
  for (const field of fieldsOf(form)) {
    if (!visibleFields(form, data).some(({ key }) => key === field.key)) continue;
    const choices =
      field.options === undefined ? "" : ` [${field.options.map(({ value }) => clean(value)).join(", ")}]`;
    const text = await lines.question(
      `${clean(field.label)}${choices}${field.required === true ? " *" : ""}: `,
    );
    if (text.trim() !== "") data[field.key] = readValue(field, text.trim());
  }
  return data;
}

function readValue(field: Field, text: string): JsonObject[string] {
  switch (field.type) {
    case "number":
    case "range":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return /^(y|yes|true|1)$/i.test(text);
    case "multiselect":
      return text.split(",").map((value) => value.trim());
    default:
      return text;
  }
}
