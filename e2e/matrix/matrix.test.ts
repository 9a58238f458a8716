import { matrixSuite } from "./suite.ts";
import { sqliteWorld } from "./world.ts";

matrixSuite("SQLite", sqliteWorld, { races: [{ rounds: 14, costs: ["chat"] }] });
