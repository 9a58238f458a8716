/** The parts that are loaded where they are needed. */

import { late } from "./late.tsx";

export const FormPanel = late("form-panel", async () => (await import("./form-panel.tsx")).FormPanel);
export const SchemaPanel = late("schema-panel", async () => (await import("./schema-panel.tsx")).SchemaPanel);
export const PlainPanel = late("plain-panel", async () => (await import("./plain-panel.tsx")).PlainPanel);
/** Earlier rounds of the same question. */
export const Rounds = late("rounds", async () => (await import("./rounds.tsx")).Rounds);
/** How a hold ended, by whom, and with which answer. */
export const Ending = late("ending", async () => (await import("./ending.tsx")).Ending);
export const GrantTerms = late("grant-terms", async () => (await import("./grant-terms.tsx")).GrantTerms);
export const SimilarCalls = late("grant-terms", async () => (await import("./grant-terms.tsx")).SimilarCalls);
export const Votes = late("votes", async () => (await import("./votes.tsx")).Votes);
/** The proposed arguments as JSON that a person may change. */
export const ArgumentEditor = late(
  "argument-editor",
  async () => (await import("./argument-editor.tsx")).ArgumentEditor,
);
/** What a person changed of the proposed arguments. */
export const ChangeList = late(
  "argument-editor",
  async () => (await import("./argument-editor.tsx")).ChangeList,
);
export const FileInput = late("file-input", async () => (await import("./file-input.tsx")).FileInput);
/** Markdown as elements. HTML in it is shown as text. */
export const Markdown = late("markdown", async () => (await import("./markdown.tsx")).Markdown);
export const Table = late("table", async () => (await import("./table.tsx")).Table);
export const DiffView = late("diff-view", async () => (await import("./diff-view.tsx")).DiffView);
export const ErrorCard = late("error-card", async () => (await import("./error-card.tsx")).ErrorCard);
