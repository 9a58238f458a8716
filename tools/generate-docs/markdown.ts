/** The reference as Markdown, drawn from the same data as the server's own pages. */

import type {
  ErrorReference,
  Member,
  OperationReference,
  Reference,
} from "../../packages/server/src/faces/docs/reference.ts";

const NOTE = "<!-- Made by `npm run docs` from the declared operations. Change those, not this file. -->";

export function apiMarkdown({ faces }: Reference): string {
  const chapters = faces.flatMap(({ title, tags }) => [
    `## ${title}`,
    ...tags.flatMap(({ name, operations }) => [`### ${name}`, ...operations.flatMap(operationText)]),
  ]);
  const intro =
    "A running server shows the same under `/docs`, and describes itself to programs under `/openapi.json`. Codes and their cures are in [errors](errors.md).";
  return document(["# API reference", intro, ...chapters]);
}

export function errorsMarkdown({ faces }: Reference): string {
  const chapters = faces.flatMap(({ title, errors }) => [`## ${title}`, ...errors.map(errorText)]);
  const intro = "Every refusal carries a stable code. Branch on the code, never on the words around it.";
  return document(["# Errors", intro, ...chapters]);
}

function document([title = "", ...rest]: readonly string[]): string {
  return `${[title, NOTE, ...rest].join("\n\n")}\n`;
}

function errorText({ code, anchor, status, title, cure }: ErrorReference): string {
  return `### <a id="${anchor}"></a>\`${code}\` (${status})\n\n${title}.${cure === undefined ? "" : ` ${cure}`}`;
}

function operationText(operation: OperationReference): readonly string[] {
  const { id, method, path, summary, description, needs, parameters, body, replies, errors, curl } =
    operation;
  const answers = replies.map(
    ({ status, media, type }) =>
      `- ${status}: ${media === null ? "no content" : `${code(type)} as ${code(media)}`}`,
  );
  const codes = errors.map(({ code, anchor }) => `[\`${code}\`](errors.md#${anchor})`).join(" · ");
  return [
    `#### <a id="${id}"></a>${method} ${path}`,
    `${summary}. Needs ${needs}.`,
    ...(description === undefined ? [] : [description]),
    `\`\`\`sh\n${curl}\n\`\`\``,
    ...table("Parameter", parameters),
    ...table("Body member", body),
    `Replies:\n\n${answers.join("\n")}`,
    `Refusals: ${codes}`,
  ];
}

function table(heading: string, members: readonly Member[]): readonly string[] {
  if (members.length === 0) return [];
  const rows = members.map(({ name, place, type, required, description }) => {
    const where = place === "query" || place === "header" ? ` (${place})` : "";
    return `| \`${name}\`${where} | ${code(type)} | ${required ? "yes" : ""} | ${cell(description)} |`;
  });
  return [[`| ${heading} | Type | Required | |`, "|---|---|---|---|", ...rows].join("\n")];
}

function code(text: string): string {
  return text
    .split(" | ")
    .map((part) => `\`${part}\``)
    .join(" or ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
