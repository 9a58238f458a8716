/**
 * What one press allows for a coding agent: calls like this one in the same repository, for two hours.
 *
 * The terms are only about calls that the same rule asks about: a grant is for one agent, one tool and the rule that asked.
 */

import type { JsonObject } from "../json.ts";
import type { ArgTermIn } from "./grant-terms.ts";

export interface SimilarTerms {
  readonly for: "2h";
  readonly uses: number;
  readonly args: Readonly<Record<string, ArgTermIn>>;
}

/** The button under which a form sends these terms with an approval. */
export const GRANT_SIMILAR = "_grant_similar";
export const SIMILAR_LABEL = "Approve, and allow similar in this repository for 2\u00A0h";

/** How many calls one press allows at most. */
const USES = 20;

/** The folder of a repository. Quotes and line breaks could make it read like words of the page. */
const FOLDER = /^(?:[a-z]:)?[\\/][^"“”\p{C}\p{Zl}\p{Zp}]*$/iu;
const NAME = /^[\w-]{1,64}$/;

/** Tools of coding agents that work on one file. Other tools may have an argument named like this, which the model chose. */
export const FILE_TOOLS: readonly string[] = ["Read", "Write", "Edit", "MultiEdit", "StrReplace", "Delete"];

/**
 * `undefined`: the call is not a coding agent's, does not work in a repository, or touches what steers Git or the agent there. Hooks find
 * out the repository of commands and of files; in calls of other tools it is an argument that the model chose.
 */
export function similarInRepository(tool: unknown, args: JsonObject): SimilarTerms | undefined {
  const { repository } = args;
  const isAgents =
    tool === "Bash"
      ? typeof args["command"] === "string"
      : FILE_TOOLS.some((name) => name === tool) && typeof args["file_path"] === "string";
  if (!isAgents || "touches" in args || typeof repository !== "string" || !FOLDER.test(repository))
    return undefined;
  if (!Object.keys(args).every((name) => NAME.test(name))) return undefined;
  return { for: "2h", uses: USES, args: Object.fromEntries(othersOf(args).map((name) => [name, "any"])) };
}

/** Says these terms in words, to be shown before anybody agrees to them. */
export function explainSimilar(agent: string, tool: string, args: JsonObject): string {
  return [
    `Besides this call, ${agent} may call ${tool} up to ${USES} times within 2 hours without asking,`,
    `only while “repository” is “${String(args["repository"])}”. ${listed(othersOf(args))} may be anything.`,
    tool === "Bash"
      ? "A command that starts there can also change what is elsewhere."
      : "Files of Git, of coding agents and of Holdpoint are not included.",
    "Calls that another rule asks about or denies are not included. An operator can revoke it at any time.",
  ].join(" ");
}

function othersOf(args: JsonObject): readonly string[] {
  return Object.keys(args).filter((name) => name !== "repository");
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}
