/** `holdpoint answer` */

import { type Ask, needsNote } from "@holdpoint/protocol/rules";
import { readArgs, readJsonArg } from "./args.ts";
import { jsonText } from "./clean.ts";
import { connectionOf, holdClientOf, reach } from "./client.ts";
import { CliError, type Command } from "./io.ts";
import { outcomeText, voteLines } from "./show.ts";

const USAGE = "answer <hold> <action> [--data json] [--note text] [--select id]… [--json]";

const OPTIONS = {
  data: { type: "string" },
  note: { type: "string" },
  select: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

export const answer: Command = {
  usage: "answer <hold> <action>",
  summary: "Answer a hold",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 2);
    const [holdId, action] = positionals;
    if (holdId === undefined || action === undefined) throw new CliError(`usage: holdpoint ${USAGE}`);
    const hp = holdClientOf(io);
    const { url } = connectionOf(io);
    const { type, context, digest } = await reach(url, () => hp.get(holdId));
    const ask = { type, ...(context === undefined ? {} : { context }) };
    const data = {
      ...readJsonArg(values.data, "data"),
      ...(values.select === undefined ? {} : { selected: values.select }),
      ...(values.note === undefined ? {} : { [noteMember(ask, action)]: values.note }),
    };
    const hold = await hp.answer(holdId, { action, data, shown: digest });
    if (values.json === true) io.out(`${jsonText(hold)}\n`);
    else if (hold.outcome !== undefined) io.out(`${outcomeText(hold.outcome, io)}\n`);
    else io.out(`Your vote is recorded.\n${voteLines(hold).join("\n")}\n`);
    return 0;
  },
};

/** The member of the answer's data in which the type of the ask expects a person's words. */
function noteMember(ask: Pick<Ask, "type" | "context">, action: string): string {
  if (needsNote(ask, action)) return "note";
  return ask.type === "approval" ? "feedback" : ask.type === "escalation" ? "reason" : "note";
}
