import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isUnionType } from 'graphql';
import { CLOSE } from '#platform/graphql/socket-link.ts';
import { readFieldAccess } from '#test/support/field-access.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const README = readFileSync(join(import.meta.dirname, '../../../schema/README.md'), 'utf8');
const schema = createSchema();
const access = readFieldAccess();
const subscriptions = schema.getSubscriptionType()?.getFields() ?? {};

/** Table rows of the document, split into cells. */
const rows = README.split('\n')
  .filter(line => line.startsWith('|'))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
const namesIn = (text: string) => [...text.matchAll(/`(\w[\w:.]*)`/g)].map(([, name]) => name ?? '');
const rowOf = (field: string) => rows.find(([first, , narrowed]) => first === `\`${field}\`` && narrowed !== undefined);

describe('the table of subscriptions in schema/README.md', () => {
  test.each(Object.keys(subscriptions))('%s: permission, arguments and members match the schema', name => {
    const [, needs = '', narrowed = '', first = '', then = ''] = rowOf(name) ?? [];
    expect(namesIn(needs)).toEqual([access.get(`Subscription.${name}`)]);
    const args = new Set(namesIn(narrowed).map(text => text.split('.')[0] ?? ''));
    expect([...args, 'after'].sort()).toEqual(subscriptions[name]?.args.map(arg => arg.name).sort());
    const members = schema.getType(String(subscriptions[name]?.type).replace('!', ''));
    const told = isUnionType(members) ? members.getTypes().map(type => type.name) : [];
    const known = ['Resync'];
    const named = namesIn(then).includes('liveCalls') ? namesIn(rowOf('liveCalls')?.[4] ?? '') : namesIn(then);
    expect([...namesIn(first), ...named].sort()).toEqual(told.filter(member => !known.includes(member)).sort());
  });

  test.each(Object.keys(subscriptions))('%s: every member is a StreamEvent', name => {
    const members = schema.getType(String(subscriptions[name]?.type).replace('!', ''));
    const strange = isUnionType(members)
      ? members.getTypes().filter(type => !type.getInterfaces().some(({ name }) => name === 'StreamEvent'))
      : [members];
    expect(strange).toEqual([]);
  });

  test('contains every close code of the server', () => {
    const told = rows.flatMap(([code = '']) => code.split(', ').map(Number));
    expect(Object.values(CLOSE).filter(({ code }) => !told.includes(code))).toEqual([]);
  });
});
