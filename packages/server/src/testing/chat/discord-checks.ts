/** What Discord's API refuses, and in which shape. */

export type Json = Readonly<Record<string, unknown>>;

export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: Json | undefined;

  constructor(status: number, code: number, message: string, errors?: Json) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

type Report = (path: readonly (string | number)[], code: string, message: string) => void;

/** Collects problems under their paths, as `Invalid Form Body` names them. */
class Problems {
  #errors: Record<string, unknown> = {};
  #any = false;

  readonly report: Report = (path, code, message) => {
    this.#any = true;
    let at = this.#errors;
    for (const step of path) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at["_errors"] = [...((at["_errors"] ?? []) as unknown[]), { code, message }];
  };

  refuse(): void {
    if (this.#any) throw new DiscordRefusal(400, 50_035, "Invalid Form Body", this.#errors);
  }
}

export function checkMessage(body: Json, isEdit = false): void {
  const problems = new Problems();
  const { report } = problems;
  length(body["content"], 2000, ["content"], report);
  const embeds = (body["embeds"] ?? []) as readonly Json[];
  if (embeds.length > 10) report(["embeds"], "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  let total = 0;
  for (const [index, embed] of embeds.entries()) total += checkEmbed(embed, ["embeds", index], report);
  if (total > 6000) report(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000");
  length(body["nonce"], 25, ["nonce"], report);
  checkRows(body["components"], ["components"], report);
  problems.refuse();
  const isEmpty = (body["content"] ?? "") === "" && embeds.length === 0;
  if (isEmpty && !isEdit) throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
}

export function checkModal(data: Json): void {
  const problems = new Problems();
  const { report } = problems;
  const at = ["data"];
  required(data["title"], 45, [...at, "title"], report);
  required(data["custom_id"], 100, [...at, "custom_id"], report);
  const rows = (data["components"] ?? []) as readonly Json[];
  range(rows.length, 1, 5, [...at, "components"], report);
  for (const [index, row] of rows.entries()) {
    const place = [...at, "components", index];
    if (row["type"] === 18) {
      required(row["label"], 45, [...place, "label"], report);
      length(row["description"], 100, [...place, "description"], report);
      checkField(row["component"] as Json, [...place, "component"], report);
    } else {
      const fields = (row["components"] ?? []) as readonly Json[];
      range(fields.length, 1, 1, [...place, "components"], report);
      for (const field of fields) {
        required(field["label"], 45, [...place, "components", 0, "label"], report);
        checkField(field, [...place, "components", 0], report);
      }
    }
  }
  problems.refuse();
}

function checkField(field: Json, at: readonly (string | number)[], report: Report): void {
  required(field["custom_id"], 100, [...at, "custom_id"], report);
  if (field["type"] === 3) {
    checkOptions(field, at, report);
    return;
  }
  if (field["type"] !== 4)
    report([...at, "type"], "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (3, 4).');
  if (field["style"] !== 1 && field["style"] !== 2) {
    report([...at, "style"], "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.");
  }
  length(field["placeholder"], 100, [...at, "placeholder"], report);
  length(field["value"], 4000, [...at, "value"], report);
  for (const name of ["min_length", "max_length"]) {
    const value = field[name];
    if (typeof value === "number") range(value, name === "min_length" ? 0 : 1, 4000, [...at, name], report);
  }
}

function checkEmbed(embed: Json, at: readonly (string | number)[], report: Report): number {
  const footer = (embed["footer"] ?? {}) as Json;
  const author = (embed["author"] ?? {}) as Json;
  const parts: [unknown, number, readonly (string | number)[]][] = [
    [embed["title"], 256, [...at, "title"]],
    [embed["description"], 4096, [...at, "description"]],
    [footer["text"], 2048, [...at, "footer", "text"]],
    [author["name"], 256, [...at, "author", "name"]],
  ];
  const fields = (embed["fields"] ?? []) as readonly Json[];
  if (fields.length > 25) report([...at, "fields"], "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  for (const [index, field] of fields.entries()) {
    required(field["name"], 256, [...at, "fields", index, "name"], report);
    required(field["value"], 1024, [...at, "fields", index, "value"], report);
    parts.push([field["name"], 256, []], [field["value"], 1024, []]);
  }
  for (const [value, most, place] of parts) if (place.length > 0) length(value, most, place, report);
  return parts.reduce((sum, [value]) => sum + String(value ?? "").length, 0);
}

function checkRows(value: unknown, at: readonly (string | number)[], report: Report): void {
  const rows = (value ?? []) as readonly Json[];
  if (rows.length > 5) report(at, "BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length.");
  const ids = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const place = [...at, index];
    if (row["type"] !== 1)
      report([...place, "type"], "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).');
    const parts = (row["components"] ?? []) as readonly Json[];
    const hasSelect = parts.some((part) => part["type"] === 3);
    range(parts.length, 1, hasSelect ? 1 : 5, [...place, "components"], report);
    for (const [number, part] of parts.entries()) {
      checkComponent(part, [...place, "components", number], report);
      const id = part["custom_id"];
      if (id !== undefined && ids.has(String(id))) {
        report(
          [...place, "components", number, "custom_id"],
          "COMPONENT_CUSTOM_ID_DUPLICATED",
          "Component custom id cannot be duplicated",
        );
      }
      ids.add(String(id));
    }
  }
}

function checkComponent(part: Json, at: readonly (string | number)[], report: Report): void {
  if (part["type"] === 2) {
    required(part["label"], 80, [...at, "label"], report);
    if (part["style"] === 5) required(part["url"], 512, [...at, "url"], report);
    else required(part["custom_id"], 100, [...at, "custom_id"], report);
    if (![1, 2, 3, 4, 5].includes(Number(part["style"]))) {
      report([...at, "style"], "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.");
    }
  } else if (part["type"] === 3) {
    required(part["custom_id"], 100, [...at, "custom_id"], report);
    checkOptions(part, at, report);
  } else {
    report([...at, "type"], "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).');
  }
}

function checkOptions(part: Json, at: readonly (string | number)[], report: Report): void {
  length(part["placeholder"], 150, [...at, "placeholder"], report);
  const options = (part["options"] ?? []) as readonly Json[];
  range(options.length, 1, 25, [...at, "options"], report);
  for (const [index, option] of options.entries()) {
    required(option["label"], 100, [...at, "options", index, "label"], report);
    required(option["value"], 100, [...at, "options", index, "value"], report);
    length(option["description"], 100, [...at, "options", index, "description"], report);
  }
}

function required(value: unknown, most: number, at: readonly (string | number)[], report: Report): void {
  if (value === undefined || value === "") report(at, "BASE_TYPE_REQUIRED", "This field is required");
  else length(value, most, at, report);
}

function length(value: unknown, most: number, at: readonly (string | number)[], report: Report): void {
  if (value === undefined || value === null) return;
  if (String(value).length > most) {
    report(at, "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
  }
}

function range(
  n: number,
  least: number,
  most: number,
  at: readonly (string | number)[],
  report: Report,
): void {
  if (n < least || n > most) {
    report(at, "BASE_TYPE_BAD_LENGTH", `Must be between ${least} and ${most} in length.`);
  }
}
