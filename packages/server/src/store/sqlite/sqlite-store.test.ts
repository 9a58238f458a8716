import { testStore } from "../store.suite.ts";
import { openHarness } from "./harness.ts";

testStore({ name: "sqlite", open: openHarness });
