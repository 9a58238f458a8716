import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, readConfig } from "./config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const read = (env: Readonly<Record<string, string>> = {}): Config => readConfig(env, folder);

describe("openintent.yaml", () => {
  it("OI-181 openintent.yaml sets the platform's retry policy, and its other settings are ignored", () => {
    write(
      "openintent.yaml",
      [
        "server: { port: 9 }",
        "suspension:",
        "  default_retry_policy:",
        "    max_attempts: 3",
        "    interval_seconds: 3600",
        "    escalation_ladder: [{ attempt: 2, channel_hint: email, notify_to: lead@example.com }]",
      ].join("\n"),
    );
    expect(read()).toMatchObject({
      port: 4100,
      defaultRetryPolicy: {
        max_attempts: 3,
        interval_seconds: 3600,
        escalation_ladder: [{ attempt: 2, channel_hint: "email", notify_to: "lead@example.com" }],
      },
    });
  });

  it.each([[""], ["suspension:"], ["suspension: {}"], ["suspension: { default_retry_policy: null }"]])(
    "OI-181 openintent.yaml with %j sets no retry policy",
    (text) => {
      expect(read().defaultRetryPolicy).toBeNull();
      write("openintent.yaml", text);
      expect(read().defaultRetryPolicy).toBeNull();
    },
  );

  it.each([
    ["suspension: { default_retry_policy: { max_attempts: 0 } }", "default_retry_policy.max_attempts"],
    ["suspension: { default_retry_policy: often }", "suspension.default_retry_policy"],
    ["suspension: [", "is not YAML"],
  ])("OI-181 openintent.yaml is refused if it contains %j", (text, words) => {
    write("openintent.yaml", text);
    expect(() => read()).toThrow(words);
  });

  it("OI-137 openintent.yaml sets whether intents may begin before their dependencies are complete", () => {
    expect(read().activationGate).toBe("strict");
    write("openintent.yaml", "graph: { activation_gate: soft }");
    expect(read().activationGate).toBe("soft");
    write("openintent.yaml", "graph: { activation_gate: open }");
    expect(() => read()).toThrow("graph.activation_gate");
  });

  it("OI-181 OPENINTENT_CONFIG names another file instead of openintent.yaml", () => {
    write("other.yaml", "suspension: { default_retry_policy: { max_attempts: 2 } }");
    expect(read({ OPENINTENT_CONFIG: "other.yaml" }).defaultRetryPolicy).toEqual({ max_attempts: 2 });
    expect(() => read({ OPENINTENT_CONFIG: "none.yaml" })).toThrow("OPENINTENT_CONFIG names");
  });

  it("OI-181 OPENINTENT_ variables apply where the HOLDPOINT_ ones are not set", () => {
    const env = {
      OPENINTENT_HOST: "0.0.0.0",
      OPENINTENT_PORT: "9001",
      OPENINTENT_API_KEYS: "bare, k=agent:refunder",
    };
    expect(read(env)).toMatchObject({
      host: "0.0.0.0",
      port: 9001,
      apiKeys: [
        { secret: "bare", role: "dev" },
        { secret: "k", role: "agent", name: "refunder" },
      ],
    });
    expect(read({ ...env, HOLDPOINT_PORT: "1", HOLDPOINT_HOST: "::1" })).toMatchObject({
      port: 1,
      host: "::1",
    });
  });
});

describe("cors_origins and drain_seconds", () => {
  it("pages of no other origin may use browser tokens by default, and the environment overrides the file", () => {
    expect(read().corsOrigins).toEqual([]);
    write("holdpoint.yaml", "cors_origins: [https://a.example.com]");
    expect(read().corsOrigins).toEqual(["https://a.example.com"]);
    const HOLDPOINT_CORS_ORIGINS = "https://b.example.com, http://localhost:3000";
    expect(read({ HOLDPOINT_CORS_ORIGINS }).corsOrigins).toEqual([
      "https://b.example.com",
      "http://localhost:3000",
    ]);
  });

  it("trusted proxies come from the file, and the environment overrides them", () => {
    expect(read().trustedProxies).toBe("");
    write("holdpoint.yaml", "trusted_proxies: [10.0.0.0/8, 192.0.2.1]");
    expect(read().trustedProxies).toBe("10.0.0.0/8,192.0.2.1");
    expect(read({ HOLDPOINT_TRUSTED_PROXIES: "::1" }).trustedProxies).toBe("::1");
  });

  it.each(["*", "https://a.example.com/", "a.example.com", "null"])("the origin %s is refused", (origin) => {
    expect(() => read({ HOLDPOINT_CORS_ORIGINS: origin })).toThrow("is no origin");
  });

  it("the drain time is zero by default, and the environment overrides the file", () => {
    expect(read().drainMs).toBe(0);
    write("holdpoint.yaml", "drain_seconds: 4");
    expect(read().drainMs).toBe(4_000);
    expect(read({ HOLDPOINT_DRAIN_SECONDS: "2.5" }).drainMs).toBe(2_500);
  });

  it.each(["soon", "-1", "301"])("a drain time of %s is refused", (seconds) => {
    expect(() => read({ HOLDPOINT_DRAIN_SECONDS: seconds })).toThrow("HOLDPOINT_DRAIN_SECONDS");
  });
});

describe("channels in holdpoint.yaml", () => {
  it("channels in holdpoint.yaml are read by kind", () => {
    write(
      "holdpoint.yaml",
      [
        "default_channel: email",
        "delivery_retention_days: 7",
        "channels:",
        "  email: { kind: email, url: 'smtps://mail.example.com', from: a@example.com, to: [b@example.com] }",
        "  chat: { kind: webhook, url: 'https://chat.example.com/hook', secret_env: CHAT }",
      ].join("\n"),
    );
    expect(read()).toMatchObject({
      defaultChannel: "email",
      deliveryRetentionMs: 7 * 86_400_000,
      channels: { email: { kind: "email", to: ["b@example.com"] }, chat: { kind: "webhook" } },
    });
  });

  it.each([
    ["channels: { x: { kind: pigeon, url: u } }", "channels.x.kind"],
    ["channels: { x: { kind: email, url: 'smtp://h' } }", "channels.x.from"],
    ["channels: { x: { kind: webhook } }", "channels.x.url"],
    ["channels: { x: { kind: webhook, url: u, from: f } }", "channels.x"],
    ["channels: { x: { kind: webhook, url: u, preset: pigeon } }", "channels.x.preset"],
  ])("a wrong channel in holdpoint.yaml is refused: %j", (text, words) => {
    write("holdpoint.yaml", text);
    expect(() => read()).toThrow(words);
  });
});

describe("agent_links", () => {
  const PUBLIC = { HOLDPOINT_PUBLIC_URL: "https://holds.example.com" };

  it.each([
    [{}, "always"],
    [{ HOLDPOINT_HOST: "localhost" }, "always"],
    [{ HOLDPOINT_HOST: "::1" }, "always"],
    [{ HOLDPOINT_HOST: "127.0.1.1" }, "always"],
    [{ HOLDPOINT_HOST: "0.0.0.0" }, "hitl"],
    [{ HOLDPOINT_HOST: "127.0.0.1.example.com" }, "hitl"],
    [PUBLIC, "hitl"],
    [{ ...PUBLIC, HOLDPOINT_HOST: "0.0.0.0" }, "hitl"],
  ] as const)(
    "agent_links defaults for %j to %s: to always only on a loopback address with a local public URL",
    (env, word) => {
      expect(read(env).agentLinks).toBe(word);
    },
  );

  it("agent_links comes from the environment, else from the file", () => {
    write("holdpoint.yaml", "agent_links: never");
    expect(read().agentLinks).toBe("never");
    expect(read({ HOLDPOINT_AGENT_LINKS: "" }).agentLinks).toBe("never");
    expect(read({ ...PUBLIC, HOLDPOINT_AGENT_LINKS: "always" }).agentLinks).toBe("always");
  });

  it("an unknown value of agent_links is refused with the setting's name", () => {
    expect(() => read({ HOLDPOINT_AGENT_LINKS: "sometimes" })).toThrow("HOLDPOINT_AGENT_LINKS: sometimes");
    write("holdpoint.yaml", "agent_links: sometimes");
    expect(() => read()).toThrow("agent_links");
  });
});

describe("people in holdpoint.yaml", () => {
  it("teams name people of the file or of configured keys, and nobody else", () => {
    write(
      "holdpoint.yaml",
      "people: { ada: { name: Ada Park } }\nteams: { finance: [ada, grace], ops: { name: Ops, members: [ada] } }",
    );
    const { teams, people } = read({ HOLDPOINT_API_KEYS: "k=operator:grace" });
    expect(people).toEqual({ ada: { name: "Ada Park" } });
    expect(teams).toEqual({ finance: { members: ["ada", "grace"] }, ops: { name: "Ops", members: ["ada"] } });
    expect(() => read({ HOLDPOINT_API_KEYS: "k=agent:grace" })).toThrow("teams.finance: grace is not listed");
  });

  it("business hours have a time zone that exists, and end after they begin", () => {
    expect(read().hours).toMatchObject({ timeZone: "UTC", opensAt: 540, closesAt: 1020 });
    write(
      "holdpoint.yaml",
      "hours: { time_zone: Europe/Berlin, days: [mon], open: '08:30', close: '24:00' }",
    );
    expect(read().hours).toEqual({
      ...{ timeZone: "Europe/Berlin", days: ["mon"], opensAt: 510, closesAt: 1440, holidays: [] },
    });
    write("holdpoint.yaml", "hours: { time_zone: Mars/Olympus }");
    expect(() => read()).toThrow("hours.time_zone: Mars/Olympus is not an IANA time zone");
    write("holdpoint.yaml", "retention_days: forever");
    expect(read().retentionMs).toBeNull();
    write("holdpoint.yaml", "hours: { time_zone: UTC, open: '18:00' }");
    expect(() => read()).toThrow("hours.close: close (17:00) must be later than open (18:00)");
  });

  it("a rota is a rotation or a calendar file beside the configuration", () => {
    const ops = "ops: { people: [ada], every: 7d, from: '2026-01-05T08:00:00Z' }";
    write("holdpoint.yaml", `oncall: { ${ops}, night: { ical: night.ics } }`);
    expect(read().rotas).toEqual({
      ops: {
        kind: "rotation",
        people: ["ada"],
        everyMs: 604_800_000,
        from: Date.parse("2026-01-05T08:00:00Z"),
      },
      night: { kind: "ical", file: join(folder, "night.ics") },
    });
    write("holdpoint.yaml", `oncall: { ${ops.replace("7d", "weekly")} }`);
    expect(() => read()).toThrow("oncall.ops.every: weekly is not a duration");
  });
});

describe("rules in holdpoint.yaml", () => {
  it("are a list with a default beside it, or a whole set", () => {
    write(
      "holdpoint.yaml",
      "rules:\n  - { tools: [read_*], verdict: allow }\ndefault: deny\nmax_open_checks: 7\ngrant_max: 2d\n",
    );
    expect(read()).toMatchObject({
      rules: { rules: [{ tools: ["read_*"], verdict: "allow" }], default: "deny", mode: "enforce" },
      maxOpenChecks: 7,
      grantMaxMs: 2 * 86_400_000,
    });
    write("holdpoint.yaml", "rules: { rules: [], mode: shadow }\n");
    expect(read().rules).toEqual({ rules: [], default: "ask", mode: "shadow" });
  });

  it("are refused whole when one of them contains an error", () => {
    write(
      "holdpoint.yaml",
      "rules:\n  - { tools: [a], verdict: allow, when: { args.x: { matches: '(' } } }\n",
    );
    expect(() => read()).toThrow("rules: /rules/0/when/args.x: matches is not an RE2 pattern");
  });

  it("are absent unless the file has them", () => {
    expect(read()).toMatchObject({ rules: undefined, maxOpenChecks: 100, grantMaxMs: 7 * 86_400_000 });
  });
});

describe("OAuth at /mcp", () => {
  const oauth = (text: string) => write("holdpoint.yaml", `mcp: { oauth: { ${text} } }\n`);

  it("names the issuer and which of its clients are which agents; the scope is holdpoint unless it says otherwise", () => {
    oauth('issuer: "https://id.example", agents: { build: builder }');
    expect(read().mcpOAuth).toEqual({
      ...{ issuer: "https://id.example", scope: "holdpoint", agentClaim: "client_id", workspace: "default" },
      agents: { build: "builder" },
    });
    oauth('issuer: "https://i.example", audience: a, scope: s, agent_claim: sub, agents: {}, workspace: w');
    expect(read().mcpOAuth).toMatchObject({ audience: "a", scope: "s", agentClaim: "sub", workspace: "w" });
    write("holdpoint.yaml", "");
    expect(read().mcpOAuth).toBeUndefined();
  });

  it("is refused without https away from this machine, and for an agent without a name", () => {
    oauth('issuer: "http://id.example", agents: {}');
    expect(() => read()).toThrow("mcp.oauth.issuer must start with https://");
    oauth('issuer: "http://127.0.0.1:1", agents: { build: "*" }');
    expect(() => read()).toThrow("a token stands for one agent");
  });
});

describe("a local server", () => {
  it("attack 10: is bound to loopback and has a local public URL; only such a server accepts dev keys by default", () => {
    expect(read()).toMatchObject({ isLocal: true, allowDev: true });
    expect(read({ HOLDPOINT_HOST: "0.0.0.0" })).toMatchObject({ isLocal: false, allowDev: false });
    const named = { HOLDPOINT_PUBLIC_URL: "https://holds.example.com" };
    expect(read(named)).toMatchObject({ isLocal: false, allowDev: false });
    expect(read({ HOLDPOINT_HOST: "0.0.0.0", HOLDPOINT_ALLOW_DEV_KEY: "true" })).toMatchObject({
      allowDev: true,
    });
  });
});
