/** Characters that most utterances hold: a pattern that needs one of these alone is told apart from few texts. */
const COMMON = new Set('不没是我你的了有就还也都这那会能要说好什么 ');
const COMMON_COST = 12;

const DIGITS: ReadonlySet<string> = new Set('0123456789');

type Chars = ReadonlySet<string> | null;

/**
 * The characters of which a text must hold at least one for a pattern to match, or null when none can be told.
 *
 * Why: of all such sets of a pattern the one that fewest texts meet counts, so that most patterns need not be tried
 */
export function neededChars(pattern: RegExp): ReadonlySet<string> | null {
  return new Reader(pattern.source).alternatives();
}

/** Reads the part of the regular expressions' language that the engine's patterns are written in. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Either side may match: both sides' characters count, and none when one side needs none. */
  alternatives(): Chars {
    let all: Chars = this.#sequence();
    while (this.#take('|')) {
      const other = this.#sequence();
      all = all && other ? new Set([...all, ...other]) : null;
    }
    return all;
  }

  /** Every part must match: the part that fewest texts meet counts. */
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
    // A hyphen at either end of a class is itself.
    return /^\^|\\|(?!^)-(?=.)/.test(inside) ? null : new Set(inside);
  }

  #escape(): Chars {
    const name = this.#next();
    if (name === 'p' && this.#here() === '{') this.#at = this.#source.indexOf('}', this.#at) + 1;
    if (name === 'd') return DIGITS;
    return /\w/.test(name) ? null : new Set([name]);
  }

  /** Reads past a quantifier; whether it lets the part be absent. */
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
