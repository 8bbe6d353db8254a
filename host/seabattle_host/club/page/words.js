"use strict";
// The words of a page, out of the catalogues: TEXTS, LANGUAGES and COLUMNS come from texts.js, which the club makes.

// By language the words of one page; a text with places for values, like {name}, is a function of them, in the order of the English text.
function wordsOf(page) {
  const words = {};
  for (const [language, texts] of Object.entries(TEXTS)) {
    words[language] = {};
    for (const [key, text] of Object.entries(texts)) {
      const path = key.split("/");
      if (path.shift() !== page) continue;
      const last = path.pop();
      let at = words[language];
      for (const step of path) at = at[step] = at[step] || {};
      at[last] = filler(text, TEXTS.en[key]);
    }
  }
  return words;
}

function filler(text, english) {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
  if (!names.length) return text;
  return (...values) => text.replace(/\{(\w+)\}/g, (_, name) => values[names.indexOf(name)]);
}

// The language of the reader, as far as there are words in it.
function spoken(words) { return Object.keys(words).find((each) => navigator.language.startsWith(each)) || "en"; }

function nextLanguage(language) {
  const all = Object.keys(LANGUAGES);
  return all[(all.indexOf(language) + 1) % all.length];
}

// Of a page: WORDS are its words by language, `language` is the one that is shown.
function w(key) { return WORDS[language][key]; }
function columns() { return COLUMNS[language]; }

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}
