import { describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { z } from 'zod';
import { attempt, transcriptSegment } from '#attempts/attempt.ts';
import { auditRow } from '#audit/audit.ts';
import { batch } from '#attempts/batch.ts';
import { business } from '#businesses/business.ts';
import { contact, contactChanges, newContact } from '#contacts/contact.ts';
import { doNotCallEntry, newDoNotCallEntry } from '#do-not-call/do-not-call.ts';
import { line, lineChanges, lineNumber, lineNumberInput, newLine } from '#lines/line.ts';
import { newPolicy, policy, policyChanges } from '#policies/policy.ts';
import { newUser, user, userChanges } from '#users/user.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();

type Nouns = readonly [type: string, noun: z.ZodObject, elsewhere?: readonly string[]][];

/**
 * Third entry, for a type: members of the noun that it names differently, nests in an object or omits; for an input: its own members, or
 * members that it represents differently.
 */
const TYPES: Nouns = [
  ['Line', line],
  ['LineNumber', lineNumber],
  ['Business', business],
  ['Policy', policy],
  ['DoNotCallEntry', doNotCallEntry],
  ['User', user],
  ['AuditLog', auditRow, ['updatedAt']],
  ['Batch', batch],
  ['Contact', contact, ['lastAttemptId']],
  ['Attempt', attempt, ['lineId']],
  ['TranscriptSegment', transcriptSegment, ['id', 'attemptId', 'createdAt', 'updatedAt']],
];

const INPUTS: Nouns = [
  ['CreateLineInput', objectOf(newLine)],
  ['UpdateLineInput', lineChanges],
  ['LineNumberInput', lineNumberInput],
  ['CreatePolicyInput', newPolicy, ['settings', 'type', 'action', 'config']],
  ['UpdatePolicyInput', policyChanges, ['settings']],
  ['CreateUserInput', newUser],
  ['UpdateUserInput', userChanges],
  ['AddDoNotCallInput', newDoNotCallEntry],
  ['ContactInput', newContact],
  ['UpdateContactInput', contactChanges],
];

describe('a type of the schema', () => {
  test.each(TYPES)('%s has the members of its noun', (name, noun, elsewhere = []) => {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? type.getFields() : {};
    const told = Object.keys(noun.shape).filter(member => !elsewhere.includes(member));
    expect(told.filter(member => !(member in fields))).toEqual([]);
    const chosen = told.filter(member => valuesOf(noun.shape[member]) !== null);
    expect(chosen.map(member => [member, enumOf(fields[member])])).toEqual(chosen.map(member => [member, valuesOf(noun.shape[member])]));
  });
});

describe('an input of the schema', () => {
  test.each(INPUTS)('%s has the members of its noun, the same required ones and the same enum values', (name, noun, own = []) => {
    const type = schema.getType(name);
    const fields = isInputObjectType(type) ? type.getFields() : {};
    expect(Object.keys(fields).sort()).toEqual([...Object.keys(noun.shape), ...own.filter(member => !(member in noun.shape))].sort());
    const asked = Object.values(fields).filter(field => isNonNullType(field.type));
    expect(asked.map(field => field.name).sort()).toEqual(
      Object.keys(noun.shape)
        .filter(member => !own.includes(member) && !(noun.shape[member] as z.ZodType).safeParse(undefined).success)
        .sort(),
    );
    const choices = Object.values(fields)
      .filter(({ name: member }) => member in noun.shape)
      .map(field => ({ told: enumOf(field), taken: valuesOf(noun.shape[field.name]) }));
    expect(
      choices.filter(({ told, taken }) => (told === null) !== (taken === null) || taken?.some(value => !told?.includes(value))),
    ).toEqual([]);
  });
});

function objectOf(noun: z.ZodType): z.ZodObject {
  const inner: unknown = noun instanceof z.ZodPipe ? noun.in : noun;
  if (!(inner instanceof z.ZodObject)) throw new TypeError('no object');
  return inner;
}

/** Values of an enum as the program spells them. */
function enumOf(field: GraphQLField<unknown, unknown> | GraphQLInputField | undefined): string[] | null {
  const type = field && getNamedType(field.type);
  return isEnumType(type)
    ? type
        .getValues()
        .map(({ value }) => String(value))
        .sort()
    : null;
}

function valuesOf(member: unknown): string[] | null {
  let inner = member;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) inner = inner.unwrap();
  return inner instanceof z.ZodEnum ? inner.options.map(String).sort() : null;
}
