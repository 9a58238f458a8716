/** Block Kit's limits, checked as Slack checks them: each problem names the place by a JSON pointer. */

type Json = Readonly<Record<string, unknown>>;
type Surface = "message" | "modal";
type Report = (problem: string, pointer: string) => void;

/** Problems in the words of `response_metadata.messages`; none if Slack would take the blocks. */
export function blockProblems(blocks: readonly unknown[], surface: Surface): readonly string[] {
  const problems: string[] = [];
  const report: Report = (problem, pointer) => problems.push(`[ERROR] ${problem} [json-pointer:${pointer}]`);
  const most = surface === "message" ? 50 : 100;
  if (blocks.length > most) report(`no more than ${most} items allowed`, "/blocks");
  const ids = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    const at = `/blocks/${index}`;
    if (!isObject(block)) {
      report("must be an object", at);
      continue;
    }
    const id = block["block_id"];
    if (id !== undefined) {
      text(id, 255, `${at}/block_id`, report);
      if (ids.has(String(id))) report(`\`block_id\` ${String(id)} is duplicated`, `${at}/block_id`);
      ids.add(String(id));
    }
    checkBlock(block, at, surface, report);
  }
  return problems;
}

export function viewProblems(view: Json): readonly string[] {
  const problems: string[] = [];
  const report: Report = (problem, pointer) => problems.push(`[ERROR] ${problem} [json-pointer:${pointer}]`);
  if (view["type"] !== "modal") report('unsupported type: must be "modal"', "/type");
  plain(view["title"], 24, "/title", report);
  for (const name of ["submit", "close"]) {
    if (view[name] !== undefined) plain(view[name], 24, `/${name}`, report);
  }
  optional(view["private_metadata"], 3000, "/private_metadata", report);
  optional(view["callback_id"], 255, "/callback_id", report);
  optional(view["external_id"], 255, "/external_id", report);
  const blocks = Array.isArray(view["blocks"]) ? (view["blocks"] as unknown[]) : [];
  if (blocks.length === 0) report("missing required field: blocks", "/blocks");
  const hasInput = blocks.some((block) => isObject(block) && block["type"] === "input");
  if (hasInput && view["submit"] === undefined) report("missing required field: submit", "/submit");
  return [...problems, ...blockProblems(blocks, "modal")];
}

type Check = (value: Json, at: string, report: Report, surface: Surface) => void;

const BLOCKS: Readonly<Record<string, Check>> = {
  section: (block, at, report) => checkSection(block, at, report),
  header: (block, at, report) => plain(block["text"], 150, `${at}/text`, report),
  divider: () => undefined,
  markdown: (block, at, report) => text(block["text"], 12_000, `${at}/text`, report),
  context: (block, at, report) =>
    each(block["elements"], 10, `${at}/elements`, report, (element, place) =>
      textObject(element, 2000, place, report),
    ),
  rich_text: (block, at, report) => checkRichText(block, at, report),
  actions: (block, at, report) => checkActions(block, at, report),
  input: (block, at, report, surface) => checkInput(block, at, surface, report),
};

function checkBlock(block: Json, at: string, surface: Surface, report: Report): void {
  const check = BLOCKS[String(block["type"])];
  if (check === undefined) report(`unsupported type: ${String(block["type"])}`, `${at}/type`);
  else check(block, at, report, surface);
}

const RICH = ["rich_text_section", "rich_text_preformatted", "rich_text_quote"];

function checkRichText(block: Json, at: string, report: Report): void {
  each(block["elements"], 50, `${at}/elements`, report, (part, place) => {
    if (!isObject(part) || !RICH.includes(String(part["type"]))) {
      report("unsupported type", `${place}/type`);
      return;
    }
    each(part["elements"], 100, `${place}/elements`, report, (element, where) => {
      if (!isObject(element) || element["type"] !== "text") report("unsupported type", `${where}/type`);
      else text(element["text"], 12_000, `${where}/text`, report);
    });
  });
}

function checkSection(block: Json, at: string, report: Report): void {
  if (block["text"] === undefined && block["fields"] === undefined) {
    report("missing required field: text", at);
  }
  if (block["text"] !== undefined) textObject(block["text"], 3000, `${at}/text`, report);
  if (block["fields"] !== undefined) {
    each(block["fields"], 10, `${at}/fields`, report, (field, place) =>
      textObject(field, 2000, place, report),
    );
  }
  if (block["accessory"] !== undefined) checkElement(block["accessory"], `${at}/accessory`, report);
}

function checkActions(block: Json, at: string, report: Report): void {
  const ids = new Set<string>();
  each(block["elements"], 25, `${at}/elements`, report, (element, place) => {
    checkElement(element, place, report);
    const id = isObject(element) ? element["action_id"] : undefined;
    if (id !== undefined && ids.has(String(id))) {
      report(`\`action_id\` "${String(id)}" already exists`, `${place}/action_id`);
    }
    ids.add(String(id));
  });
}

function checkInput(block: Json, at: string, surface: Surface, report: Report): void {
  if (surface === "message") report("unsupported type: input", `${at}/type`);
  plain(block["label"], 2000, `${at}/label`, report);
  if (block["hint"] !== undefined) plain(block["hint"], 2000, `${at}/hint`, report);
  checkElement(block["element"], `${at}/element`, report);
}

const ELEMENTS: Readonly<Record<string, (element: Json, at: string, report: Report) => void>> = {
  button: (element, at, report) => {
    plain(element["text"], 75, `${at}/text`, report);
    optional(element["value"], 2000, `${at}/value`, report);
    optional(element["url"], 3000, `${at}/url`, report);
    if (element["style"] !== undefined && !["primary", "danger"].includes(String(element["style"]))) {
      report("must be one of: primary, danger", `${at}/style`);
    }
  },
  plain_text_input: ({ max_length: most }, at, report) => {
    if (typeof most === "number" && (most < 1 || most > 3000)) {
      report("must be between 1 and 3000", `${at}/max_length`);
    }
  },
  static_select: (element, at, report) => checkOptions(element, 100, at, report),
  multi_static_select: (element, at, report) => checkOptions(element, 100, at, report),
  radio_buttons: (element, at, report) => checkOptions(element, 10, at, report),
  checkboxes: (element, at, report) => checkOptions(element, 10, at, report),
  number_input: () => undefined,
  email_text_input: () => undefined,
  url_text_input: () => undefined,
  datepicker: () => undefined,
  timepicker: () => undefined,
  datetimepicker: () => undefined,
};

function checkElement(element: unknown, at: string, report: Report): void {
  if (!isObject(element)) {
    report("must be an object", at);
    return;
  }
  optional(element["action_id"], 255, `${at}/action_id`, report);
  if (element["placeholder"] !== undefined) plain(element["placeholder"], 150, `${at}/placeholder`, report);
  if (element["confirm"] !== undefined) checkConfirm(element["confirm"], `${at}/confirm`, report);
  const check = ELEMENTS[String(element["type"])];
  if (check === undefined) report(`unsupported type: ${String(element["type"])}`, `${at}/type`);
  else check(element, at, report);
}

function checkOptions(element: Json, most: number, at: string, report: Report): void {
  each(element["options"], most, `${at}/options`, report, (option, place) => {
    if (!isObject(option)) {
      report("must be an object", place);
      return;
    }
    textObject(option["text"], 75, `${place}/text`, report);
    text(option["value"], 150, `${place}/value`, report);
    if (option["description"] !== undefined) {
      textObject(option["description"], 75, `${place}/description`, report);
    }
  });
}

function checkConfirm(confirm: unknown, at: string, report: Report): void {
  if (!isObject(confirm)) {
    report("must be an object", at);
    return;
  }
  plain(confirm["title"], 100, `${at}/title`, report);
  textObject(confirm["text"], 300, `${at}/text`, report);
  plain(confirm["confirm"], 30, `${at}/confirm`, report);
  plain(confirm["deny"], 30, `${at}/deny`, report);
}

function each(
  list: unknown,
  most: number,
  at: string,
  report: Report,
  check: (item: unknown, at: string) => void,
): void {
  if (!Array.isArray(list)) {
    report("must be an array", at);
    return;
  }
  if (list.length === 0) report("no less than 1 item allowed", at);
  if (list.length > most) report(`no more than ${most} items allowed`, at);
  for (const [index, item] of list.entries()) check(item, `${at}/${index}`);
}

function plain(value: unknown, most: number, at: string, report: Report): void {
  if (isObject(value) && value["type"] !== "plain_text") report("must be plain_text", `${at}/type`);
  textObject(value, most, at, report);
}

function textObject(value: unknown, most: number, at: string, report: Report): void {
  if (!isObject(value)) {
    report(`missing required field: ${at.split("/").at(-1)}`, at);
    return;
  }
  if (!["plain_text", "mrkdwn"].includes(String(value["type"]))) report("unsupported type", `${at}/type`);
  text(value["text"], most, `${at}/text`, report);
}

function optional(value: unknown, most: number, at: string, report: Report): void {
  if (value !== undefined) text(value, most, at, report);
}

function text(value: unknown, most: number, at: string, report: Report): void {
  if (typeof value !== "string") {
    report("must be a string", at);
    return;
  }
  if (value.length === 0) report("must be more than 0 characters", at);
  if (value.length > most) report(`must be less than ${most + 1} characters`, at);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
