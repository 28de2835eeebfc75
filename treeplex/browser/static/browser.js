// Keys, and the order and choice of rows of a table that is there. Every number comes with the page.
"use strict";

// Where two nodes stand beside each other, keys are of the one that has the focus, or of the first.
const here = () => document.activeElement.closest(".side") || document.querySelector(".side") || document;
const links = () => [...here().querySelectorAll(".moves a")];
const filter = document.getElementById("filter");
const table = document.getElementById("table");
const count = document.getElementById("count");

function alongMoves(step) {
  const all = links();
  if (!all.length) return false;
  const at = all.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length;
  all[next].focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === "Escape" && typing) {
    filter.value = "";
    choose();
    filter.blur();
  } else if (typing) {
    return;
  } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    if (event.target instanceof Element && event.target.closest(".scroll")) return;
    if (alongMoves(event.key === "ArrowRight" ? 1 : -1)) event.preventDefault();
  } else if (event.key === "Backspace") {
    const up = here().querySelector("[rel=up]");
    if (up) up.click();
    event.preventDefault();
  } else if (event.key === "b") {
    const beside = document.querySelector(".beside");
    if (beside) beside.click();
  } else if (event.key === "/" && filter) {
    event.preventDefault();
    filter.focus();
    filter.select();
  }
});

// A word is a class (AKs), a part of a hand (Ah), or one of pairs, suited, offsuit, here, never.
function fits(row, word) {
  const kind = row.dataset.class;
  const name = row.cells[0].textContent.toLowerCase();
  const pair = kind.length === 2 && kind[0] === kind[1];
  if (word === "pairs") return pair;
  if (word === "suited") return kind.endsWith("s") && kind.length === 3;
  if (word === "offsuit") return kind.endsWith("o") && kind.length === 3;
  if (word === "here") return !row.classList.contains("never");
  if (word === "never") return row.classList.contains("never");
  return kind.toLowerCase() === word || name.includes(word);
}

function choose() {
  const words = filter.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
  let n = 0;
  for (const row of table.tBodies[0].rows) {
    row.hidden = !words.every((word) => fits(row, word));
    if (!row.hidden) n += 1;
  }
  for (const row of table.tFoot ? table.tFoot.rows : []) {
    row.hidden = words.length !== 1 || row.dataset.total.toLowerCase() !== words[0];
  }
  count.textContent = `${n} of ${table.tBodies[0].rows.length} shown`;
}

function order(column, head) {
  const down = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.tHead.rows[0].cells) {
    if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
  }
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[column].dataset.v;
  const number = (row) => (key(row) === "" ? -Infinity : Number(key(row)));
  const text = (row) => row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows];
  const words = rows.some((row) => key(row) === undefined || Number.isNaN(number(row)));
  rows.sort((a, b) => (words ? text(b).localeCompare(text(a)) : number(b) - number(a)));
  if (!down) rows.reverse();
  table.tBodies[0].append(...rows);
}

if (filter && table) {
  filter.addEventListener("input", choose);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = head.querySelector("button");
    if (button) button.addEventListener("click", () => order(column, head));
  });
  const cells = document.querySelectorAll(".grid td[data-class]");
  for (const cell of cells) {
    cell.addEventListener("click", () => {
      for (const other of cells) other.classList.toggle("chosen", other === cell);
      filter.value = cell.dataset.class;
      choose();
      document.getElementById("hands").scrollIntoView();
    });
  }
}
