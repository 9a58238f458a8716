/** F1: what the HTTP stack alone can do. Bare Hono reads JSON and writes JSON of a hold's size; nothing is kept. */

import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { announce } from "./announce.ts";

const FILLER = "x".repeat(600);

const app = new Hono();
app.post("/v1/holds", async (c) => c.json({ id: "hold_0", filler: FILLER, ...(await c.req.json()) }, 201));
announce(createAdaptorServer({ fetch: app.fetch }));
