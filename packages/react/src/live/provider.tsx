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
    }
  | {
      /** A hold client of your own, instead of address and token. */
      readonly client: PageClient;
    }
);

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
  const url = "url" in props ? props.url : "";
  const token = useLatest<TokenSource>("token" in props ? props.token : "");
  const client = useMemo(() => given ?? browserClient(url, () => token.current), [given, url, token]);
  return <Current value={client}>{props.children}</Current>;
}

/** The client of the nearest provider. */
export function useHoldpoint(): PageClient {
  const client = useContext(Current);
  if (client === null)
    throw new Error("There is no <HoldpointProvider> above this component. Put one around your app.");
  return client;
}
