// Text from a log, made fit to be shown: it can do nothing to the page and nothing to its reader.

/** What is not seen or turns the direction of writing around; a joiner inside an emoji is fine. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ud800-\udfff]/gu;

/** `text` with what is not seen shown as `\u{…}`; line feeds and tabs stay where `isBlock`. */
function visible(text, isBlock = false) {
  return text.replace(unseen, (character) => {
    if (character === "\u200d") return character;
    if (isBlock && (character === "\n" || character === "\t")) return character;
    return `\\u{${character.codePointAt(0).toString(16)}}`;
  });
}

/** `text` cut to `length` characters. */
function cut(text, length) {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** A value in a line of at most about `length` characters. */
function summary(value, length) {
  if (value instanceof Elements) {
    return value.size === 0 ? "[]" : `[${counted(value.size, "element")}]`;
  }
  if (value instanceof Members) {
    return value.size === 0 ? "{}" : `{${counted(value.size, "member")}}`;
  }
  if (value instanceof Numeral) return cut(value.text, length);
  if (typeof value === "string") return visible(JSON.stringify(cut(value, length)));
  return String(value);
}

/** `1234567` as `1,234,567`. */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 event`, `1,234 events`. */
function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** `1536` as `1.5 KiB`. */
function byteText(count) {
  if (count < 1024) return `${count} B`;
  return count < 1 << 20
    ? `${(count / 1024).toFixed(1)} KiB` : `${(count / (1 << 20)).toFixed(1)} MiB`;
}

/** Microseconds since 1970 as ISO 8601 in UTC, with all six digits of the second's fraction. */
function timeText(microseconds) {
  const seconds = Math.floor(microseconds / 1e6);
  const fraction = String(microseconds - seconds * 1e6).padStart(6, "0");
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${microseconds} µs`;
  return `${date.toISOString().slice(0, -5)}.${fraction}Z`;
}

/** A stretch of microseconds for people: `350 µs`, `12 ms`, `1.5 s`, `3 min 20 s`. */
function durationText(microseconds) {
  const seconds = microseconds / 1e6;
  if (seconds < 0.001) return `${Math.round(microseconds)} µs`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

/** The element called `id`. */
function byID(id) {
  return document.getElementById(id);
}

/** A new element with a class and a text. */
function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A button that does `action`. */
function button(text, className, action) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}
