/** Runs every agent behind this server: one handler for each caller of each agent, and releases that no client is connected for. */

import { type AgUiHandler, createAgUiHandler } from "@holdpoint/protocol/agui/runtime";
import { isObject, type JsonObject, type Judge, member } from "@holdpoint/protocol/rules";
import type { Commit, Engine } from "../../engine/engine.ts";
import { NewestCache } from "../../faces/http/newest-cache.ts";
import type { Entity } from "../../kernel/entity.ts";
import type { PlaceGroup } from "../../kernel/hold/commands.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Ids } from "../../system/ids.ts";
import { personOf } from "../face/callers.ts";
import type { PlaceReleasedGroup } from "../rules/release/commands.ts";
import type { Release } from "../rules/release/release.ts";
import { clientFor, type ProxyClient } from "./client.ts";
import { detachOnDisconnect } from "./detach-on-disconnect.ts";
import { Releases } from "./releases.ts";
import { checkerOf } from "./schema-check.ts";
import type { ProxySettings } from "./settings.ts";
import { type Remembered, upstreamAgent } from "./upstream-agent.ts";

export interface ProxyDeps {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly judge: Judge;
  readonly publicUrl: string;
  readonly proxies: Readonly<Record<string, ProxySettings>>;
  /** How long other servers leave a thread and its release alone after their server died. */
  readonly leaseMs: number;
  client(workspace: string, principal: Principal, groupCommand: Placing): ProxyClient;
  onFault(error: unknown): void;
}

type Placing = (place: PlaceGroup) => PlaceReleasedGroup;

interface Key {
  readonly workspace: string;
  readonly proxy: string;
  readonly caller: string;
}

export interface ProxyCall {
  readonly workspace: string;
  readonly by: Principal;
  readonly proxy: string;
  /** The rest of the path after the agent's address: `?…`, `/connect`, `/interrupts?…`. */
  readonly path: string;
  readonly form?: string | undefined;
  readonly body?: object | undefined;
}

/** The number of callers whose handlers stay in memory; an older caller gets a new handler on its next request. */
const HANDLERS_MAX = 1_000;
/** When the server stops, releases under way get this long to end. */
const GRACE_MS = 5_000;

/** A request to the handler of an agent, with the caller that this server has authenticated. */
class ProxyRequest extends Request {
  readonly by: Principal;

  constructor(by: Principal, address: URL, init: RequestInit) {
    super(address, init);
    this.by = by;
  }
}

export class ProxyRuntime {
  readonly #deps: ProxyDeps;
  readonly #releases: Releases;
  readonly #handlers = new NewestCache<AgUiHandler>(HANDLERS_MAX);
  readonly #releasing = new Set<string>();
  /** Releases whose end is stored and whose thread has not continued from it yet. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #detach: () => void;

  constructor(deps: ProxyDeps) {
    this.#deps = deps;
    this.#releases = new Releases(deps.engine, deps.leaseMs);
    this.#detach = deps.engine.onCommit((commit) => this.#hear(commit));
  }

  has(proxy: string): boolean {
    return Object.hasOwn(this.#deps.proxies, proxy);
  }

  async call({ workspace, by, proxy, path, form, body }: ProxyCall): Promise<Response> {
    const address = new URL(`http://proxy/agent${path}`);
    if (form !== undefined) address.searchParams.set("interruptForm", form);
    const gone = new AbortController();
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: gone.signal,
    };
    const request = new ProxyRequest(by, address, body === undefined ? {} : init);
    const key = { workspace, proxy, caller: callerOf(by) };
    const response = await this.#handler(key)(request);
    if (body === undefined || !response.ok) return response;
    const { threadId, resume } = body as { readonly threadId?: unknown; readonly resume?: unknown };
    const isAnswering = resume !== undefined && resume !== null;
    const name = threadName(key, String(threadId));
    return detachOnDisconnect(response, {
      mustFinish: () => isAnswering || this.#releasing.has(name),
      abort: () => gone.abort(),
      track: (work) => this.#track(work),
    });
  }

  /** Waits for releases under way, then aborts them. An aborted release is `unknown`: it may have reached the agent. */
  async stop(): Promise<void> {
    this.#detach();
    if (this.#running.size === 0 && this.#releasing.size === 0) return this.#stopping.abort();
    const { clock } = this.#deps.engine;
    const cancel = clock.at(clock.now() + GRACE_MS, () => this.#stopping.abort());
    await Promise.allSettled(this.#running);
    cancel();
  }

  #track(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => this.#deps.onFault(error))
      .finally(() => {
        this.#running.delete(settled);
      });
    this.#running.add(settled);
  }

  /** Continues a release that this server was given, that may have reached the agent after all, or that an operator marked as done. */
  #hear({ entities, now }: Commit): void {
    for (const entity of entities) {
      if (entity.kind !== "release") continue;
      const release = entity.body;
      const { state, handedAt, changedAt, error, dueAt } = release;
      const isHandedOut = handedAt === now && (state === "pending" || state === "released");
      const isLost = state === "unknown" && changedAt === now && error === "sender_lost";
      const isCalledDone = state === "released" && changedAt === now && dueAt !== undefined;
      if (isHandedOut || isLost || isCalledDone) this.#track(this.#goOn(entity, release));
    }
  }

  /** Resumes the thread as a client would that sends no answers. */
  async #goOn(entity: Entity, release: Release): Promise<void> {
    const { proxy, caller, threadId } = release;
    if (!this.has(proxy) || this.#stopping.signal.aborted) return;
    const key = { workspace: entity.workspace, proxy, caller };
    await this.#handler(key).goOn(threadId);
    await this.#lookAgain(key, entity, release);
  }

  /**
   * The sender may have died after the thread continued, before it marked the release; or somebody may still hold the
   * thread, so that it did not continue just now. Then the timer of a release that a person marked as arrived tries again.
   */
  async #lookAgain(key: Key, entity: Entity, release: Release): Promise<void> {
    const { threadId, id: groupId, fence, state } = release;
    // Without a fence the release was never sent, so no sender can have died.
    if (fence === undefined && state !== "released") return;
    const thread = await this.#client(key).getThread(threadId);
    if (thread === null) return;
    const { clock } = this.#deps.engine;
    const isHeld = Object.hasOwn(thread.data, "lease");
    if (waitsFor(thread.data) !== groupId) {
      await this.#releases.finish(key.workspace, groupId, fence?.id ?? "", "released");
    } else if (state === "unknown" && isHeld) {
      clock.at(clock.now() + this.#deps.leaseMs, () => this.#track(this.#goOn(entity, release)));
    }
  }

  /** Its groups are placed with their release. */
  #client(key: Key): ProxyClient {
    const { workspace, proxy, caller } = key;
    return this.#deps.client(workspace, principalOf(proxy, caller), (place) => ({
      ...place,
      kind: "place_released_group",
      release: this.#releaseOf(key, place.threadId ?? ""),
    }));
  }

  #releaseOf({ proxy, caller }: Key, threadId: string) {
    const { autoResume, idempotent } = this.#settings(proxy);
    return { proxy, threadId, caller, autoResume, idempotent };
  }

  #settings(proxy: string): ProxySettings {
    const settings = this.#deps.proxies[proxy];
    if (settings === undefined) throw new Error(`there is no proxy ${proxy}`);
    return settings;
  }

  async #wentOn(key: Key, threadId: string, group: string | null): Promise<void> {
    const name = threadName(key, threadId);
    const remembered = this.#remembered.get(name);
    if (remembered === undefined || remembered.groupId === group) return;
    this.#remembered.delete(name);
    const { groupId, fenceId } = remembered;
    // The thread has continued. If this write fails, the release is checked again when its fence expires.
    await this.#releases
      .finish(key.workspace, groupId, fenceId, "released")
      .catch((error: unknown) => this.#deps.onFault(error));
  }

  #handler(key: Key): AgUiHandler {
    const name = JSON.stringify([key.workspace, key.proxy, key.caller]);
    return this.#handlers.get(name, () => this.#make(key));
  }

  #make(key: Key): AgUiHandler {
    const { workspace, proxy, caller } = key;
    const { engine, ids, judge, publicUrl, leaseMs } = this.#deps;
    const { clock } = engine;
    const settings = this.#settings(proxy);
    const principal = principalOf(proxy, caller);
    const onKept = (threadId: string, group: string | null) => this.#wentOn(key, threadId, group);
    const open = (groupId: string, threadId: string) =>
      this.#releases.open(workspace, principal, { id: groupId, ...this.#releaseOf(key, threadId) });
    const newKey = () => ids.next(clock.now());
    return createAgUiHandler({
      agent: upstreamAgent({
        ...{ workspace, settings, clock, judge, releases: this.#releases, stopping: this.#stopping.signal },
        ...{ newFence: newKey, open },
        onReleasing: (threadId, isReleasing) => {
          if (isReleasing) this.#releasing.add(threadName(key, threadId));
          else this.#releasing.delete(threadName(key, threadId));
        },
        onRemembered: (threadId, remembered) => {
          this.#remembered.set(threadName(key, threadId), remembered);
        },
      }),
      holdpoint: clientFor(this.#client(key), { settings, onKept }),
      publicUrl,
      identify: (request) => (request instanceof ProxyRequest ? personOf(request.by) : null),
      identity: { name: proxy, description: "An agent behind Holdpoint" },
      ...{ reasons: "any", leaseMs, checkPayload: checkerOf(judge) },
      machine: { now: () => clock.now(), after: (ms, wake) => clock.at(clock.now() + ms, wake), newKey },
      onError: (error) => this.#deps.onFault(error),
    });
  }
}

/** The owner of the threads: an app by its name, any other caller by role and name, so that no two callers share threads. */
function callerOf({ role, name }: Principal): string {
  return role === "app" ? name : `${role}:${name}`;
}

function principalOf(proxy: string, caller: string): Principal {
  const name = `agui-proxy:${proxy}:${caller}`;
  return { role: "app", via: "key", id: name, name };
}

/** The group of holds that a thread's unfinished run waits for. */
function waitsFor(data: JsonObject): unknown {
  const work = member(data, "work");
  const groups = isObject(work) ? member(work, "groups") : undefined;
  return Array.isArray(groups) ? groups.at(-1) : undefined;
}

function threadName(key: Key, threadId: string): string {
  return JSON.stringify([key.workspace, key.proxy, key.caller, threadId]);
}
