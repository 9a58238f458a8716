/** `holdpoint ask`: lets a shell script stop for a person. The exit code reports the decision. */

import type { Place } from "@holdpoint/protocol/client";
import { isGranting } from "@holdpoint/protocol/rules";
import { readArgs, readJsonArg } from "./args.ts";
import { connectionOf, holdClientOf, reach } from "./client.ts";
import { CliError, type Command } from "./io.ts";
import { outcomeText } from "./show.ts";

const USAGE =
  'ask "question" [--type approval] [--option id=Label]… [--context json] [--key k] [--timeout 2h] [--on-timeout reject] [--wait 10m] [--json]';

const OPTIONS = {
  type: { type: "string" },
  option: { type: "string", multiple: true },
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
      io.err(`${hold.reviewUrl ?? `Answer in the console: ${url}/console/holds/${hold.id}`}\n`);
    const waitMs = values.wait === undefined ? undefined : waitOf(values.wait);
    const outcome = await hp
      .wait(hold.id, waitMs === undefined ? {} : { waitMs })
      .then((done) => done.outcome);
    io.out(
      values.json === true
        ? `${JSON.stringify({ hold_id: hold.id, outcome: outcome ?? null })}\n`
        : outcome === undefined
          ? "pending\n"
          : `${outcomeText(outcome, io)}\n`,
    );
    if (outcome?.kind !== "decided") return EXIT.undecided;
    return isGranting({ type: place.type }, outcome.action) ? EXIT.granted : EXIT.refused;
  },
};

function waitOf(text: string): number {
  const match = /^(\d+)(s|m|h)$/.exec(text);
  if (match === null) throw new CliError("--wait must be a duration such as 30s, 10m or 2h");
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2] as "s" | "m" | "h"];
}
