/** The matrix as a page of the documentation. */

import type { FaceMatrix, Row } from "./matrix.ts";
import { NAMES, PRINCIPALS } from "./principals.ts";

const TITLES: Readonly<Record<string, string>> = {
  native: "Native API",
  openintent: "OpenIntent",
  hitl: "HITL",
  agui: "AG-UI",
  mcp: "MCP",
};

export function rolesPage(faces: readonly FaceMatrix[]): string {
  const tables = faces.map(({ face, rows }) => {
    const head = `| operation | ${NAMES.join(" | ")} |\n|---|${NAMES.map(() => "---|").join("")}`;
    const lines = Object.entries(rows).map(
      ([id, row]) => `| \`${id}\` | ${NAMES.map((name) => row[name].replace(" ", "<br>")).join(" | ")} |`,
    );
    return `## ${TITLES[face] ?? face}\n\n${[head, ...lines].join("\n")}`;
  });
  const columns = NAMES.map((name) => `| ${name} | ${PRINCIPALS[name]} |`);
  return `# Who may do what

Every operation of every interface, called by everybody. \`npm run roles\` writes this page from a running server, and a test
compares it: a changed cell is a changed permission. Each call is valid and about something of the agent \`refunder\`. A cell has the
status of the reply and the code of a refusal. Where one may not know that a thing exists, the status is 404.

| column | caller |
|---|---|
${columns.join("\n")}

${tables.join("\n\n")}
`;
}

/** The rows of a written page: face → operation → caller → cell. */
export function rowsIn(text: string): Readonly<Record<string, Readonly<Record<string, Row>>>> {
  const faces: Record<string, Record<string, Row>> = {};
  let rows: Record<string, Row> = {};
  for (const line of text.split("\n")) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) {
      const face = Object.keys(TITLES).find((name) => TITLES[name] === title) ?? title;
      rows = faces[face] = {};
    }
    const [, id, ...cells] = line
      .split(" | ")
      .flatMap((part, index) => (index === 0 ? part.split("| ") : [part]));
    if (id?.startsWith("`") !== true || cells.length !== NAMES.length) continue;
    const read = cells.map((cell) => cell.replace(/ \|$/, "").replace("<br>", " "));
    rows[id.replaceAll("`", "")] = Object.fromEntries(NAMES.map((name, at) => [name, read[at]])) as Row;
  }
  return faces;
}
