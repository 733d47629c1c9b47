export interface ScannedSource {
  /** The text with comments and the contents of strings, templates and regular expressions blanked; length and lines are unchanged. */
  code: string;
  /** Like `code`, but with strings and templates kept. */
  withStrings: string;
  imports: ImportedModule[];
}

export interface ImportedModule {
  specifier: string;
  /** Whether the import vanishes at run time because it names only types. */
  typeOnly: boolean;
}

const CODE = 0;
const COMMENT = 1;
const TEXT = 2;

/** Separates code from comments and literals in a source file, and finds its imports. */
export function scanSource(text: string): ScannedSource {
  const regions = classify(text);
  const code = blank(text, regions, [CODE]);
  const withStrings = blank(text, regions, [CODE, TEXT]);
  return { code, withStrings, imports: findImports(code, withStrings) };
}

/** `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')`; a module name contains no line break. */
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

/** Whether an import clause names only types: `{ type A, type B }`. */
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

/** Region of each UTF-16 code unit. Delimiting quotes and slashes count as code. */
function classify(text: string): Uint8Array {
  const regions = new Uint8Array(text.length);
  // Brace depth at which the `${` of each open template ends.
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
      // Skips past `${`.
      if (text[index - 1] === '$') index++;
    } else {
      if (unit === '{') depth++;
      if (unit === '}') depth--;
      index++;
    }
  }
  return regions;

  /** Marks the text between the delimiter at `index` and the one at `end`; both delimiters are code. */
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

/** Index of the closing backtick, or of the `$` of `${`. */
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

/** A slash after a value is a division; anywhere else it starts a regular expression. */
function startsRegExp(text: string, index: number, regions: Uint8Array): boolean {
  let before = index - 1;
  while (before >= 0 && (/\s/.test(text[before] ?? '') || regions[before] === COMMENT)) before--;
  if (before < 0) return true;
  const word = /[\w$]+$/.exec(text.slice(Math.max(0, before - 20), before + 1))?.[0];
  if (word !== undefined) return ['return', 'typeof', 'case', 'in', 'of', 'await', 'yield', 'void'].includes(word);
  return !/[)\]}'"`]/.test(text[before] ?? '');
}
