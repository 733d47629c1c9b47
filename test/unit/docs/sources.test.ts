import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT, readSourceTree } from '#test/support/architecture/source-tree.ts';

/** Valid targets of a tag: `OCS 4.12`, `NLU §4`, `D9.3`, `A6`, `test/fixtures/esl/README.md §1a`. */
const TARGETS = new Set([
  ...headings('docs/outbound-call-server.md', /^#{2,3} (\d+(?:\.\d+)?)\.? /, 'OCS '),
  ...headings('docs/nlu-service.md', /^## (\d+)\. /, 'NLU '),
  ...numbered('docs/decisions.md', /^## (D\d+) /),
  ...numbered('docs/architecture.md', /^## (\d+)\. /, 'A'),
  ...headings('test/fixtures/esl/README.md', /^#{2,3} (\d+[a-z]?)[. ]/, 'ESL '),
]);

describe('every `Source:` line and every tag in brackets names a section of a document in the repository', () => {
  test('the documents are found', () => {
    for (const target of ['OCS 4.12', 'OCS 3', 'NLU 4', 'D9.3', 'D14', 'A1.5', 'A6', 'ESL 1a']) expect(TARGETS).toContain(target);
  });

  test('every tag resolves', () => {
    const tags = readSourceTree().flatMap(({ path, text }) => tagsOf(text).map(tag => ({ path, tag })));
    expect(tags.length).toBeGreaterThan(1_000);
    expect(tags.filter(({ tag }) => !TARGETS.has(tag))).toEqual([]);
  });

  test('abbreviated tags are completed from the rest of their line', () => {
    expect(tagsOf(' * Source: OCS §3 "Contact status", 4.8, D5.2–4; A6 steps 3, 5')).toEqual(['OCS 3', 'OCS 4.8', 'D5.2', 'A6']);
    expect(tagsOf("test('it holds [NLU §4, D13.5]')")).toEqual(['NLU 4', 'D13.5']);
    expect(tagsOf('// Source: test/fixtures/esl/README.md §1a "rooms", recording d-conference-plain')).toEqual(['ESL 1a']);
  });
});

function lines(path: string): string[] {
  return readFileSync(join(PROJECT, path), 'utf8').split('\n');
}

function headings(path: string, pattern: RegExp, prefix: string): string[] {
  return lines(path)
    .flatMap(line => pattern.exec(line)?.[1] ?? [])
    .map(number => `${prefix}${number}`);
}

/** The headings of a document and the numbered points below each: `D3`, `D3.7`. */
function numbered(path: string, pattern: RegExp, prefix = ''): string[] {
  let section = '';
  return lines(path).flatMap(line => {
    const heading = pattern.exec(line)?.[1];
    if (heading !== undefined) section = `${prefix}${heading}`;
    const point = /^(\d+)\. /.exec(line)?.[1];
    if (heading !== undefined) return [section];
    return section === '' || point === undefined ? [] : [`${section}.${point}`];
  });
}

/** Tags in every `Source:` line and in every bracket that starts like a tag. */
function tagsOf(text: string): string[] {
  const places = text.matchAll(/Source: (?<source>.*)|\[(?<bracket>(?:OCS|NLU|D\d|A\d)[^\]\n]*)\]/g);
  return [...places].flatMap(({ groups }) => tagsIn((groups?.['source'] ?? groups?.['bracket'] ?? '').replaceAll(/"[^"]*"|`[^`]*`/g, '')));
}

/** Tags in a list; a number without a document belongs to the last document named. */
function tagsIn(list: string): string[] {
  let document = '';
  return list.split(/[,;]| and /).flatMap(part => {
    const own = /\b(?:D\d+(?:\.\d+)?|A\d+(?:\.\d+)?)\b/.exec(part)?.[0];
    if (own !== undefined) {
      document = '';
      return [own];
    }
    const named = /\b(OCS|NLU|esl\/README\.md) §?(\d[\w.]*)/.exec(part);
    if (named !== null) document = named[1] === 'OCS' || named[1] === 'NLU' ? named[1] : 'ESL';
    const number = named?.[2] ?? (document === '' ? undefined : /^ *§?(\d+\.\d+|\d+[a-z]?)\b/.exec(part)?.[1]);
    if (number === undefined) return [];
    return [`${document} ${document === 'ESL' ? number.replace(/\..*/, '') : number.replace(/\.$/, '')}`];
  });
}
