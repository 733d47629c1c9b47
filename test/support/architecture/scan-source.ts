export interface ScannedSource {
  /** Same length and lines as the text; comments and the insides of strings, templates and regular expressions are blanks. */
  code: string;
  /** As `code`, with strings and templates kept. */
  withStrings: string;
  imports: ImportedModule[];
}

export interface ImportedModule {
  specifier: string;
  /** Vanishes at run time: every name of it is a type. */
  typeOnly: boolean;
}

const CODE = 0;
const COMMENT = 1;
const TEXT = 2;

/** Splits a source into what runs and what is said about it; finds its imports. */
export function scanSource(text: string): ScannedSource {
  const regions = classify(text);
  const code = blank(text, regions, [CODE]);
  const withStrings = blank(text, regions, [CODE, TEXT]);
  return { code, withStrings, imports: findImports(code, withStrings) };
}

/** `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')`; a module's name has no line break. */
const STATEMENT = /\b(import|export)\b(\s+type\b)?(\s[^'"`;=()]*?\bfrom)?\s*(['"])([^'"\n]+)\4/g;
const DYNAMIC = /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g;

function findImports(code: string, withStrings: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  for (const match of withStrings.matchAll(STATEMENT)) {
    const [, keyword = '', type, names = '', , specifier = ''] = match;
    if (!code.startsWith(keyword, match.index) || (keyword === 'export' && names === '')) continue;
    found.push({ specifier, typeOnly: type !== undefined || areAllTypes(names) });
  }
  for (const match of withStrings.matchAll(DYNAMIC)) {
    if (code.startsWith('import', match.index)) found.push({ specifier: match[2] ?? '', typeOnly: false });
  }
  return found;
}

/** `{ type A, type B }` */
function areAllTypes(names: string): boolean {
  const inside = /^\s*\{([^}]*)\}\s*from$/.exec(names)?.[1];
  const list =
    inside
      ?.split(',')
      .map(name => name.trim())
      .filter(Boolean) ?? [];
  return list.length > 0 && list.every(name => name.startsWith('type '));
}

function blank(text: string, regions: Uint8Array, kept: readonly number[]): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text[index] ?? '';
    result += unit === '\n' || kept.includes(regions[index] ?? CODE) ? unit : ' ';
  }
  return result;
}

/** Region of every UTF-16 unit. Quotes and slashes that delimit count as code. */
function classify(text: string): Uint8Array {
  const regions = new Uint8Array(text.length);
  // Depth of braces at which each open template's `${` ends.
  const templates: number[] = [];
  let depth = 0;
  let index = 0;
  const mark = (end: number, region: number) => {
    regions.fill(region, index, end);
    index = end;
  };
  while (index < text.length) {
    const unit = text[index];
    if (text.startsWith('//', index)) mark(endOr(text, text.indexOf('\n', index)), COMMENT);
    else if (text.startsWith('/*', index)) mark(endOr(text, text.indexOf('*/', index + 2), 2), COMMENT);
    else if (unit === "'" || unit === '"') markInside(endOfQuoted(text, index + 1, unit));
    else if (unit === '/' && startsRegExp(text, index, regions)) markInside(endOfRegExp(text, index + 1));
    else if (unit === '`' || (unit === '}' && templates.at(-1) === depth)) {
      if (unit === '}') templates.pop();
      const end = endOfTemplatePart(text, index + 1);
      if (text[end] === '$') templates.push(depth);
      markInside(end);
      // Past `${`.
      if (text[index - 1] === '$') index++;
    } else {
      if (unit === '{') depth++;
      if (unit === '}') depth--;
      index++;
    }
  }
  return regions;

  /** From a delimiter to the one at `end`, both code. */
  function markInside(end: number): void {
    index++;
    mark(Math.min(end, text.length), TEXT);
    index++;
  }
}

function endOr(text: string, found: number, length = 0): number {
  return found === -1 ? text.length : found + length;
}

function endOfQuoted(text: string, from: number, quote: string): number {
  let index = from;
  while (index < text.length && text[index] !== quote && text[index] !== '\n') index += text[index] === '\\' ? 2 : 1;
  return index;
}

/** At the closing backtick, or at the `$` of `${`. */
function endOfTemplatePart(text: string, from: number): number {
  let index = from;
  while (index < text.length && text[index] !== '`' && !text.startsWith('${', index)) index += text[index] === '\\' ? 2 : 1;
  return index;
}

function endOfRegExp(text: string, from: number): number {
  let index = from;
  let inClass = false;
  while (index < text.length && text[index] !== '\n' && (inClass || text[index] !== '/')) {
    if (text[index] === '[') inClass = true;
    if (text[index] === ']') inClass = false;
    index += text[index] === '\\' ? 2 : 1;
  }
  return index;
}

/** A slash divides after a value; everywhere else it begins a regular expression. */
function startsRegExp(text: string, index: number, regions: Uint8Array): boolean {
  let before = index - 1;
  while (before >= 0 && (/\s/.test(text[before] ?? '') || regions[before] === COMMENT)) before--;
  if (before < 0) return true;
  const word = /[\w$]+$/.exec(text.slice(Math.max(0, before - 20), before + 1))?.[0];
  if (word !== undefined) return ['return', 'typeof', 'case', 'in', 'of', 'await', 'yield', 'void'].includes(word);
  return !/[)\]}'"`]/.test(text[before] ?? '');
}
