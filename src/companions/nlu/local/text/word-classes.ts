/** A list of words that speak of the same thing. */
export interface WordClass {
  id: string;
  words: readonly string[];
}

/** Finds the words of every class in a text. */
export interface WordClasses {
  ids: readonly string[];
  /** Writes the class numbers met, in the order of the text, each word's classes at its place; returns how many. */
  find(text: string, into: Uint16Array): number;
}

interface Node {
  next: Map<number, Node>;
  classes: number[];
}

/** Compiles the classes to one trie; of the words that start at a character the longest counts. */
export function compileWordClasses(list: readonly WordClass[]): WordClasses {
  const root: Node = { next: new Map(), classes: [] };
  list.forEach((entry, index) => {
    for (const word of entry.words) insert(root, word, index);
  });
  return { ids: list.map(entry => entry.id), find: (text, into) => findWords(root, text, into) };
}

function insert(root: Node, word: string, index: number): void {
  let node = root;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    const next = node.next.get(code) ?? { next: new Map<number, Node>(), classes: [] };
    node.next.set(code, next);
    node = next;
  }
  if (!node.classes.includes(index)) node.classes.push(index);
}

function findWords(root: Node, text: string, into: Uint16Array): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const longest = longestWord(root, text, at);
    for (const index of longest) {
      if (count < into.length && (count === 0 || into[count - 1] !== index)) into[count++] = index;
    }
  }
  return count;
}

const NOTHING: readonly number[] = [];

function longestWord(root: Node, text: string, from: number): readonly number[] {
  let node: Node | undefined = root;
  let found = NOTHING;
  for (let at = from; node !== undefined && at <= text.length; at += 1) {
    if (node.classes.length > 0 && endsCleanly(text, at)) found = node.classes;
    node = at < text.length ? node.next.get(text.charCodeAt(at)) : undefined;
  }
  return found.length > 0 && startsCleanly(text, from) ? found : NOTHING;
}

/** A Latin word counts only whole: `ai` is not in `again`. */
function endsCleanly(text: string, end: number): boolean {
  return !(isLetter(text.charCodeAt(end - 1)) && isLetter(text.charCodeAt(end)));
}

function startsCleanly(text: string, start: number): boolean {
  return start === 0 || !(isLetter(text.charCodeAt(start)) && isLetter(text.charCodeAt(start - 1)));
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
