/** Where the components below find the server. */

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useLatest } from "../components/hooks.ts";
import { browserClient, type PageClient, type TokenSource } from "./browser-client.ts";

export type HoldpointProviderProps = { readonly children: ReactNode } & (
  | {
      /** Address of the Holdpoint server, which must list this page's origin in `cors_origins`. */
      readonly url: string;
      /** A browser token, or a function that gets one from your server; it is called again when the token has ended. */
      readonly token: TokenSource;
      /**
       * Who is signed in to your app. When it changes, nothing of the person before is kept: token, holds, half-written answers.
       * Without it, another `token` string counts as another person; a function says nothing about who it is for.
       */
      readonly person?: string | undefined;
    }
  | {
      /** A hold client of your own, instead of address and token. */
      readonly client: PageClient;
    }
);

const NONE = { url: "", token: "", person: undefined };
const Current = createContext<PageClient | null>(null);

/**
 * Gives the server to `useHold`, `useInbox`, `Inbox` and `HoldReview`. Options may be written inline.
 *
 * @example
 * ```tsx
 * import { HoldpointProvider, Inbox } from "@holdpoint/react";
 * import "@holdpoint/react/style.css";
 *
 * const token = async () => (await fetch("/api/holdpoint-token", { method: "POST" })).text();
 *
 * export const App = () => (
 *   <HoldpointProvider url="https://holdpoint.example.com" token={token}>
 *     <Inbox />
 *   </HoldpointProvider>
 * );
 * ```
 */
export function HoldpointProvider(props: HoldpointProviderProps): ReactNode {
  const given = "client" in props ? props.client : undefined;
  const { url, token, person } = "client" in props ? NONE : props;
  const who = person ?? (typeof token === "string" ? token : undefined);
  const latest = useLatest({ who, token });
  const client = useMemo(
    () => given ?? browserClient(url, () => tokenFor(who, latest.current)),
    [given, url, who, latest],
  );
  return <Current value={client}>{props.children}</Current>;
}

interface SignedIn {
  readonly who: string | undefined;
  readonly token: TokenSource;
}

/** What one person began to send must not arrive with the token of another: it would be recorded as theirs. */
function tokenFor(who: string | undefined, { who: now, token }: SignedIn): TokenSource {
  if (now !== who) throw new Error("Somebody else has signed in since. Nothing was sent.");
  return token;
}

/** The client of the nearest provider. */
export function useHoldpoint(): PageClient {
  const client = useContext(Current);
  if (client === null)
    throw new Error("There is no <HoldpointProvider> above this component. Put one around your app.");
  return client;
}
