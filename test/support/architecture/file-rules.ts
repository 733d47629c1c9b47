import { isBelow } from './rooms.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

const MAX_LINES = 400;

const KEBAB = '[a-z0-9]+(?:-[a-z0-9]+)*';
const FILE_NAME = new RegExp(`^${KEBAB}(?:\\.(?:test|generated))?\\.(?:ts|lua)$`);
const FOLDER_NAME = new RegExp(`^${KEBAB}$`);
const EMPTY_WORDS = /^(utils?|helpers?|common|misc|managers?)$/;

/** Files above the length limit; generated files are exempt. */
export function longFiles(tree: Tree): string[] {
  return tree
    .filter(file => !file.path.endsWith('.generated.ts'))
    .map(file => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
}

export function badNames(tree: Tree): string[] {
  return tree.map(file => file.path).filter(path => !isGoodPath(path));
}

function isGoodPath(path: string): boolean {
  const segments = path.split('/');
  const file = segments.pop() ?? '';
  const words = [...segments, file.replace(/\..*$/, '')].flatMap(segment => segment.split('-'));
  return FILE_NAME.test(file) && segments.every(segment => FOLDER_NAME.test(segment)) && !words.some(word => EMPTY_WORDS.test(word));
}

/** Files that only re-export: `index.ts`, `export *`, or nothing but `export … from`. */
export function barrels(tree: Tree): string[] {
  return tree.filter(file => file.path.endsWith('.ts') && isBarrel(file)).map(file => file.path);
}

function isBarrel({ path, code }: SourceFile): boolean {
  if (/(^|\/)index\.ts$/.test(path) || /\bexport\s*\*/.test(code)) return true;
  const rest = code.replaceAll(/\bexport\s+(type\s+)?\{[^}]*\}\s*from\s*['"]\s*['"];?/g, '');
  return rest !== code && rest.trim() === '';
}

export function defaultExports(tree: Tree): string[] {
  return tree.filter(file => /\bexport\s+default\b|\bas\s+default\b/.test(file.code)).map(file => file.path);
}

/** Types and parameters called `deps`: a verb names the parts that it uses, and a technology module takes options. */
export function namelessParts(tree: Tree): string[] {
  const found = (file: SourceFile) => file.code.match(/\b(?:interface|type)\s+\w*Deps\b|\bdeps\b(?=\??\s*[:,)=])/g) ?? [];
  return tree
    .filter(file => isBelow(file.path, 'src') || isBelow(file.path, 'actors'))
    .flatMap(file => found(file).map(name => `${file.path}: ${name}`));
}

/** Lua lives in its own files, with the key count in the name: `reserve-slots-1.lua`, or `n` when the caller passes the count. */
export function luaOutsideFiles(tree: Tree): string[] {
  const product = tree.filter(file => !isBelow(file.path, 'test'));
  const inStrings = product.filter(file => file.path.endsWith('.ts') && /\bredis\.p?call\b|\bKEYS\[\d/.test(file.withStrings));
  const misnamed = product.filter(file => file.path.endsWith('.lua') && !/-(\d+|n)\.lua$/.test(file.path));
  return [...inStrings, ...misnamed].map(file => file.path);
}
