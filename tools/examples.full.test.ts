/** Every example in a folder of its own with the tarballs: `npm i`, `npm start`, and a person who says yes. */

import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WillingPerson } from "../e2e/docs/willing-person.ts";
import { commandIn, plainEnv, Running, Stranger, serverIn } from "./pack/stranger.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/", import.meta.url));
const MINUTES = 60_000;

let stranger: Stranger;
let server: Running;
let person: WillingPerson;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  stranger = new Stranger();
  const home = stranger.project("server", "holdpoint");
  server = new Running(process.execPath, [commandIn(home), "start"], home);
  await server.says(/is holding/);
  const { url, key } = serverIn(home);
  person = new WillingPerson(url, key);
  env = plainEnv({ HOLDPOINT_URL: url, HOLDPOINT_API_KEY: key, PORT: "0" });
}, 5 * MINUTES);

afterAll(async () => {
  await person?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  stranger?.[Symbol.dispose]();
}, 5 * MINUTES);

function copyOf(example: string, name = example): string {
  const folder = join(stranger.folder, name);
  mkdirSync(folder);
  cpSync(join(EXAMPLES, example), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.holdpoint/.test(path),
  });
  const { dependencies, devDependencies = {} } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const ours = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => name in stranger.tarballs,
  );
  // An install script of a database driver would compile it; nothing here uses the driver.
  stranger.install(folder, ours.length === 0 ? ["."] : ours, "--ignore-scripts");
  return folder;
}

function start(example: string, more: NodeJS.ProcessEnv = {}): Running {
  return new Running("npm", ["start", "--silent"], copyOf(example), { ...env, ...more });
}

describe("an example on its own", { timeout: 3 * MINUTES }, () => {
  test.each([
    ["hello-ask", /^refunded: receipt-1042$/m],
    ["serverless-webhook", /^paid: order 1042$/m],
    ["github-deploy-gate", /is live\n\ndeployed; approved by dev/],
    ["gated-agent", /executed: order 1042 refunded/],
    ["openintent-refund", /^refunded$/m],
    ["compliance-workflow", /Workflow completed/],
    ["ag-ui-app", /listens on/],
    ["langgraph-behind-proxy", /agent at http/],
    ["mcp-gateway", /transferred 20 EUR to Ada\n[\s\S]*transferred 800 EUR to Ada/],
    ["mcp-ask-human", /answered: dev answered: approve/],
    ["coding-agent-hook", /^runs: git push --force origin main$/m],
    ["ai-sdk", /the agent says: .*refunded 80 EUR for order 1042/],
    ["openai-agents", /the agent says: .*refunded 80 EUR for order 1042/],
    ["langchain", /the agent says: .*refunded 80 EUR for order 1042/],
    ["langgraph", /^order 1042: executed$/m],
    ["mastra", /the agent says: .*refunded 80 EUR for order 1042/],
    ["claude-agent-sdk", /^deployed$/m],
    ["testing-your-agent", /pass 5\n[\s\S]*fail 0\n/],
  ])("%s does what it promises", async (example, words) => {
    await using running = start(example);
    await running.says(words);
  });

  test("react-inbox serves its page and makes a token for its user", async () => {
    await using running = start("react-inbox");
    const [, url = ""] = await running.says(/the inbox is at (\S+)/);
    const { token } = await (await fetch(`${url}api/holdpoint`, { method: "POST" })).json();
    expect(token).toMatch(/^hpb_/);
    const page = await (await fetch(`${url}app.tsx`)).text();
    expect(page).toContain("Questions for you");
    expect(page).toContain("@holdpoint_react");
  });

  test("hello-ask refunds once, however often it is started", async () => {
    const folder = copyOf("hello-ask", "hello-ask-twice");
    for (let round = 0; round < 2; round += 1) {
      await using running = new Running("npm", ["start", "--silent", "--", "1043"], folder, env);
      expect(await running.ends()).toContain("refunded: receipt-1043");
    }
    expect(readFileSync(join(folder, "refunds.log"), "utf8")).toBe("1043\n");
  });

  test.each(["hitl-express", "hitl-next"])(
    "%s sends what hitl-agent was allowed to send",
    async (example) => {
      await using service = start(example);
      const [, url = ""] = await service.says(/letters are sent at (\S+)/);
      await using agent = new Running(
        process.execPath,
        ["main.ts"],
        copyOf("hitl-agent", `hitl-agent-of-${example}`),
        {
          ...env,
          ...{ SERVICE_URL: url, BATCH: example },
        },
      );
      expect(await agent.ends()).toMatch(/^sent: \{"sent":true/m);
    },
  );
});
