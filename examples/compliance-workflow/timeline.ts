/** Prints what happens in the portfolio as it happens, with the time since the question was asked. */

interface Told {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class Timeline {
  #askedAt: number | undefined;
  readonly #names = new Map<string, string>();

  /** Whose intent is whose. */
  name(intentId: string, phase: string): void {
    this.#names.set(intentId, phase);
  }

  print(who: string, what: string): void {
    const since =
      this.#askedAt === undefined ? "before" : `T+${((Date.now() - this.#askedAt) / 1000).toFixed(1)}s`;
    console.log(`${since.padEnd(9)} ${who.padEnd(18)} ${what}`);
  }

  tell({ event, data }: Told): void {
    if (data["status"] === "suspended_awaiting_input") this.#askedAt ??= Date.now();
    const words = wordsFor(event, data);
    if (words !== undefined) this.print(this.#names.get(String(data["intent_id"])) ?? "", words);
  }
}

function wordsFor(event: string, data: Told["data"]): string | undefined {
  const { attempt, reason } = data;
  switch (event) {
    case "status_changed":
      return `${String(data["from"])} → ${String(data["to"])}${reason === undefined ? "" : ` (${String(reason)})`}`;
    case "intent.suspension_renotified":
    case "intent.suspension_escalated":
      return `${event}, attempt ${String(attempt)} by ${String(data["channel_hint"])}`;
    default:
      return /^(intent|task|portfolio)\./.test(event) ? event : undefined;
  }
}

/** Server-sent events of a portfolio, until the signal says enough. */
export async function* follow(url: string, key: string, signal: AbortSignal): AsyncIterable<Told> {
  const reply = await fetch(url, { headers: { "x-api-key": key }, signal });
  let heard = "";
  for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += chunk;
    const frames = heard.split("\n\n");
    heard = frames.pop() ?? "";
    for (const frame of frames) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(frame)?.[1] ?? "";
      if (field("data") !== "") yield { event: field("event"), data: JSON.parse(field("data")) };
    }
  }
}
