/** The example, as its reader runs it: what it prints is the timeline. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../../examples/compliance-workflow/main.ts", import.meta.url));

test("OI-197 the compliance workflow reports its own timeline, and leaves nothing running", {
  timeout: 60_000,
}, async () => {
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", MAIN, "--interval", "3"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  const rows = said
    .split("\n")
    .map((line) => line.replace(/^(before|T\+\S+)\s+/, "").replaceAll(/\s+/g, " "));
  const expected = [
    "compliance_review active → suspended_awaiting_input",
    "compliance_review task.blocked",
    "generate_report active → blocked (upstream_suspended)",
    "compliance_review intent.suspended",
    "compliance_review portfolio.member_suspended",
    "compliance_review intent.suspension_renotified, attempt 2 by email",
    "compliance_review intent.suspension_escalated, attempt 2 by email",
    "lead opened the page (200); nothing is decided by looking",
    "compliance_review intent.resumed",
    "compliance_review suspended_awaiting_input → active",
    "compliance_review active → completed",
    "generate_report blocked → active (dependencies_completed)",
    "generate_report task.claimed",
    "Workflow completed. Transactions of the quarter: signed off.",
  ];
  expect(rows.filter((row) => expected.includes(row))).toEqual(expected);
  expect(rows).toContain("e-mail to lead@example.com: Reminder 2: Sign off the review of 1742 transactions?");
});
