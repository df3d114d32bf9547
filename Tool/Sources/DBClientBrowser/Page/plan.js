// How the store finds the rows of a table.

import { call } from "./api.js";
import { make } from "./dom.js";
import { dialog, notice } from "./notices.js";

export async function showPlan(table) {
  try {
    const { plan } = await call("explain", table);
    dialog(
      "Plan",
      make("p", { class: "dim" }, "How the store finds the first 100 rows of this table:"),
      make("pre", { class: "plan", tabindex: "0" }, plan),
      scans(plan)
        ? make("p", {}, "It looks at every row. An index on the fields of the filter would help.")
        : null,
    );
  } catch (failure) {
    notice(failure.message, { isFailure: true });
  }
}

/** Whether a plan of SQLite or PostgreSQL reads a whole table to filter it. */
function scans(plan) {
  return /^SCAN (?!.*USING)/m.test(plan) && /WHERE/.test(plan) || /Seq Scan[^]*Filter:/.test(plan);
}
