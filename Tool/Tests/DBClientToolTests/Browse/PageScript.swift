/// Functions that tests call in the page.
enum PageScript {
    static let helpers = """
        // The text of the element of a selector.
        window.text = (selector) => document.querySelector(selector)?.textContent ?? "";
        window.all = (selector) => [...document.querySelectorAll(selector)];
        // The element of a selector that has a text.
        window.named = (selector, name) => all(selector).find((item) => item.textContent === name);
        // The row whose first value is a number.
        window.row = (id) =>
          all(".row:not(.gone)").find((row) => row.children[0].textContent === String(id));
        // The values of the first row that is in sight.
        window.first = () => {
          const head = document.querySelector(".head");
          if (head === null) return [];
          const top = head.getBoundingClientRect().bottom - 1;
          const rows = all(".row:not(.waiting):not(.gone)")
            .filter((row) => row.getBoundingClientRect().top >= top)
            .sort((left, right) => left.index - right.index);
          return rows.length > 0 ? [...rows[0].children].map((cell) => cell.textContent) : [];
        };
        window.heading = (index) => all(".heading button")[index];
        window.sorted = (order) => text(`[aria-sort=${order}] .title`);
        window.rowsStatus = () => text(".rows-status");
        window.isLive = () => document.querySelector(".live.on") !== null;
        """
}
