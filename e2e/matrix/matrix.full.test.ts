import { matrixSuite } from "./suite.ts";
import { postgresWorld, sqliteWorld } from "./world.ts";

matrixSuite("PostgreSQL, answered at another server than it was placed on", postgresWorld, {
  isThorough: true,
  races: [{ rounds: 350 }, { rounds: 64, costs: ["chat"] }],
});

// Browsers and processes start too slowly to win, and must be told all the same.
matrixSuite("SQLite, thoroughly", sqliteWorld, {
  isThorough: true,
  races: [{ rounds: 350 }, { rounds: 64, costs: ["chat"] }, { rounds: 24, costs: ["process", "browser"] }],
});
