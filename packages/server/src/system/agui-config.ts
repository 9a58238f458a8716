/** The agents behind the AG-UI proxy, as `holdpoint.yaml` names them under `agui.proxies`. */

import { parseDuration } from "@holdpoint/protocol/rules";
import * as z from "zod";
import { ConfigError, type Environment } from "./yaml-file.ts";

const Duration = z.string().refine((text) => parseDuration(text) !== null, "not a duration, such as 30s");

/** As in a placing: `after` counts from the moment the agent stopped; `0s` notifies people at once. */
const Rung = z.strictObject({
  after: z.union([Duration, z.literal("0s")]),
  channel: z.string().min(1).max(200),
  to: z.string().min(1).max(320).exactOptional(),
});

/** Headers that frame a request; the operator cannot set them. */
const FRAMING = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "transfer-encoding",
  "upgrade",
];
const HeaderName = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .refine(
    (name) => !FRAMING.includes(name.toLowerCase()),
    "cannot be set: the server sets this header itself",
  );
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

const ProxyFile = z.strictObject({
  /** The operator chose it, so it may be private. Redirects are not followed. */
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** Header → the environment variable with its value, so that no secret is in a file. */
  headers: z.record(HeaderName, z.string().min(1)).optional(),
  auto_resume: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  ladder: z.array(Rung).max(100).optional(),
  links: z.enum(["agent", "server"]).optional(),
  /** Also send interrupts as `CUSTOM on_interrupt`, for clients from before AG-UI had interrupts. */
  legacy_events: z.boolean().optional(),
  /** The time limit of a run. */
  timeout: Duration.optional(),
});

export const AgUiFile = z.strictObject({
  /** How long a thread stays leased after its server died during a run. */
  lease: Duration.optional(),
  proxies: z.record(z.string().regex(/^[a-z][\w-]{0,63}$/), ProxyFile).optional(),
});

interface ProxyConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly autoResume: boolean;
  readonly idempotent: boolean;
  readonly ladder: readonly z.infer<typeof Rung>[];
  readonly links: "agent" | "server";
  readonly legacyEvents: boolean;
  readonly timeoutMs: number | null;
}

export interface AgUiConfig {
  readonly leaseMs: number | null;
  readonly proxies: Readonly<Record<string, ProxyConfig>>;
}

export function readAgUi(file: z.infer<typeof AgUiFile> | undefined, env: Environment): AgUiConfig {
  const { lease, proxies = {} } = file ?? {};
  const read = Object.entries(proxies).map(([name, proxy]) => [name, readProxy(name, proxy, env)]);
  return { leaseMs: msOf(lease), proxies: Object.fromEntries(read) };
}

function readProxy(name: string, proxy: z.infer<typeof ProxyFile>, env: Environment): ProxyConfig {
  const { username, password } = new URL(proxy.url);
  if (username !== "" || password !== "") {
    throw new ConfigError(`agui.proxies.${name}.url must not carry a user name or password; use headers`);
  }
  const headers = Object.entries(proxy.headers ?? {}).map(([header, variable]) => {
    const value = env[variable];
    if (value === undefined || value === "") {
      throw new ConfigError(
        `agui.proxies.${name}.headers.${header}: the environment variable ${variable} is not set`,
      );
    }
    if (!HEADER_VALUE.test(value)) {
      throw new ConfigError(
        `agui.proxies.${name}.headers.${header}: the environment variable ${variable} contains characters that a header cannot have`,
      );
    }
    return [header.toLowerCase(), value];
  });
  return {
    url: proxy.url,
    headers: Object.fromEntries(headers),
    autoResume: proxy.auto_resume ?? false,
    idempotent: proxy.idempotent ?? false,
    ladder: proxy.ladder ?? [],
    links: proxy.links ?? "server",
    legacyEvents: proxy.legacy_events ?? false,
    timeoutMs: msOf(proxy.timeout),
  };
}

function msOf(duration: string | undefined): number | null {
  return duration === undefined ? null : parseDuration(duration);
}
