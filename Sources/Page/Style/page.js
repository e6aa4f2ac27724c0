"use strict";
// Shows the rows that contain every search word and are of the chosen kind, and on a phone, the chosen currency.
// Everything else on the page works without this script.

// A count in the form of the page's figures: in groups, without separators in the text.
const figure = (count) => {
  const data = document.createElement("data");
  data.value = count;
  const [first, ...groups] = String(count).split(/(?=(?:\d{3})+$)/u);
  data.append(first);
  for (const group of groups) data.appendChild(document.createElement("span")).textContent = group;
  return data;
};

(() => {
  const box = document.getElementById("search");
  if (!box) return;
  const input = document.getElementById("words");
  const kinds = document.getElementById("kind");
  const found = document.getElementById("found");
  const table = document.getElementById("exceptions");
  const rows = Array.from(table.tBodies[0].rows);
  let texts = null;
  let told = null;
  // The searchable text of a cell: its text, and if it has invisible characters, also the text that is displayed.
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
    kinds: ["", row.className, row.querySelector(".why").textContent],
  });
  // Paper has no search box: the table's head, which every page repeats, shows what was searched for.
  const tell = (words) => {
    if (!told) {
      const row = table.tHead.insertRow(0);
      row.className = "searched";
      told = row.appendChild(document.createElement("th"));
      told.colSpan = rows[0].cells.length;
    }
    told.parentNode.hidden = !words;
    told.replaceChildren(...found.cloneNode(true).childNodes, `, searched for: ${words}`);
  };
  const filter = () => {
    texts ??= rows.map(read);
    const kind = kinds.value;
    // "line 12" means that line and not 120; any other word may be anywhere in a row.
    let line = null;
    const rest = input.value.toLowerCase().replace(/(^|\s)line\s+(\d+)(?=\s|$)/u, (_, before, number) => {
      line = number;
      return before;
    });
    const words = rest.split(/\s+/u).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      const { text, line: at, kinds: of } = texts[place];
      const isFound = of.includes(kind) && (line === null || line === at) && words.every((word) => text.includes(word));
      if (row.hidden === isFound) row.hidden = !isFound;
      if (isFound) shown += 1;
    });
    found.replaceChildren();
    const searched = `${kind} ${input.value.trim()}`.trim();
    if (searched) {
      found.append(...(shown ? [figure(shown), " of "] : ["None of the "]), figure(rows.length), " listed rows");
      if (!shown) found.append(" contains all of that");
      const unlisted = Number(kinds.selectedOptions[0].dataset.unlisted);
      const more = ` more ${kind ? kind + " " : ""}rows are only in exceptions.csv, which is not searched`;
      if (unlisted) found.append("; ", figure(unlisted), more);
    }
    tell(searched);
  };
  input.addEventListener("input", filter);
  kinds.addEventListener("input", filter);
  box.hidden = false;
  if (input.value) filter();
})();

// The style hides the other currencies only in a narrow window.
(() => {
  const choices = Array.from(document.querySelectorAll(".choice"));
  const choose = (code) => {
    for (const choice of choices) {
      choice.querySelector("select").value = code;
      const parts = choice.parentNode.querySelectorAll(
        ":is(#control, #refunded, #nights, #totals, #preapprovals) tbody tr, #largest tbody");
      let shown = 0;
      for (const part of parts) {
        const isShown = !code || part.querySelector("[title]").textContent === code;
        part.classList.toggle("elsewhere", !isShown);
        if (isShown) shown += 1;
      }
      choice.querySelector("output").textContent = shown ? "" : `None in ${code}`;
    }
  };
  for (const choice of choices) {
    const select = choice.querySelector("select");
    select.addEventListener("input", () => choose(select.value));
    choice.hidden = false;
  }
  if (choices.length) choose(choices[0].querySelector("select").value);
})();
