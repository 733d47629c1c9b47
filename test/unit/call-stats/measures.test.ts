import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildASTSchema, isEnumType, parse } from 'graphql';
import { FATES } from '#call-stats/decisions/columns.ts';
import { MEASURE_NAMES, measureOf, type MeasureName } from '#call-stats/decisions/measures.ts';
import { membersOf } from '#kernel/typed.ts';

const SDL = readFileSync(join(import.meta.dirname, '../../../schema/call-stats.graphql'), 'utf8');

function countedBy(name: MeasureName): readonly string[] {
  const { figure } = measureOf(name);
  if (figure.kind !== 'count') throw new TypeError(`${name} counts no calls`);
  return figure.of;
}

describe('the dictionary of figures [D14.6]', () => {
  test('every dial is answered, not answered, in progress or unknown, and nothing else', () => {
    const parts = (['answered', 'not_answered', 'in_progress', 'unknown'] as const).flatMap(countedBy);
    expect(parts.toSorted()).toEqual([...countedBy('dials')].sort());
    expect([...parts, ...countedBy('withdrawn')].toSorted()).toEqual([...FATES].sort());
  });

  test('every outcome has a figure of its own', () => {
    const single = MEASURE_NAMES.flatMap(name => {
      const { figure } = measureOf(name);
      return figure.kind === 'count' && figure.of.length === 1 ? figure.of : [];
    });
    expect(single.toSorted()).toEqual([...FATES].sort());
  });

  test('the schema says of each figure what the dictionary says', () => {
    const extended = `directive @access(needs: String!) on FIELD_DEFINITION directive @bound(length: Int, items: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
      scalar DateTime enum OrderDirection { ASC DESC } type Query { none: Int }`;
    const schema = buildASTSchema(parse(`${extended}\n${SDL.replace('extend type Query', 'type Stats')}`));
    const found = schema.getType('CallMeasure');
    const said = isEnumType(found)
      ? Object.fromEntries(found.getValues().map(({ name, description }) => [name.toLowerCase(), description]))
      : {};
    expect(said).toEqual(
      Object.fromEntries(
        MEASURE_NAMES.map(name => {
          const { title, unit, definition } = measureOf(name);
          return [name, `${title.en}, ${unit}. ${definition.en}.`];
        }),
      ),
    );
  });

  test('every figure has a name and a definition in both languages', () => {
    const texts = MEASURE_NAMES.flatMap(name => [measureOf(name).title, measureOf(name).definition]).flatMap(words =>
      Object.values(membersOf(words)),
    );
    expect(texts.filter(text => text === '')).toEqual([]);
    expect(new Set(MEASURE_NAMES.map(name => measureOf(name).title.zh)).size).toBe(MEASURE_NAMES.length);
  });
});
