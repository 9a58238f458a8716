/** The answer is with Holdpoint. It executes nothing: the agent comes back, and the service looks for itself. */

import { caseKey } from "@holdpoint/hitl/service";
import { agentOf, holds } from "../../../../../hitl.ts";

interface Segments {
  readonly params: Promise<{ readonly batch: string }>;
}

export async function POST(request: Request, { params }: Segments): Promise<Response> {
  const agent = agentOf(request);
  if (agent === undefined) return Response.json({ error: "send your credentials" }, { status: 401 });
  const found = await holds.list({ key: await caseKey(agent, (await params).batch) });
  const outcome = found.holds[0]?.outcome;
  if (outcome?.kind !== "decided" || outcome.action !== "confirm")
    return Response.json({ error: "nobody has confirmed this batch" }, { status: 409 });
  return Response.json({ sent: true });
}
