/** Runs before anything is drawn, so that a chosen theme does not flash. */

let chosen: string | null = null;
try {
  chosen = localStorage.getItem("holdpoint.theme");
} catch {
  // Storage may be off.
}
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
