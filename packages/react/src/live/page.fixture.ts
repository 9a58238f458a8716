/** A page for tests that render: a document of happy-dom, and React on it. Fetch, streams and signals stay Node's own. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { Window } from "happy-dom";
import { act, type ReactNode } from "react";

const NAMES = [
  "window",
  "document",
  "Element",
  "HTMLElement",
  "HTMLIFrameElement",
  "HTMLInputElement",
  "Node",
] as const;

/** A test that waits in vain must end, or it disturbs those after it. */
const WAIT_MS = 10_000;

export interface Page extends AsyncDisposable {
  readonly body: HTMLElement;
  render(node: ReactNode): Promise<void>;
  /** Waits until the page says this. */
  says(words: string): Promise<void>;
  /** Waits until the page does not say this any more. */
  forgets(words: string): Promise<void>;
  /** The button whose text contains these words. */
  button(words: string): HTMLButtonElement;
  /** Waits for the button and presses it. */
  press(words: string): Promise<void>;
  until(isSo: () => boolean): Promise<void>;
}

export async function openPage(): Promise<Page> {
  const window = new Window({ url: "https://shop.example.com/" });
  const before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const given = {
    window,
    ...Object.fromEntries(NAMES.slice(1).map((name) => [name, window[name as "document"]])),
  };
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const globals = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean; requestAnimationFrame?: unknown };
  globals.IS_REACT_ACT_ENVIRONMENT = true;
  globals.requestAnimationFrame = (run: () => void) => setImmediate(run);
  // React looks for a document when it is loaded.
  const { createRoot } = await import("react-dom/client");
  const body = document.body;
  const root = createRoot(body.appendChild(document.createElement("div")));

  const until = async (isSo: () => boolean) => {
    const giveUpAt = performance.now() + WAIT_MS;
    while (!isSo()) {
      if (performance.now() > giveUpAt) throw new Error(`The page stays as it is: ${body.textContent}`);
      await act(async () => void (await nextTurn()));
    }
  };
  const find = (words: string) =>
    [...body.querySelectorAll("button")].find(({ textContent }) => textContent.includes(words));
  const button = (words: string) => {
    const found = find(words);
    if (found === undefined) throw new Error(`There is no button ${words} in: ${body.textContent}`);
    return found;
  };
  return {
    body,
    render: (node) => act(async () => root.render(node)),
    says: (words) => until(() => body.textContent.includes(words)),
    forgets: (words) => until(() => !body.textContent.includes(words)),
    button,
    async press(words) {
      await until(() => find(words) !== undefined);
      await act(async () => button(words).click());
    },
    until,
    async [Symbol.asyncDispose]() {
      await act(async () => root.unmount());
      await window.happyDOM.close();
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
      globals.IS_REACT_ACT_ENVIRONMENT = false;
      Reflect.deleteProperty(globalThis, "requestAnimationFrame");
    },
  };
}
