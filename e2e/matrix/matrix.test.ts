import { matrixSuite } from "./suite.ts";
import { sqliteWorld } from "./world.ts";

matrixSuite("SQLite", sqliteWorld, { races: [{ rounds: 8, costs: ["chat"] }] });
