/** The same question as a command and as a program, for each protocol. */

import { caseOf, type FaceName, runOf } from "./faces.ts";

type Question = Readonly<Record<string, unknown>>;

export function curlOf(face: FaceName, url: string, question: Question): string {
  switch (face) {
    case "native":
      return post(url, "/v1/holds", question);
    case "hitl":
      return post(url, "/hitl/v1/cases", caseOf(question));
    case "openintent": {
      const intent = { title: question["prompt"], status: "active" };
      const hold = { ...question, intent_id: "INTENT_ID" };
      return `${post(url, "/api/v1/intents", intent)}\n\n# with the id of the reply:\n${post(url, "/v1/holds", hold)}`;
    }
    case "agui":
      return post(url, "/agui/demo", runOf(question, "thread-1")).replace("curl ", "curl -N ");
  }
}

function post(url: string, path: string, body: object): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl ${url}${path} \\\n  -H "Authorization: Bearer $HOLDPOINT_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '${json}'`;
}

export function sdkOf(face: FaceName, question: Question): string {
  switch (face) {
    case "native":
      return asking(camel(question));
    case "openintent":
      return asking(camel({ ...question, intent_id: "INTENT_ID" }));
    case "hitl":
      return `${HITL_HEAD}export const handle = (request: Request) =>\n  hitl.requireHuman(request, ${indented(camel(caseOf(question)))});\n`;
    case "agui":
      return AGUI.replace("MESSAGE", JSON.stringify(question["prompt"] ?? "Go on?"));
  }
}

function asking(ask: string): string {
  return `import { Holdpoint } from "@holdpoint/sdk";\n\nconst hp = new Holdpoint();\nconst outcome = await hp.ask(${ask});\nif (outcome.kind === "decided") console.log(outcome.action);\n`;
}

const HITL_HEAD = `import { Holdpoint } from "@holdpoint/sdk";
import { hitlService } from "@holdpoint/hitl/service";

const hitl = hitlService(
  { baseUrl: "https://service.example", name: "Service", description: "Asks a person." },
  {
    holds: new Holdpoint(),
    holdpoint: { url: "https://holdpoint.example" },
    // The agent that calls your service, as your own authentication knows it.
    identify: () => "agent",
  },
);

`;

const AGUI = `import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
import { Holdpoint } from "@holdpoint/sdk";

export const handler = createAgUiHandler({
  holdpoint: new Holdpoint(),
  // The person who is signed in to your app.
  identify: () => ({ id: "u1", name: "Ada" }),
  async *agent(run) {
    const outcome = await run.tool({
      name: "refund",
      args: { order: "1042" },
      approval: { message: MESSAGE },
      execute: () => "done",
    });
    yield outcome.kind;
  },
});
`;

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** Members as programs write them; what is inside a context stays as it is. */
function camel(question: Question): string {
  return JSON.stringify(question, null, 2).replaceAll(
    /^( {2})"([a-z_]+)":/gm,
    (_, indent: string, name: string) =>
      `${indent}${name.replace(/_([a-z])/g, (__, letter: string) => letter.toUpperCase())}:`,
  );
}
