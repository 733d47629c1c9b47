import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOMS } from '#test/support/architecture/rooms.ts';
import { PROJECT } from '#test/support/architecture/source-tree.ts';

/** The contract is not ours to edit. */
const FOREIGN = ['docs/outbound-call-server.md', 'docs/nlu-service.md'];
/** A path in backticks: two parts or more, none of them a placeholder. */
const PATH = /^[\w.-]+(?:\/[\w.-]+)+\/?$/;
/** Names of files; other text with slashes may be a header, an address or a choice of words. */
const FILE = /\.(?:ts|tsx|mjs|js|lua|sh|md|json|graphql|conf|xml|yaml|txt|py)$/;
/** A source file without its folder; it stands somewhere in the project. */
const NAME = /^[\w-][\w.-]*\.(?:ts|tsx|mjs|lua|graphql)$/;
/** Created when the project runs. */
const MADE = /^\.callout\//;
const SRC_ROOMS = new RegExp(`^(?:${[...ROOMS].join('|')})/`);
const TOP_FOLDERS = /^(?:src|actors|migrations|test|docker|tools|bench|console|examples|docs|schema)\//;

const documents = globSync('**/*.md', { cwd: PROJECT, exclude: path => /node_modules|\.callout/.test(path) }).filter(
  path => !FOREIGN.includes(path),
);

const sources = globSync('**/*.{ts,tsx,mjs,lua,graphql}', { cwd: PROJECT, exclude: path => /node_modules|\.callout/.test(path) });
const names = new Set(sources.map(path => basename(path)));

function wordsIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = '']) => span.split(/\s+/));
}

function pathsIn(text: string): string[] {
  return wordsIn(text).filter(
    word => PATH.test(word) && !MADE.test(word) && (FILE.test(word) || TOP_FOLDERS.test(word) || SRC_ROOMS.test(word)),
  );
}

/** A document names files from the project, from `src` or from its own folder. */
function exists(document: string, path: string): boolean {
  return ['', 'src', dirname(document)].some(folder => existsSync(join(PROJECT, folder, path)));
}

describe('every path in backticks of a document', () => {
  test('exists', () => {
    expect(documents.length).toBeGreaterThan(20);
    const missing = documents.flatMap(document =>
      pathsIn(readFileSync(join(PROJECT, document), 'utf8'))
        .filter(path => !exists(document, path))
        .map(path => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('and so does every source file that is named without its folder', () => {
    const missing = documents.flatMap(document =>
      wordsIn(readFileSync(join(PROJECT, document), 'utf8'))
        .filter(word => NAME.test(word) && !names.has(word))
        .map(name => `${document}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('is recognised among other text with slashes', () => {
    expect(pathsIn('`src/kernel/clock.ts` `calls/effects.ts` `npm run x -- test/unit`')).toEqual([
      'src/kernel/clock.ts',
      'calls/effects.ts',
      'test/unit',
    ]);
    expect(pathsIn('`text/event-stream` `calls/<verb>` `.callout/pictures` ```src/in/a/drawing.ts```')).toEqual([]);
  });
});
