/** Approvals, escalations, arbitrations and requests for access on the wire. */

import * as z from "zod";
import { LEVELS } from "../../rules/intent/intent.ts";
import { Id, Name, Open, Text, TimeIn, TimeOut } from "./base.ts";

const Word = z.string().min(1).max(60);
const Note = z.string().max(2000);

export const ApprovalIn = z.looseObject({
  action: z.string().min(1).max(1000),
  reason: Text.nullish(),
  context: Open.nullish(),
  requested_by: z.string().nullish().describe("Taken from the credential, whatever stands here."),
});

export const ApprovalOut = z.looseObject({
  id: Id,
  intent_id: Id,
  hold_id: Id,
  requested_by: z.string(),
  action: z.string(),
  reason: z.string(),
  context: Open,
  status: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
  created_at: TimeOut,
  decided_at: TimeOut.exactOptional(),
  decided_by: z.string().exactOptional(),
  decision_notes: z.string().exactOptional(),
});

/** The reference client sends no body here. */
export const ApprovalDecisionIn = z.looseObject({ notes: Note.nullish(), decided_by: Name.nullish() });

export const ApprovalParams = z.strictObject({ id: Id, approval_id: Id });

export const EscalationIn = z.looseObject({
  reason: z.string().min(1).max(20_000),
  priority: Word.nullish(),
  urgency: Word.nullish(),
  context: Open.nullish(),
  escalated_by: z.string().nullish().describe("Taken from the credential, whatever stands here."),
});

export const EscalationOut = z.looseObject({
  id: Id,
  intent_id: Id,
  hold_id: Id,
  escalated_by: z.string(),
  reason: z.string(),
  priority: z.string(),
  urgency: z.string(),
  context: Open,
  status: z.enum(["pending", "resolved", "expired", "cancelled"]),
  created_at: TimeOut,
  resolved_at: TimeOut.exactOptional(),
  resolved_by: z.string().exactOptional(),
  resolution: z.string().exactOptional(),
  resolution_notes: z.string().exactOptional(),
});

export const EscalationListOut = z.looseObject({ escalations: z.array(EscalationOut) });

export const EscalationQuery = z.object({
  intent_id: Id.exactOptional(),
  status: Word.exactOptional(),
  limit: z.coerce.number().int().min(1).max(500).exactOptional(),
});

export const ResolutionIn = z.looseObject({
  resolution: z.string().min(1).max(2000),
  notes: Note.nullish(),
  resolved_by: Name.nullish(),
});

export const EscalationParams = z.strictObject({ id: Id });

export const ArbitrationIn = z.looseObject({
  reason: z.string().min(1).max(20_000),
  context: Open.nullish(),
  options: z
    .array(z.union([z.string(), z.looseObject({ value: z.string(), label: z.string().nullish() })]))
    .max(50)
    .nullish()
    .describe("What people may choose from. `context.options` is read too."),
});

export const ArbitrationOut = z.looseObject({
  id: Id,
  intent_id: Id,
  hold_id: Id,
  requester_id: z.string(),
  reason: z.string(),
  context: Open,
  status: z.enum(["pending", "decided", "expired", "cancelled"]),
  created_at: TimeOut,
  decision: z.string().exactOptional(),
  decided_by: z.string().exactOptional(),
});

export const ArbitrationParams = z.strictObject({ id: Id, arbitration_id: Id });

export const AccessRequestIn = z.looseObject({
  principal_id: Name,
  principal_type: Word.nullish(),
  requested_permission: z.enum(LEVELS),
  reason: Text.nullish(),
  capabilities: z.array(z.string().max(200)).max(50).nullish(),
});

export const AccessRequestOut = z.looseObject({
  id: Id,
  intent_id: Id,
  hold_id: Id,
  principal_id: z.string(),
  principal_type: z.string(),
  requested_permission: z.enum(LEVELS),
  reason: z.string(),
  capabilities: z.array(z.string()),
  status: z.enum(["pending", "approved", "denied"]),
  decided_by: z.string().nullable(),
  decided_at: TimeOut.nullable(),
  decision_reason: z.string().nullable(),
  created_at: TimeOut,
});

export const AccessRequestListOut = z.looseObject({ access_requests: z.array(AccessRequestOut) });

export const AccessDecisionIn = z.looseObject({
  decided_by: Name.nullish(),
  permission: z.enum(LEVELS).nullish(),
  expires_at: TimeIn.nullish(),
  reason: Note.nullish(),
});

export const AccessRequestParams = z.strictObject({ id: Id, request_id: Id });
