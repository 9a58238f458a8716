import { matrixSuite } from "./suite.ts";
import { sqliteWorld } from "./world.ts";

matrixSuite("SQLite", sqliteWorld, { races: [{ rounds: 5, costs: ["chat"] }] });
