/** Tasks and plans for tests of the core, as a command brings them. */

import type { PlanIn, TaskIn } from "../openintent/rules/plan/commands.ts";

export function taskIn(part: Partial<TaskIn> = {}): TaskIn {
  return {
    id: "t1",
    name: "audit",
    description: null,
    priority: "normal",
    input: {},
    assignedAgent: null,
    capabilitiesRequired: [],
    dependsOn: [],
    parentTaskId: null,
    retryPolicy: null,
    timeoutMs: null,
    maxAttempts: 3,
    permissions: null,
    memoryPolicy: null,
    requiresTools: [],
    metadata: {},
    ...part,
  };
}

export function planIn(part: Partial<PlanIn> = {}): PlanIn {
  const rest = { conditions: [], onFailure: "notify", onComplete: "notify", metadata: {} } as const;
  return { id: "p1", tasks: [], newTasks: [], checkpoints: [], ...rest, ...part };
}
