'use strict';
(() => {
  // ---- sorting: exact numbers stand as `p` or `p/q` in data-value ----
  const fraction = (text) => {
    const match = /^(-?\d+)(?:\/(\d+))?$/.exec(text);
    return match && [BigInt(match[1]), BigInt(match[2] || 1)];
  };
  const keyOf = (cell) => {
    const text = cell.dataset.value ?? cell.textContent.trim();
    return {text, number: fraction(text)};
  };
  const compare = (a, b) => {
    if (a.number && b.number) {
      const left = a.number[0] * b.number[1], right = b.number[0] * a.number[1];
      return left < right ? -1 : left > right ? 1 : 0;
    }
    if (!a.number !== !b.number) return a.number ? -1 : 1;
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  };
  const sort = (table, header) => {
    const down = header.getAttribute('aria-sort') === 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({row, key: keyOf(row.cells[header.cellIndex])}));
    rows.sort((a, b) => {
      // what has no value stays last, either way
      if (!a.key.text !== !b.key.text) return a.key.text ? -1 : 1;
      return (down ? -1 : 1) * compare(a.key, b.key) || a.row.dataset.at - b.row.dataset.at;
    });
    body.append(...rows.map(({row}) => row));
  };
  for (const table of document.querySelectorAll('table.sortable')) {
    [...table.tBodies[0].rows].forEach((row, at) => { row.dataset.at = at; });
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...header.childNodes);
      button.addEventListener('click', () => sort(table, header));
      header.append(button);
    }
  }

  // ---- one certificate at a time ----
  const articles = [...document.querySelectorAll('article')];
  if (articles.length === 0) return;
  const label = document.createElement('label');
  const select = document.createElement('select');
  label.className = 'choose';
  label.append('Certificate: ', select);
  for (const article of articles)
    select.append(new Option(article.querySelector('h3').textContent, article.id));
  articles[0].before(label);
  const show = (id) => {
    select.value = id;
    for (const article of articles) article.hidden = article.id !== id;
  };
  const follow = () => {
    const id = location.hash.slice(1);
    if (!articles.some((article) => article.id === id)) return false;
    show(id);
    document.getElementById(id).scrollIntoView();
    return true;
  };
  select.addEventListener('change', () => show(select.value));
  window.addEventListener('hashchange', follow);
  show(articles[0].id);
  follow();
})();
