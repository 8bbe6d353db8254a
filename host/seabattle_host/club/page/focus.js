"use strict";
// When the focused element disappears, focus the next action, so that keyboard users need not start over.

function keepFocus(show) {
  const had = document.activeElement;
  show();
  if (!had || !had.closest("[hidden]") || document.querySelector("dialog[open]")) return;
  const there = (one) => !one.disabled && !one.closest("[hidden]") && !one.closest("dialog");
  const wanted = ["button.main", "#orders button", "td[tabindex='0']"];
  const next = wanted.flatMap((kind) => [...document.querySelectorAll(kind)]).find(there);
  if (next) next.focus({ preventScroll: true });
}
