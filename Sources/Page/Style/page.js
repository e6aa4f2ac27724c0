"use strict";
// Shows the rows that hold every word searched for. Nothing of the page is needed from here but that.
(() => {
  const box = document.getElementById("search");
  if (!box) return;
  const input = document.getElementById("words");
  const found = document.getElementById("found");
  const table = document.getElementById("exceptions");
  const rows = Array.from(table.tBodies[0].rows);
  let texts = null;
  let told = null;
  // What a cell says: its text, and behind it as it is seen where it has characters that nobody sees.
  const said = (cell) => {
    const unseen = cell.querySelectorAll(".unseen");
    if (!unseen.length) return cell.textContent;
    const copy = cell.cloneNode(true);
    for (const mark of copy.querySelectorAll(".unseen")) mark.textContent = mark.title;
    return cell.textContent + "\n" + copy.textContent;
  };
  const read = (row) => ({
    text: Array.from(row.cells, said).join("\n").toLowerCase(),
    line: row.querySelector(".place").textContent,
  });
  // Paper has no search box: what it was stands in the head of the table, which every page repeats.
  const tell = (words) => {
    if (!told) {
      const row = table.tHead.insertRow(0);
      row.className = "searched";
      told = row.appendChild(document.createElement("th"));
      told.colSpan = rows[0].cells.length;
    }
    told.parentNode.hidden = !found.textContent;
    told.textContent = `${found.textContent}, searched for: ${words}`;
  };
  const filter = () => {
    texts ??= rows.map(read);
    // "line 12" is that line and not 120; any other word may stand anywhere in a row.
    let line = null;
    const rest = input.value.toLowerCase().replace(/(^|\s)line\s+(\d+)(?=\s|$)/u, (_, before, number) => {
      line = number;
      return before;
    });
    const words = rest.split(/\s+/u).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      const { text, line: at } = texts[place];
      const isFound = (line === null || line === at) && words.every((word) => text.includes(word));
      if (row.hidden === isFound) row.hidden = !isFound;
      if (isFound) shown += 1;
    });
    found.textContent = words.length || line !== null ? `${shown} of ${rows.length} listed rows` : "";
    tell(input.value.trim());
  };
  input.addEventListener("input", filter);
  box.hidden = false;
  if (input.value) filter();
})();
