/** The service's own route: it asks a person instead of sending. */

import { hitl } from "../../../hitl.ts";

export async function POST(request: Request): Promise<Response> {
  const body = await request.json();
  return hitl.requireHuman(request, {
    body,
    type: "confirmation",
    prompt: `Send ${body.letters.length} letters?`,
    context: { description: "A letter that has been sent cannot be taken back." },
    timeout: "12h",
    defaultAction: "abort",
    key: body.batch,
  });
}
