/**
 * Holdpoint as an MCP server: tools by which any agent asks a person.
 *
 * M1  No tool answers a question, and no result contains a review link (G7).
 * M2  A call returns before clients give up. A question that nobody has answered stays open, and the result says how to go on.
 * M3  Expired and cancelled questions are reported as decided by nobody (G5).
 */

import { isRetryableError, isTerminalError } from "@holdpoint/protocol/client";
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { VERSION } from "../version.ts";
import { type Elicitation, PageRounds } from "./elicitation.ts";
import { type PermissionClient, PermissionIn, permissionFor } from "./permission.ts";
import { AskIn, type QuestionClient, QuestionOut, Questions, questionOut } from "./questions.ts";

export interface McpAgent {
  readonly client: QuestionClient & PermissionClient;
  /** The name under which the agent asks. */
  me(): Promise<string>;
  /** Receives errors that are neither a refusal nor an outage; the model is told only that the call failed. */
  onFault?(error: unknown): void;
  /** Absent: no client is asked to open a page. */
  readonly elicitation?: Elicitation;
}

const ById = z.object({ question_id: z.string().min(1) });
const Withdraw = ById.extend({ reason: z.string().optional() });
const ListIn = z.object({ all: z.boolean().optional().describe("Also those that have ended.") });
const ListOut = z.object({ questions: z.array(QuestionOut.extend({ question: z.string() })) });

export function holdpointMcpServer({ client, me, onFault, elicitation }: McpAgent): McpServer {
  const questions = new Questions(client, me);
  const told = (work: () => Promise<Record<string, unknown>>) => toolResult(work, onFault);
  const rounds = elicitation === undefined ? undefined : new PageRounds(elicitation);
  const server = new McpServer(
    { name: "holdpoint", version: VERSION },
    {
      instructions: INSTRUCTIONS,
      ...(rounds === undefined
        ? {}
        : { requestState: { verify: (text, context) => rounds.verify(text, context) } }),
    },
  );
  server.registerTool(
    "ask_human",
    { ...ASKING, description: ASK_HUMAN, inputSchema: AskIn, outputSchema: QuestionOut },
    (given, context) => told(() => ask(given, context, questions, rounds)),
  );
  server.registerTool(
    "get_answer",
    { ...READING, description: GET_ANSWER, inputSchema: ById, outputSchema: QuestionOut },
    ({ question_id }, { mcpReq }) => told(() => questions.answerTo(question_id, mcpReq.signal)),
  );
  server.registerTool(
    "cancel_question",
    { ...ASKING, description: CANCEL, inputSchema: Withdraw, outputSchema: QuestionOut },
    ({ question_id, reason }) => told(() => questions.cancel(question_id, reason)),
  );
  server.registerTool(
    "list_my_questions",
    { ...READING, description: LIST, inputSchema: ListIn, outputSchema: ListOut },
    ({ all = false }) => told(async () => ({ questions: [...(await questions.list(all))] })),
  );
  server.registerTool(
    "permission_prompt",
    { ...ASKING, description: PERMISSION, inputSchema: PermissionIn },
    async (given, { mcpReq }) => text(JSON.stringify(await permissionFor(client, given, mcpReq.signal))),
  );
  return server;
}

/** A client that can open pages is sent to the question's page first; its next call waits for the answer. */
async function ask(
  given: z.infer<typeof AskIn>,
  context: ServerContext,
  questions: Questions,
  rounds: PageRounds | undefined,
): Promise<QuestionOut | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const continued = rounds?.continued(context, given);
  if (continued !== undefined) return questions.answerTo(continued, signal);
  if (rounds?.isOffered(context) !== true) return questions.ask(given, signal);
  const hold = await questions.place(given, signal);
  return hold.outcome === undefined ? rounds.openPage(hold, given) : questionOut(hold);
}

const INSTRUCTIONS =
  "Holdpoint asks people. Use ask_human before anything that needs a person's consent or knowledge. A pending question stays open: call get_answer until it is answered. Only `answered` is a person's decision.";
const ASK_HUMAN =
  "Ask a person and wait up to 50 seconds for the answer. If nobody has answered by then the result is `pending`: call get_answer with its question_id.";
const GET_ANSWER = "Wait up to 50 seconds for the answer to a question that you asked before.";
const CANCEL = "Withdraw a question that you asked and no longer need.";
const LIST = "List your open questions, newest first.";
const PERMISSION =
  "For Claude Code's --permission-prompt-tool: asks the rules, and people where the rules say so, whether a tool may run.";

const ASKING = { annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true } };
const READING = { annotations: { readOnlyHint: true } };

/** Result as data for programs and as text for models. A refusal is a tool error that says what to do. */
async function toolResult(
  work: () => Promise<Record<string, unknown>>,
  onFault?: (error: unknown) => void,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const out = await work();
    if (isInputRequiredResult(out)) return out;
    return { content: [{ type: "text", text: JSON.stringify(out) }], structuredContent: out };
  } catch (error) {
    if (!isTerminalError(error) && !isRetryableError(error) && !isGivenUp(error)) onFault?.(error);
    return { ...text(troubleWords(error)), isError: true };
  }
}

/** The client cancelled the call. */
function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function text(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] };
}

function troubleWords(error: unknown): string {
  if (isTerminalError(error)) {
    const fields = error.fields.map(({ key, message }) => `${key} ${message}`).join("; ");
    return `Holdpoint refused the call: ${error.message}${fields === "" ? "" : ` (${fields})`}`;
  }
  if (isRetryableError(error))
    return "The Holdpoint server cannot be reached. No person has decided anything. Try again later.";
  return "The call to Holdpoint failed. No person has decided anything.";
}
