"use strict";
(() => {
  const table = document.querySelector("table.ranking");
  if (!table) return;
  const body = table.tBodies[0];
  const find = document.getElementById("find");
  find.closest("p").hidden = false;
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    for (const row of body.rows) {
      row.hidden = !row.cells[1].textContent.toLowerCase().includes(wanted);
    }
  });
  const value = (row, column, numbers) => {
    const text = row.cells[column].dataset.value ?? row.cells[column].textContent;
    return numbers ? Number(text) : text.toLowerCase();
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const numbers = head.classList.contains("n");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = head.dataset.first ?? "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = before === first ? other : first;
      for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...body.rows];
      rows.sort((a, b) => {
        const [x, y] = [value(a, column, numbers), value(b, column, numbers)];
        return sign * (numbers ? x - y : x.localeCompare(y));
      });
      body.append(...rows);
    });
  });
})();
