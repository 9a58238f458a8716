/**
 * A step of a GitHub Actions workflow: it asks a person, and runs the command behind `--` once when they approve.
 *
 *   node gate.mjs --environment production -- ./deploy.sh
 *
 * A job that is run again for the same commit finds the same hold. If the deployment ran already, it does not run again.
 */

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Holdpoint, isNotDecidedError } from "@holdpoint/sdk";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    environment: { type: "string", default: "production" },
    timeout: { type: "string", default: "5h" },
  },
});
const [command, ...args] = positionals;
if (command === undefined) throw new Error("usage: node gate.mjs [--environment production] -- <command>");

const {
  GITHUB_REPOSITORY: repository = "local/repository",
  GITHUB_SHA: sha = "0000000",
  GITHUB_ACTOR: actor = "nobody",
} = process.env;

const hp = new Holdpoint();
try {
  const approved = await hp.approve(`Deploy ${repository}@${sha.slice(0, 7)} to ${values.environment}?`, {
    key: `deploy:${repository}:${values.environment}:${sha}`,
    context: { repository, commit: sha, "pushed by": actor, command: [command, ...args].join(" ") },
    timeout: values.timeout, // GitHub ends a job after six hours
  });
  if (approved) {
    const output = await approved.runOnce(() => execFileSync(command, args, { encoding: "utf8" }));
    console.log(output);
    console.log(`deployed; approved by ${approved.by.name}`);
  } else {
    console.log("not deployed: a person said no");
    process.exitCode = 1;
  }
} catch (error) {
  if (!isNotDecidedError(error)) throw error;
  console.log(`not deployed: ${error.message}`);
  process.exitCode = 1;
}
