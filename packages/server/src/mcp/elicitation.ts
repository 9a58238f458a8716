/**
 * Sends the person at the client to the page of a question (elicitation in URL mode, revision 2026-07-28).
 *
 * E1  Only where the client declares that it can open pages, and never as a form: what is typed into a client proves
 *     nothing about who typed it, and is nobody's decision. What the client says about the page is not read at all.
 * E2  The address carries no authority. The person signs in there, and the answer counts like every other.
 * E3  The client's next call continues by a state that is signed, lasts ten minutes and counts once, for the same question only.
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { canonicalJson } from "../system/canonical-json.ts";
import { sha256 } from "../system/digest.ts";
import { STATE_SECONDS, type States } from "./request-states.ts";

export interface Elicitation {
  readonly states: States;
  /** The key that asks: its states are counted apart from those of others. */
  readonly owner: string;
  /** The page on which people answer a question after they have signed in. */
  pageOf(questionId: string): string;
}

interface State {
  readonly question: string;
  /** Digest of the arguments: other arguments are another question. */
  readonly asked: string;
  readonly nonce: string;
}

export class PageRounds {
  readonly #elicitation: Elicitation;
  #codec: Promise<RequestStateCodec<State>> | undefined;

  constructor(elicitation: Elicitation) {
    this.#elicitation = elicitation;
  }

  /** For `ServerOptions.requestState`: refuses what was changed, is too old or was used before (E3). */
  async verify(text: string, context: ServerContext): Promise<State> {
    const state = await (await this.#states()).verify(text, context);
    const { states, owner } = this.#elicitation;
    if (!(await states.isFirstUse(state.nonce, owner))) throw new Error("used");
    return state;
  }

  /** Whether the client declares for this call that it can open pages. */
  isOffered({ mcpReq }: ServerContext): boolean {
    // The SDK's types know no members of the envelope.
    const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
    return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation?.url !== undefined;
  }

  async openPage(
    question: { readonly id: string; readonly prompt: string },
    given: object,
  ): Promise<InputRequiredResult> {
    const { states, pageOf } = this.#elicitation;
    const state = { question: question.id, asked: digestOf(given), nonce: states.nonce() };
    const message = `An agent asks: ${question.prompt}\nSign in on the page to answer, if it is for you to answer. Others may answer as well.`;
    return inputRequired({
      inputRequests: { page: inputRequired.elicitUrl({ message, url: pageOf(question.id) }) },
      requestState: await (await this.#states()).mint(state),
    });
  }

  /** The question that this call continues; `undefined`: it is a new one. */
  continued({ mcpReq }: ServerContext, given: object): string | undefined {
    const state = mcpReq.requestState<State>();
    return state?.asked === digestOf(given) ? state.question : undefined;
  }

  #states(): Promise<RequestStateCodec<State>> {
    this.#codec ??= this.#elicitation.states
      .key()
      .then((key) => createRequestStateCodec<State>({ key, ttlSeconds: STATE_SECONDS }));
    return this.#codec;
  }
}

function digestOf(given: object): string {
  return sha256(canonicalJson(given));
}
