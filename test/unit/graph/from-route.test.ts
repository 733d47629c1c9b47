import { describe, expect, test } from '@jest/globals';
import { buildSchema, graphql, GraphQLScalarType, isObjectType } from 'graphql';
import { z } from 'zod';
import { createContext } from '#graph/context.ts';
import type { App } from '#app/app.ts';
import { fromRoute } from '#graph/from-route.ts';
import { internalCaller } from '#kernel/caller.ts';
import { bigRowId, flag, rowId } from '#kernel/fields.ts';
import { idParam, idText4, idText8, route } from '#platform/http/route.ts';

const SDL = `
  scalar Heard
  type Line { heard: Heard }
  type LineInUse { heard: Heard }
  union DeleteLineResult = Line | LineInUse
  input NumberInput { number: String, isEnabled: Boolean }
  input LineInput { name: String, isEnabled: Boolean, groupId: ID, contactIds: [ID!], numbers: [NumberInput!] }
  type Query {
    updateLine(id: ID!, input: LineInput!): Line
    deleteLine(id: ID!): DeleteLineResult
    hideLine(id: ID!): LineInUse
    moveContact(campaignId: ID!, contactId: ID!, force: Boolean): Line
    listLines: Line
  }
`;

const data = z.object({});
const lineBody = z.object({
  name: z.string().trim().min(1).optional(),
  isEnabled: flag.optional(),
  groupId: rowId.nullish(),
  contactIds: z.array(bigRowId).min(1).optional(),
  numbers: z.array(z.object({ number: z.string(), isEnabled: flag.optional().default(true) })).optional(),
});
const updateLine = route('PATCH /lines/:id', 'session', '', { params: idParam, body: lineBody, data });
const deleteLine = route('DELETE /lines/:id', 'session', '', { params: idParam, data });
const moveContact = route('POST /campaigns/:id/contacts/:number', 'session', '', {
  params: z.object({ id: idText4, number: idText8 }),
  body: z.object({ force: z.boolean().optional().default(false) }),
  data,
});
const listLines = route('GET /lines', 'session', '', { data });

const answer = (...heard: unknown[]) => ({ __typename: 'Line', heard });
const FIELDS = {
  updateLine: fromRoute(updateLine, (_app, caller, id, body) => answer(caller.name, id, body)),
  deleteLine: fromRoute(deleteLine, (_app, _caller, id) => answer(id)),
  hideLine: fromRoute(deleteLine, (_app, _caller, id) => ({ heard: [id] }), { of: 'Line' }),
  moveContact: fromRoute(moveContact, (_app, _caller, path, body) => answer(path, body)),
  listLines: fromRoute(listLines, (_app, caller) => answer(caller.name)),
};

async function ask(field: string, selection = 'heard'): Promise<unknown> {
  const origin = { ip: null, traceId: 'trace' };
  const contextValue = createContext({} as App, { caller: internalCaller(origin), traceId: 'trace', language: 'zh' });
  const { data, errors } = await graphql({
    schema,
    source: `{ answer: ${field} { ${selection} } }`,
    contextValue,
  });
  if (errors) return errors.map(({ message }) => message).join();
  return (data?.['answer'] as { heard: unknown } | undefined)?.heard;
}

const schema = buildSchema(SDL);
const heard = schema.getType('Heard');
if (heard instanceof GraphQLScalarType) heard.serialize = value => value;
const query = schema.getQueryType();
for (const [name, resolve] of Object.entries(FIELDS)) if (isObjectType(query)) Object.assign(query.getFields()[name] ?? {}, { resolve });

describe('a field that is a row of REST', () => {
  test('hands its verb the caller, the id and the body', async () => {
    expect(await ask('updateLine(id: "7", input: { name: " a " })')).toEqual(['internal', 7, { name: 'a' }]);
  });

  test('takes a row id as its own or as that of an object, also in the body', async () => {
    expect(await ask('updateLine(id: "Line:7", input: { groupId: "AgentGroup:3", contactIds: ["4", "Contact:5"] })')).toEqual([
      'internal',
      7,
      { groupId: 3, contactIds: [4, 5] },
    ]);
    expect(await ask('updateLine(id: "Agent:7", input: {})')).toBe('参数错误：id 必须是正整数');
    expect(await ask('updateLine(id: "7", input: { contactIds: ["4", "x"] })')).toBe('参数错误：contactIds[1] 必须是正整数');
    expect(await ask('updateLine(id: "7", input: { groupId: null })')).toEqual(['internal', 7, { groupId: null }]);
  });

  test('does not find an id that no row can have', async () => {
    expect(await ask('deleteLine(id: "2147483648")', '... on Line { heard }')).toBe('资源不存在');
  });

  test('has a boolean where the row has 0 or 1, at any depth', async () => {
    const input = '{ isEnabled: false, numbers: [{ number: "1", isEnabled: false }, { number: "2" }] }';
    const numbers = [
      { number: '1', isEnabled: false },
      { number: '2', isEnabled: true },
    ];
    expect(await ask(`updateLine(id: "7", input: ${input})`)).toEqual(['internal', 7, { isEnabled: false, numbers }]);
  });

  test('refuses what the row refuses, in its words', async () => {
    expect(await ask('updateLine(id: "7", input: { name: " " })')).toBe('参数错误：name 不能为空');
  });

  test('names the rows of the first type of a union, or of the type that is given', async () => {
    expect(await ask('deleteLine(id: "Line:7")', '... on Line { heard }')).toEqual([7]);
    expect(await ask('hideLine(id: "Line:7")')).toEqual([7]);
  });

  test('has several parameters in the order of the path, and its other arguments as the body', async () => {
    expect(await ask('moveContact(campaignId: "1", contactId: "Contact:9999999999", force: true)')).toEqual([
      { id: 1, number: 9_999_999_999 },
      { force: true },
    ]);
    expect(await ask('moveContact(campaignId: "1", contactId: "2", force: null)')).toEqual([{ id: 1, number: 2 }, { force: false }]);
  });

  test('without parameters and body needs the caller alone', async () => {
    expect(await ask('listLines')).toEqual(['internal']);
  });
});
