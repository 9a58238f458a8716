/** Graphs of intents on the wire. */

import * as z from "zod";
import { Id } from "./base.ts";
import { CountsOut, IntentIn, IntentOut, IntentStatusWord } from "./intent.ts";

/** The parent is the intent in the path. */
export const ChildIn = IntentIn;

export const DependencyIn = z.looseObject({ dependency_id: Id });
export const DependencyParams = z.strictObject({ id: Id, dependency_id: Id });

export const GraphQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  offset: z.coerce.number().int().min(0).max(1_000_000).exactOptional(),
});

export const ChildrenOut = z.looseObject({ children: z.array(IntentOut) });
export const DescendantsOut = z.looseObject({ descendants: z.array(IntentOut) });
export const AncestorsOut = z.looseObject({ ancestors: z.array(IntentOut) });
export const DependenciesOut = z.looseObject({ dependencies: z.array(IntentOut) });
export const DependentsOut = z.looseObject({ dependents: z.array(IntentOut) });
export const ReadyOut = z.looseObject({ ready: z.array(IntentOut) });
export const BlockedOut = z.looseObject({ blocked: z.array(IntentOut) });

export const GraphOut = z.looseObject({
  root_id: Id,
  nodes: z.array(
    z.looseObject({
      id: Id,
      title: z.string(),
      status: IntentStatusWord,
      parent_id: Id.nullable(),
      depends_on: z.array(Id),
    }),
  ),
  edges: z.array(z.looseObject({ from: Id, to: Id, type: z.enum(["parent", "dependency"]) })),
  aggregate_status: CountsOut,
});
