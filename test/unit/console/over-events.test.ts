import { expect, test } from '@jest/globals';
import { type LastingEvent, overSince } from '../../../console/parts/over-events.ts';

/** An hour apart. */
const at = (n: number) => new Date(n * 3_600_000).toISOString();

/** Newest first, as the server tells them. */
function told(...oldestFirst: [type: string, name?: string][]): LastingEvent[] {
  return oldestFirst
    .map(([type, name], n) => ({
      id: String(n),
      type,
      cellId: type.startsWith('cell.') ? (name ?? null) : null,
      detail: type.startsWith('cell.') || name === undefined ? {} : { name },
      createdAt: at(n),
    }))
    .toReversed();
}

test.each<[string, [string, string?][], Record<string, string>]>([
  ['a runtime that came back after a restart', [['runtime.down', 'r1'], ['campaign.started'], ['runtime.up', 'r1']], { 0: at(2) }],
  [
    'one that is away still, though another came',
    [
      ['runtime.down', 'r1'],
      ['runtime.up', 'r2'],
    ],
    {},
  ],
  [
    'one that went again',
    [
      ['runtime.down', 'r1'],
      ['runtime.up', 'r1'],
      ['runtime.down', 'r1'],
    ],
    { 0: at(1) },
  ],
  [
    'twice away and back: each by its own',
    [
      ['cell.down', 'a'],
      ['cell.up', 'a'],
      ['cell.down', 'a'],
      ['cell.up', 'a'],
    ],
    { 0: at(1), 2: at(3) },
  ],
  ['no runtime at all, until any came', [['runtime.down'], ['runtime.up', 'r2']], { 0: at(1) }],
  [
    'the cache, not the bus',
    [
      ['dependency.down', 'cache'],
      ['dependency.down', 'bus'],
      ['dependency.up', 'cache'],
    ],
    { 0: at(2) },
  ],
  ['what tells of a moment', [['call.stuck'], ['runtime.up', 'r1']], {}],
])('%s', (_what, events, over) => {
  expect(Object.fromEntries(overSince(told(...events)))).toEqual(over);
});

test('a stuck call, once it has ended', () => {
  const [stuck] = told(['call.stuck']);
  const over = (endedAt: string | null) => stuck && [...overSince([{ ...stuck, attempt: { endedAt } }])];
  expect(over(null)).toEqual([]);
  expect(over(at(5))).toEqual([['0', at(5)]]);
});
