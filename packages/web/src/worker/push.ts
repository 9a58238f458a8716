/**
 * Web push in the console's worker: a message becomes a notification, and a press on it brings the hold to the front.
 * An address from a message is followed on this origin only, whatever the message says.
 */

const CONSOLE = "/console";
const HOLDS = `${CONSOLE}/holds/`;
const TEXT_LENGTH_MAX = 500;

export interface Shown {
  readonly title: string;
  readonly options: {
    readonly body: string;
    /** One notification per hold: a later message replaces the one before. */
    readonly tag?: string;
    readonly icon: string;
    readonly data: { readonly url: string };
    /** Whether a message that replaces another one sounds again. */
    readonly renotify: boolean;
    readonly silent: boolean;
  };
}

/** Browsers demand that every message is shown, so one that cannot be read is shown too, without details. */
export function shownOf(text: string | undefined, origin: string): Shown {
  const { title, body, tag, url, silent } = fieldsOf(text);
  const isSilent = silent === true;
  const name = textOf(tag);
  return {
    title: textOf(title) ?? "Holdpoint",
    options: {
      body: textOf(body) ?? "Open the console to see what waits for you.",
      ...(name === undefined ? {} : { tag: name }),
      icon: "/assets/web/icon-192.png",
      data: { url: addressOf(url, origin) },
      renotify: name !== undefined && !isSilent,
      silent: isSilent,
    },
  };
}

/** A page of the console at this origin. The server's public address may differ from the one that this browser uses. */
export function addressOf(url: unknown, origin: string): string {
  const path = typeof url === "string" ? URL.parse(url, origin) : null;
  const isConsole = path !== null && (path.pathname === CONSOLE || path.pathname.startsWith(`${CONSOLE}/`));
  return isConsole ? origin + path.pathname + path.search : origin + CONSOLE;
}

export interface Tab {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

export interface Tabs {
  matchAll(options: { readonly type: "window" }): Promise<readonly Tab[]>;
  openWindow(url: string): Promise<unknown>;
}

/**
 * A tab that shows the hold, else a tab of the console that shows no other hold, else a new one: what somebody is
 * writing about another hold stays.
 */
export async function bringToFront(url: string, tabs: Tabs): Promise<void> {
  const open = await tabs.matchAll({ type: "window" });
  const same = open.find((tab) => tab.url === url);
  if (same !== undefined) return void (await same.focus());
  const { origin } = new URL(url);
  const free = open.find(
    (tab) => addressOf(tab.url, origin) === tab.url && !tab.url.startsWith(origin + HOLDS),
  );
  if (free === undefined) return void (await tabs.openWindow(url));
  await free.focus();
  await free.navigate(url);
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return typeof read === "object" && read !== null ? (read as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, TEXT_LENGTH_MAX) : undefined;
}
