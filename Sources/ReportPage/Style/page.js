"use strict";
// Shows the rows that hold every word searched for. Nothing of the page is needed from here but that.
(() => {
  const box = document.getElementById("search");
  if (!box) return;
  const input = document.getElementById("words");
  const found = document.getElementById("found");
  const rows = Array.from(document.querySelectorAll("#exceptions tbody tr"));
  let texts = null;
  const filter = () => {
    texts ??= rows.map((row) => Array.from(row.cells, (cell) => cell.textContent).join("\n").toLowerCase());
    const words = input.value.toLowerCase().split(/\s+/u).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place].includes(word));
      if (!row.hidden) shown += 1;
    });
    found.textContent = words.length ? `${shown} of ${rows.length} listed rows` : "";
  };
  input.addEventListener("input", filter);
  box.hidden = false;
  if (input.value) filter();
})();
