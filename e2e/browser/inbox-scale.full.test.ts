import { testCrowdedInbox } from "./inbox-scale.suite.ts";

testCrowdedInbox(100_000);
