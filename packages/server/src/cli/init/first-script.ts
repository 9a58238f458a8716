/** The first script that `holdpoint init` writes: it asks, waits, and does something once. */

/** `mts` is TypeScript in a package of CommonJS modules, which `npm init` makes: Node would not read `import` in a `.ts` file there. */
export const LANGUAGES = { ts: "first-hold.ts", mts: "first-hold.mts", js: "first-hold.mjs" } as const;

export type Language = keyof typeof LANGUAGES;

/** The same text in all of them: every type in it is inferred. */
export const FIRST_SCRIPT = `// Kill it while it waits, answer, start it again: it goes on with the answer.
import { Holdpoint } from "@holdpoint/sdk";

const hp = new Holdpoint(); // finds the server of this folder
const hold = await hp.place({
  key: "welcome:ada", // the same hold however often this runs; take another key to ask again
  type: "approval",
  prompt: "Send the welcome letter to Ada Park?",
  context: { to: "ada@example.com" },
});
if (hold.status === "open") console.log("Answer here:", hold.reviewUrl ?? "in the console");

const outcome = await hold.wait(); // minutes or weeks
if (outcome.kind === "decided" && outcome.action === "approve") {
  // Runs once, in one process. Every later run gets the recorded result.
  const letter = await hold.runOnce(() => ({ sentAt: new Date().toISOString() }));
  console.log("Sent at", letter.sentAt);
} else {
  console.log("Not sent:", outcome.kind === "decided" ? outcome.action : outcome.kind);
}
`;
