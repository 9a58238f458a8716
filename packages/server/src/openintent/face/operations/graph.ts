/** Graphs: parents and children, dependencies and dependents. */

import { IfMatch, IntentParams } from "../wire/base.ts";
import {
  AncestorsOut,
  BlockedOut,
  ChildIn,
  ChildrenOut,
  DependenciesOut,
  DependencyIn,
  DependencyParams,
  DependentsOut,
  DescendantsOut,
  GraphOut,
  GraphQuery,
  ReadyOut,
} from "../wire/graph.ts";
import { IntentOut } from "../wire/intent.ts";
import { intentOperations } from "./intents.ts";
import { BODY, FOUND, INTENT, operation, reading, VERSIONED } from "./shared.ts";

const tag = "intent graphs";

const listing = {
  method: "GET",
  tag,
  params: IntentParams,
  query: GraphQuery,
  errors: [...FOUND, "invalid_request"],
} as const;

export const graphOperations = {
  createChild: operation({
    id: "createChildIntent",
    method: "POST",
    path: `${INTENT}/children`,
    tag,
    summary: "Make an intent under another",
    params: IntentParams,
    body: ChildIn,
    replies: { 200: IntentOut },
    errors: [...intentOperations.createIntent.errors, "not_found"],
  }),

  listChildren: operation({
    ...listing,
    id: "listChildren",
    path: `${INTENT}/children`,
    summary: "The intents directly under this one, oldest first",
    replies: { 200: ChildrenOut },
  }),

  listDescendants: operation({
    ...listing,
    id: "listDescendants",
    path: `${INTENT}/descendants`,
    summary: "All intents under this one, oldest first",
    replies: { 200: DescendantsOut },
  }),

  listAncestors: operation({
    ...listing,
    id: "listAncestors",
    path: `${INTENT}/ancestors`,
    summary: "The intents above this one, nearest first",
    replies: { 200: AncestorsOut },
  }),

  listDependencies: operation({
    ...listing,
    id: "listDependencies",
    path: `${INTENT}/dependencies`,
    summary: "What this intent depends on",
    replies: { 200: DependenciesOut },
  }),

  listDependents: operation({
    ...listing,
    id: "listDependents",
    path: `${INTENT}/dependents`,
    summary: "What depends on this intent",
    replies: { 200: DependentsOut },
  }),

  listReady: operation({
    ...listing,
    id: "listReadyIntents",
    path: `${INTENT}/ready`,
    summary: "Children that can be worked on",
    replies: { 200: ReadyOut },
  }),

  listBlocked: operation({
    ...listing,
    id: "listBlockedIntents",
    path: `${INTENT}/blocked`,
    summary: "Children that wait for others",
    replies: { 200: BlockedOut },
  }),

  getGraph: reading({
    id: "getIntentGraph",
    path: `${INTENT}/graph`,
    tag,
    summary: "This intent and all under it, with every edge between them",
    params: IntentParams,
    reply: GraphOut,
  }),

  addDependency: operation({
    id: "addDependency",
    method: "POST",
    path: `${INTENT}/dependencies`,
    tag,
    summary: "Make an intent depend on another",
    params: IntentParams,
    headers: IfMatch,
    body: DependencyIn,
    replies: { 200: IntentOut },
    errors: [
      ...FOUND,
      ...BODY,
      ...VERSIONED,
      "dependency_cycle",
      "duplicate_dependency",
      "too_many",
      "invalid_transition",
    ],
  }),

  removeDependency: operation({
    id: "removeDependency",
    method: "DELETE",
    path: `${INTENT}/dependencies/{dependency_id}`,
    tag,
    summary: "Make an intent depend on another no longer",
    params: DependencyParams,
    headers: IfMatch,
    replies: { 200: IntentOut },
    errors: [...FOUND, ...VERSIONED, "invalid_transition"],
  }),
};
