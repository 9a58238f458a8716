/** Which answer a request gives, whatever becomes of it: a server may have written what its caller never heard of. */

export interface Given {
  /** The hold, or the intent that it suspends. */
  readonly about: string;
  readonly action: string;
  /** Of a review link; absent: the key says who answers. */
  readonly token?: string;
}

export function answerIn(path: string, body: unknown): Given | undefined {
  const [, hold] = /^\/v1\/holds\/(\w+)\/answer$/.exec(path) ?? [];
  if (hold !== undefined) return { about: hold, action: textIn(body, "action") };
  const [, review, token = ""] = /^\/review\/review_(\w+)\/answer\?token=(.+)$/.exec(path) ?? [];
  if (review !== undefined) {
    const action = new URLSearchParams(String(body)).get("_action") ?? "";
    return { about: `hold_${review}`, action, token };
  }
  const [, answered, given] = /^\/reviews\/review_(\w+)\/respond(?:\?token=(.+))?$/.exec(path) ?? [];
  if (answered !== undefined)
    return {
      about: `hold_${answered}`,
      action: textIn(body, "action"),
      ...(given === undefined ? {} : { token: given }),
    };
  const [, intent] = /^\/api\/v1\/intents\/([\w-]+)\/suspend\/respond$/.exec(path) ?? [];
  if (intent === undefined) return undefined;
  // Every suspension of the workload asks for yes or no.
  return { about: intent, action: textIn(body, "value") === "yes" ? "confirm" : "cancel" };
}

function textIn(body: unknown, name: string): string {
  return String((body as Readonly<Record<string, unknown>>)[name]);
}
