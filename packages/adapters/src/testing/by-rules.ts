/** The kit's cases for an adapter whose tools the server's rules decide about: those that say how the agent itself asks are left out. */

import { type AdapterTest, type AdapterUnderTest, adapterTests } from "../kit/index.ts";

const OF_THE_ASKER = /in time|before it places|whose reply is lost/;

export function testsByRules(adapter: AdapterUnderTest): readonly AdapterTest[] {
  return adapterTests(adapter).filter(({ title }) => !OF_THE_ASKER.test(title));
}
