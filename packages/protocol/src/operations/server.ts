/** What a server says about itself and its caller. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { OpenObject } from "../wire/base.ts";
import { HealthOut, MeOut, ReadyOut } from "../wire/server.ts";
import { CALL } from "./shared.ts";

export const whoAmI = defineOperation({
  id: "whoAmI",
  method: "GET",
  path: "/v1/me",
  tag: "server",
  summary: "Who the credential stands for",
  security: "key",
  browser: true,
  replies: { 200: MeOut },
  errors: CALL,
});

export const health = defineOperation({
  id: "health",
  method: "GET",
  path: "/healthz",
  tag: "server",
  summary: "Whether the process lives",
  security: "none",
  replies: { 200: HealthOut },
  errors: [],
});

export const ready = defineOperation({
  id: "ready",
  method: "GET",
  path: "/readyz",
  tag: "server",
  summary: "Whether the server can take work",
  security: "none",
  replies: { 200: ReadyOut, 503: ReadyOut },
  errors: [],
});

export const metrics = defineOperation({
  id: "metrics",
  method: "GET",
  path: "/metrics",
  tag: "server",
  summary: "Counters and gauges (OpenMetrics text)",
  security: "none",
  replies: { 200: z.string() },
  media: "text/plain",
  errors: [],
});

export const openApi = defineOperation({
  id: "openApi",
  method: "GET",
  path: "/openapi.json",
  tag: "server",
  summary: "This description",
  security: "none",
  replies: { 200: OpenObject },
  errors: [],
});
