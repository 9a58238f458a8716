/** `holdpoint comment`, `assign` and `extend`: work on a hold besides answering it. */

import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { connectionOf, holdClientOf, reach } from "./client.ts";
import { CliError, type Command } from "./io.ts";

const COMMENT = "comment <hold> <text> [--ask-back] [--json]";

export const comment: Command = {
  usage: "comment <hold> <text>",
  summary: "Write a comment on a hold, or ask the agent",
  async run(args, io) {
    const options = { "ask-back": { type: "boolean" }, json: { type: "boolean" } } as const;
    const { values, positionals } = readArgs(args, options, COMMENT, 2);
    const [holdId, text] = positionals;
    if (holdId === undefined || text === undefined) throw new CliError(`usage: holdpoint ${COMMENT}`);
    const askBack = values["ask-back"] === true;
    const given = askBack ? { text, askBack } : { text };
    const hold = await reach(connectionOf(io).url, () => holdClientOf(io).comment(holdId, given));
    const said = askBack
      ? "The agent is asked. Its reply appears among the comments."
      : "The comment is written.";
    io.out(values.json === true ? `${jsonText(hold)}\n` : `${said}\n`);
    return 0;
  },
};

const ASSIGN = "assign <hold> <person | --nobody> [--json]";

export const assign: Command = {
  usage: "assign <hold> <person>",
  summary: "Say who takes care of a hold",
  async run(args, io) {
    const options = { nobody: { type: "boolean" }, json: { type: "boolean" } } as const;
    const { values, positionals } = readArgs(args, options, ASSIGN, 2);
    const [holdId, person] = positionals;
    const isNobody = values.nobody === true;
    if (holdId === undefined || (person === undefined) !== isNobody)
      throw new CliError(`usage: holdpoint ${ASSIGN}`);
    const hold = await reach(connectionOf(io).url, () => holdClientOf(io).assign(holdId, person ?? null));
    const said = hold.assignee === undefined ? "Nobody is on it." : `${clean(hold.assignee)} is on it.`;
    io.out(values.json === true ? `${jsonText(hold)}\n` : `${said}\n`);
    return 0;
  },
};

const EXTEND = "extend <hold> <duration> [--json]";

export const extend: Command = {
  usage: "extend <hold> <duration>",
  summary: "Give people more time to answer a hold",
  async run(args, io) {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, EXTEND, 2);
    const [holdId, by] = positionals;
    if (holdId === undefined || by === undefined) throw new CliError(`usage: holdpoint ${EXTEND}`);
    const hold = await reach(connectionOf(io).url, () => holdClientOf(io).extend(holdId, { by }));
    io.out(values.json === true ? `${jsonText(hold)}\n` : `It can be answered until ${hold.expiresAt}.\n`);
    return 0;
  },
};
