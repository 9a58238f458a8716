/** The answer is with Holdpoint. It executes nothing: the agent comes back, and the service looks for itself. */

import { caseKey } from "@holdpoint/hitl/service";
import { agentOf, holds } from "../../../../../hitl.ts";

interface Segments {
  readonly params: Promise<{ readonly batch: string }>;
}

export async function POST(request: Request, { params }: Segments): Promise<Response> {
  const agent = agentOf(request);
  if (agent === undefined) return Response.json({ error: "send your credentials" }, { status: 401 });
  const hold = await holds.find({ key: await caseKey(agent, (await params).batch) });
  const outcome = await hold?.outcome();
  if (hold === null || outcome?.kind !== "decided" || outcome.action !== "confirm")
    return Response.json({ error: "nobody has confirmed this batch" }, { status: 409 });
  // Letters go out once. Whoever calls again gets the recorded result.
  return Response.json(await hold.runOnce(() => ({ sent: true, at: new Date().toISOString() })));
}
