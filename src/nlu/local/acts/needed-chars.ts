/** Frequent characters: a pattern that requires only one of these is ruled out for few texts. */
const COMMON = new Set('不没是我你的了有就还也都这那会能要说好什么 ');
const COMMON_COST = 12;

const DIGITS: ReadonlySet<string> = new Set('0123456789');

type Chars = ReadonlySet<string> | null;

/**
 * Returns a set of characters of which a text must contain at least one for a pattern to match; null when there is no such set.
 *
 * Why: among the possible sets of a pattern it takes the rarest, so that most patterns need not be tried
 */
export function neededChars(pattern: RegExp): ReadonlySet<string> | null {
  return new Reader(pattern.source).alternatives();
}

/** Parses the subset of regular expressions in which the engine's patterns are written. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Either side may match: the union of both sets, or none when one side requires none. */
  alternatives(): Chars {
    let all: Chars = this.#sequence();
    while (this.#take('|')) {
      const other = this.#sequence();
      all = all && other ? new Set([...all, ...other]) : null;
    }
    return all;
  }

  /** Every part must match: the rarest set among the parts. */
  #sequence(): Chars {
    let best: Chars = null;
    while (this.#at < this.#source.length && !'|)'.includes(this.#here())) {
      const chars = this.#atom();
      if (this.#isOptional()) continue;
      if (chars && (!best || costOf(chars) < costOf(best))) best = chars;
    }
    return best;
  }

  #atom(): Chars {
    const char = this.#next();
    if (char === '(') return this.#group();
    if (char === '[') return this.#class();
    if (char === '\\') return this.#escape();
    return '^$.'.includes(char) ? null : new Set([char]);
  }

  #group(): Chars {
    const isLooking = /^\?<?[=!]/.test(this.#source.slice(this.#at));
    this.#at += /^\?(?:<?[=!]|:)/.exec(this.#source.slice(this.#at))?.[0].length ?? 0;
    const chars = this.alternatives();
    this.#at += 1;
    return isLooking ? null : chars;
  }

  #class(): Chars {
    const end = this.#source.indexOf(']', this.#at);
    const inside = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    // A hyphen at either end of a class is literal.
    return /^\^|\\|(?!^)-(?=.)/.test(inside) ? null : new Set(inside);
  }

  #escape(): Chars {
    const name = this.#next();
    if (name === 'p' && this.#here() === '{') this.#at = this.#source.indexOf('}', this.#at) + 1;
    if (name === 'd') return DIGITS;
    return /\w/.test(name) ? null : new Set([name]);
  }

  /** Skips a quantifier; returns whether it makes the part optional. */
  #isOptional(): boolean {
    const [quantifier = ''] = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += quantifier.length;
    return /^(?:[?*]|\{0)/.test(quantifier);
  }

  #here(): string {
    return this.#source.charAt(this.#at);
  }

  #next(): string {
    return this.#source.charAt(this.#at++);
  }

  #take(char: string): boolean {
    if (this.#here() !== char) return false;
    this.#at += 1;
    return true;
  }
}

function costOf(chars: ReadonlySet<string>): number {
  let cost = 0;
  for (const char of chars) cost += COMMON.has(char) ? COMMON_COST : 1;
  return cost;
}
