/** `holdpoint ask`: lets a shell script stop for a person. The exit code reports the decision. */

import { type Place, standingOutcome } from "@holdpoint/protocol/client";
import { type Change, changesOf, isGranting, type JsonObject, member } from "@holdpoint/protocol/rules";
import { readArgs, readJsonArg } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { connectionOf, holdClientOf, reach } from "./client.ts";
import { CliError, type Command } from "./io.ts";
import { outcomeText } from "./show.ts";

const USAGE =
  'ask "question" [--type approval] [--option id=Label]… [--granted id]… [--accept-edits] [--context json] [--key k] [--timeout 2h] [--on-timeout reject] [--wait 10m] [--json]';

const DETAILS = `${USAGE}

exit code 0  granted: a person approved what was asked, as it was asked
          1  refused, or a person changed what was asked: other arguments or parameters, or only a part of the items
          2  nobody decided: no answer in time, cancelled, or the approval was revoked

With --option the question is a selection, and exit code 0 says only that somebody chose something; read what from the output.
--granted id    Exit code 0 only if every option that was chosen is one of these; otherwise 1. May be given several times.
--accept-edits  Exit code 0 also if a person changed what was asked. What to run is printed as JSON on the last line: all arguments, all
                parameters, or the ids of the confirmed items. "edits" of an approval stay a refusal: read them with --json.`;

const OPTIONS = {
  type: { type: "string" },
  option: { type: "string", multiple: true },
  granted: { type: "string", multiple: true },
  "accept-edits": { type: "boolean" },
  context: { type: "string" },
  key: { type: "string" },
  timeout: { type: "string" },
  "on-timeout": { type: "string" },
  wait: { type: "string" },
  json: { type: "boolean" },
} as const;

export const EXIT = { granted: 0, refused: 1, undecided: 2 } as const;

export const ask: Command = {
  usage: "ask <question>",
  details: DETAILS,
  helpCode: EXIT.undecided,
  summary: "Ask and wait; exit code 0 granted, 1 refused, 2 nobody decided",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 1);
    const [prompt] = positionals;
    if (prompt === undefined) throw new CliError(`the question is missing\nusage: holdpoint ${USAGE}`);
    const options = (values.option ?? []).map((text) => {
      const [id = "", label] = text.split(/=(.*)/s);
      return { id, label: label ?? id };
    });
    const granted = grantedOf(values.granted, options);
    const place: Place = {
      type: (values.type ?? (options.length > 0 ? "selection" : "approval")) as Place["type"],
      prompt,
      ...(values.context === undefined ? {} : { context: readJsonArg(values.context, "context") }),
      ...(options.length === 0 ? {} : { options }),
      ...(values.key === undefined ? {} : { key: values.key }),
      ...(values.timeout === undefined ? {} : { timeout: values.timeout }),
      ...(values["on-timeout"] === undefined ? {} : { onTimeout: values["on-timeout"] }),
    };
    const hp = holdClientOf(io);
    const { url } = connectionOf(io);
    const hold = await reach(url, () => hp.place(place));
    if (values.json !== true && hold.status === "open")
      io.err(`${clean(hold.reviewUrl ?? `Answer in the console: ${url}/console/holds/${hold.id}`)}\n`);
    const waitMs = values.wait === undefined ? undefined : waitOf(values.wait);
    const done = await hp.wait(hold.id, waitMs === undefined ? {} : { waitMs });
    const outcome = standingOutcome(done);
    if (values.json === true) io.out(`${jsonText({ hold_id: hold.id, outcome: outcome ?? null })}\n`);
    else io.out(outcome === undefined ? "pending\n" : `${outcomeText(outcome, io)}\n`);
    if (outcome?.kind !== "decided") return EXIT.undecided;
    if (!isGranting({ type: place.type }, outcome.action)) return EXIT.refused;
    const changes = changesOf(done, outcome);
    const [changed] = changes;
    // Nothing says how `edits` belong to the arguments, so there is nothing to print that a script may run.
    const isRunnable =
      values["accept-edits"] === true && changes.every((change) => change.member !== "edits");
    if (changed !== undefined && !isRunnable) {
      io.err(changedText(changes));
      return EXIT.refused;
    }
    if (changed !== undefined && values.json !== true) io.out(`${jsonText(changed.value)}\n`);
    return granted === undefined || isChosen(granted, outcome.data) ? EXIT.granted : EXIT.refused;
  },
};

/** What a person made of what was proposed is approved, and what was proposed is not (G14). */
function changedText(changes: readonly Change[]): string {
  const what = changes.some(({ member: name }) => name === "confirmed_items")
    ? "confirmed only a part of the items"
    : "approved other arguments than those that were asked about";
  const how = changes.some(({ member: name }) => name === "edits")
    ? "They are in `edits` of the answer, which --json prints"
    : "To run what the person approved, pass --accept-edits and read it from the output";
  return `holdpoint: a person ${what}, so do not run what was asked. ${how}\n`;
}

function grantedOf(
  ids: readonly string[] | undefined,
  options: readonly { readonly id: string }[],
): readonly string[] | undefined {
  const stranger = ids?.find((id) => !options.some((option) => option.id === id));
  if (stranger === undefined) return ids;
  throw new CliError(
    `--granted ${stranger} names no option; add --option ${stranger}\nusage: holdpoint ${USAGE}`,
  );
}

/** People may choose several: a yes beside a no is no yes. */
function isChosen(granted: readonly string[], data: JsonObject): boolean {
  const chosen = member(data, "selected");
  return (
    Array.isArray(chosen) && chosen.length > 0 && chosen.every((id) => granted.some((each) => each === id))
  );
}

function waitOf(text: string): number {
  const match = /^(\d+)(s|m|h)$/.exec(text);
  if (match === null) throw new CliError("--wait must be a duration such as 30s, 10m or 2h");
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2] as "s" | "m" | "h"];
}
