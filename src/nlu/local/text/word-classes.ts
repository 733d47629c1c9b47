/** A list of words about the same thing. */
export interface WordClass {
  id: string;
  words: readonly string[];
}

/** Finds the words of all classes in a text. */
export interface WordClasses {
  ids: readonly string[];
  /** Writes the class numbers found, in text order, those of shorter words first; returns their number. */
  find(text: string, into: Uint16Array): number;
}

/** Builds a trie of all classes. Every word that starts at a character counts, because `不要了` (giving up) means more than `不要` (declining). */
export function compileWordClasses(list: readonly WordClass[]): WordClasses {
  const { classes, childOf } = trieOf(list);
  return { ids: list.map(entry => entry.id), find };

  function find(text: string, into: Uint16Array): number {
    let count = 0;
    for (let from = 0; from < text.length; from += 1) {
      if (!isBoundary(text, from)) continue;
      const first = count;
      let node = ROOT;
      for (let at = from; at < text.length; ) {
        node = childOf(node, text.charCodeAt(at));
        if (node < 0) break;
        at += 1;
        const met = classes[node];
        if (met && isBoundary(text, at)) count = added(met, { into, first, count });
      }
    }
    return count;
  }
}

/** A Latin word counts only as a whole: `ai` is not in `again`. */
function isBoundary(text: string, at: number): boolean {
  return !(isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at)));
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Adds the classes that are neither the last one before this character nor already found at it. */
function added(met: readonly number[], { into, first, count }: { into: Uint16Array; first: number; count: number }): number {
  let next = count;
  for (const index of met) {
    let at = Math.max(0, first - 1);
    while (at < next && into[at] !== index) at += 1;
    if (at === next && next < into.length) into[next++] = index;
  }
  return next;
}

const ROOT = 0;
const LOAD = 0.6;

interface Trie {
  /** Classes of the word that ends at each node. */
  classes: readonly (readonly number[] | undefined)[];
  /** Child of a node by one character; −1 when there is none. */
  childOf: (node: number, code: number) => number;
}

/** Stores the edges of the trie in one flat table: a map per node would take ten times the memory. */
function trieOf(list: readonly WordClass[]): Trie {
  const edges = new Map<number, number>();
  const classes: (number[] | undefined)[] = [undefined];
  list.forEach(({ words }, index) => {
    for (const word of words) {
      let node = ROOT;
      for (let at = 0; at < word.length; at += 1) node = nextNode(node * CODES + word.charCodeAt(at));
      const held = (classes[node] ??= []);
      if (!held.includes(index)) held.push(index);
    }
  });
  return { classes, childOf: edgeTable(edges) };

  function nextNode(edge: number): number {
    const known = edges.get(edge);
    if (known !== undefined) return known;
    classes.push(undefined);
    edges.set(edge, classes.length - 1);
    return classes.length - 1;
  }
}

const CODES = 0x10000;

function edgeTable(edges: ReadonlyMap<number, number>): Trie['childOf'] {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, edges.size / LOAD)));
  const mask = slots - 1;
  const parents = new Int32Array(slots).fill(-1);
  const codes = new Uint16Array(slots);
  const children = new Int32Array(slots);
  for (const [edge, child] of edges) {
    const parent = Math.floor(edge / CODES);
    let slot = slotOf(parent, edge % CODES) & mask;
    while (parents[slot] !== -1) slot = (slot + 1) & mask;
    parents[slot] = parent;
    codes[slot] = edge % CODES;
    children[slot] = child;
  }
  return (node, code) => {
    for (let slot = slotOf(node, code) & mask; parents[slot] !== -1; slot = (slot + 1) & mask)
      if (parents[slot] === node && codes[slot] === code) return children[slot] ?? -1;
    return -1;
  };
}

function slotOf(node: number, code: number): number {
  const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
