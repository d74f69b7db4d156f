// What changed between two values, for people.

/** The most changes that are listed. */
const mostDifferences = 500;

/**
 * The changes from `old` to `new`, at most `mostDifferences` and one: each a `path`, and `old` and
 * `new` values of which one is undefined where there was, or is, nothing.
 */
function differences(one, other) {
  const found = [];
  compare(one, other, [], found);
  return found;
}

function compare(one, other, path, found) {
  if (one === other || found.length > mostDifferences) return;
  if (one instanceof Members && other instanceof Members) {
    compareMembers(one, other, path, found);
  } else if (one instanceof Elements && other instanceof Elements) {
    compareElements(one.list, other.list, path, found);
  } else if (!areEqual(one, other)) {
    found.push({ path, old: one, new: other });
  }
}

function compareMembers(one, other, path, found) {
  const keys = new Set([...one.keys, ...other.keys]);
  for (const key of [...keys].sort(compareText)) {
    compare(one.map.get(key), other.map.get(key), [...path, key], found);
  }
}

/** Elements at both ends that stayed are found; those between are compared place by place. */
function compareElements(olds, news, path, found) {
  const shorter = Math.min(olds.length, news.length);
  let [prefix, suffix] = [0, 0];
  while (prefix < shorter && areEqual(olds[prefix], news[prefix])) prefix += 1;
  while (suffix < shorter - prefix && areEqual(olds.at(-1 - suffix), news.at(-1 - suffix))) {
    suffix += 1;
  }
  const [oldEnd, newEnd] = [olds.length - suffix, news.length - suffix];
  for (let place = prefix; place < Math.max(oldEnd, newEnd); place += 1) {
    if (found.length > mostDifferences) return;
    const [old, fresh] = [
      place < oldEnd ? olds[place] : undefined, place < newEnd ? news[place] : undefined,
    ];
    compare(old, fresh, [...path, String(place)], found);
  }
}

/** How much is shown of a value that is compared with another, and how much before the change. */
const [shownOfValue, shownBefore] = [300, 40];

/** Texts of at most so many characters are shown as changed as a whole. */
const shortText = 30;

/** Two texts, cut to where they differ: `[before, changed, after]` of each. */
function aroundDifference(one, other) {
  if (Math.max(one.length, other.length) <= shortText) return [["", one, ""], ["", other, ""]];
  const shorter = Math.min(one.length, other.length);
  let [prefix, suffix] = [0, 0];
  while (prefix < shorter && one[prefix] === other[prefix]) prefix += 1;
  while (suffix < shorter - prefix && one.at(-1 - suffix) === other.at(-1 - suffix)) suffix += 1;
  // Whole characters: no half of a pair is left alone.
  if (/[\ud800-\udbff]/.test(one[prefix - 1] ?? "")) prefix -= 1;
  if (/[\udc00-\udfff]/.test(one.at(-suffix) ?? "") && suffix > 0) suffix -= 1;
  return [one, other].map((text) => {
    const end = text.length - suffix;
    const changed = text.slice(prefix, end);
    return [
      (prefix > shownBefore ? "…" : "") + text.slice(Math.max(0, prefix - shownBefore), prefix),
      cut(changed, shownOfValue),
      text.slice(end, end + shownBefore) + (suffix > shownBefore ? "…" : ""),
    ];
  });
}
