import { testCrowdedInbox } from "./inbox-scale.suite.ts";

testCrowdedInbox(2_000);
