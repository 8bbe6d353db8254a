"use strict";
// Where what had the focus is not shown any more, it goes to what can be done next, so that a keyboard need not begin anew.

function keepFocus(show) {
  const had = document.activeElement;
  show();
  if (!had || !had.closest("[hidden]") || document.querySelector("dialog[open]")) return;
  const there = (one) => !one.disabled && !one.closest("[hidden]") && !one.closest("dialog");
  const wanted = ["button.main", "#orders button", "td[tabindex='0']"];
  const next = wanted.flatMap((kind) => [...document.querySelectorAll(kind)]).find(there);
  if (next) next.focus({ preventScroll: true });
}
