/** What an agent's code sees for every way a question can end, as a page of the reference. */

import { CHANGES, ENDINGS, type Row, TRUTH_TABLE } from "../packages/adapters/src/testing/truth-table.ts";

export function truthTableMarkdown(): string {
  return `${[
    "# When the answer is no",
    "<!-- Made by `npm run docs` from `packages/adapters/src/testing/truth-table.ts`. Change that, not this file. -->",
    "What the code of an agent is given for every way a question can end, and how often the tool behind it runs. Each table is written in the idiom of its framework, and a test plays every line of it with the real packages. What was not approved does not run.",
    "*Left empty*: the form of the review page was sent with nothing filled in. *Dismissed*: a reviewer left without answering. *Cancelled*: whoever asked, or an operator, took the question back.",
    ...Object.values(TRUTH_TABLE).map(chapter),
    changes(),
  ].join("\n\n")}\n`;
}

function chapter({ title, idiom, cells }: Row): string {
  const rows = ENDINGS.map((ending) => `| ${ending} | ${cells[ending].sees} | ${cells[ending].runs} |`);
  return [
    `## ${title}`,
    "",
    `\`${idiom}\``,
    "",
    "| ended as | the code sees | runs |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

function changes(): string {
  const rows = CHANGES.map(({ title, data, printed }) => {
    const prints = printed === undefined ? "nothing: exit code 1" : `\`${JSON.stringify(printed)}\``;
    return `| ${title} | \`${JSON.stringify(data)}\` | 0 | ${prints} |`;
  });
  return [
    "## Granted with changes",
    "",
    "`runOnce` of the SDK throws `edited_args`, and `holdpoint ask` exits with 1, unless the work or the script takes the change.",
    "",
    "| granted as | the answer's data | the original work runs | `holdpoint ask --accept-edits` prints |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}
