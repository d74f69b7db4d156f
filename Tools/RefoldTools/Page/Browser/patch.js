// JSON Pointers, and the patches that lead from one state to the next.

/** The tokens of a JSON Pointer (RFC 6901). */
function tokens(pointer) {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((token) =>
    token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token);
}

/** The JSON Pointer of `path`, an array of tokens. */
function pointer(path) {
  return path.map((token) =>
    `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What lies at `path` of `value`; undefined where nothing does. */
function valueAt(value, path) {
  let found = value;
  for (const token of path) {
    if (found instanceof Members) found = found.map.get(token);
    else if (found instanceof Elements) found = found.list[token];
    else return undefined;
  }
  return found;
}

/**
 * `value` after a patch: `["=", pointer, value]` sets, `["+", pointer, value]` puts an element in,
 * `["-", pointer]` takes out, `["~", pointer, start, deleted, text]` splices a text.
 *
 * What `owner` does not own is copied before it is changed, so that values of other positions,
 * which share most of their parts, stay as they are.
 */
function patched(value, patch, owner) {
  let result = value;
  for (const { list: operation } of patch.list) {
    result = edited(result, tokens(operation[1]), 0, operation, owner);
  }
  return result;
}

function edited(value, path, depth, operation, owner) {
  if (depth === path.length) return operation[0] === "~" ? spliced(value, operation) : operation[2];
  const container = owned(value, owner);
  const [token, isLast] = [path[depth], depth + 1 === path.length];
  if (container instanceof Members) {
    if (isLast && operation[0] === "-") {
      container.map.delete(token);
      return container;
    }
    if (!container.map.has(token)) container.isSorted = false;
    container.map.set(
      token, edited(container.map.get(token), path, depth + 1, operation, owner));
  } else if (isLast && operation[0] === "-") {
    container.list.splice(Number(token), 1);
  } else if (isLast && operation[0] === "+") {
    container.list.splice(Number(token), 0, operation[2]);
  } else {
    container.list[token] = edited(container.list[token], path, depth + 1, operation, owner);
  }
  return container;
}

function owned(value, owner) {
  if (value.owner === owner) return value;
  if (value instanceof Elements) return new Elements(value.list.slice(), owner);
  const copy = new Members(new Map(value.map), owner);
  copy.isSorted = value.isSorted;
  return copy;
}

function spliced(text, [, , start, deleted, inserted]) {
  const [place, count] = [Number(start.text), Number(deleted.text)];
  return text.slice(0, place) + inserted + text.slice(place + count);
}
