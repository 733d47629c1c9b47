import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseInput, parseTexts } from '#platform/http/parse.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { everyRoute } from '#test/support/every-route.ts';

const routes = await everyRoute();

function membersOf(schema: z.core.$ZodType): [string, z.ZodType][] {
  if (schema instanceof z.ZodPipe) return membersOf(schema.in);
  return schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [];
}

const isOptional = (member: z.ZodType) => member.safeParse(undefined).success;
const takes = (member: z.ZodType, ...values: unknown[]) => values.some(value => member.safeParse(value).success);

/** Message of the refusal; null when the input is accepted. */
function faultOf(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (!isCalloutError(error, 'INVALID_ARGUMENT')) throw error;
    return error.message;
  }
}

/** Returns what the query is read as, or the refusal's message where it lacks a required member. */
function readOrFault(query: z.ZodType, given: Record<string, string>): unknown {
  let read: unknown = null;
  const fault = faultOf(() => {
    read = parseTexts(query, given, '查询');
  });
  return fault ?? read;
}

const filters = routes.flatMap(({ method, path, query }) =>
  query ? membersOf(query).map(([name]) => ({ row: `${method} ${path}`, name, query })) : [],
);
const optionals = routes.flatMap(({ method, path, body }) =>
  body
    ? membersOf(body)
        .filter(([, member]) => isOptional(member))
        .map(([name, member]) => ({ row: `${method} ${path}`, name, member }))
    : [],
);

describe('every row treats blank filters and nulls alike [D2.2]', () => {
  test.each(filters)('$row?$name: a blank filter counts as absent, and a repeated one is refused by name', ({ name, query }) => {
    expect(readOrFault(query, { [name]: ' ' })).toEqual(readOrFault(query, {}));
    expect(faultOf(() => parseTexts(query, { [name]: ['1', '1'] }, '查询'))).toContain(`${name} 重复出现，只能给一个值`);
  });

  test.each(optionals)('$row $name: null clears a member that may be empty; otherwise it is refused by name', ({ name, member }) => {
    const fault = faultOf(() => parseInput(z.object({ [name]: member }), { [name]: null }, '请求体')) ?? '';
    const mayBeEmpty = takes(member, null, '', {}, []);
    expect(fault.includes(`${name} `)).toBe(!mayBeEmpty);
  });
});
