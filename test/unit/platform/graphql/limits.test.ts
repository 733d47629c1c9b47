import { describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, GraphQLError } from 'graphql';
import { OperationPreparer } from '#platform/graphql/prepare.ts';
import { DocumentValidator } from '#platform/graphql/document-validator.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();
const LIMITS = { maxDepth: 8, maxAliases: 5, maxComplexity: 1_000, introspection: true, documents: [] };

function faultsOf(
  query: string,
  variables: Record<string, unknown> = {},
  { operationName, ...limits }: Partial<typeof LIMITS & { operationName: string }> = {},
): string[] {
  const prepared = new OperationPreparer(schema, { ...LIMITS, ...limits }).prepare({ query, variables, operationName });
  return 'operation' in prepared ? [] : prepared.map((fault: GraphQLError) => fault.message);
}

const nested = (levels: number): string => (levels === 0 ? '{ id }' : `{ lastAttempt { contact ${nested(levels - 1)} } }`);

describe('the limits of a GraphQL document', () => {
  test('a dashboard page is within them', () => {
    expect(faultsOf('{ campaign(id: 1) { id lines { id } attempts(first: 20) { nodes { id contact { phoneNumber } } } } }')).toEqual([]);
  });

  test('nesting is limited, also through fragments', () => {
    expect(faultsOf(`{ contacts(campaignId: 1, first: 1) { nodes ${nested(2)} } }`)).toEqual([]);
    expect(faultsOf(`{ contacts(campaignId: 1, first: 1) { nodes ${nested(3)} } }`)).toEqual(['查询嵌套过深：9 层，最多 8 层']);
    const fragments = `{ contacts(campaignId: 1, first: 1) { nodes { ...A } } }
      fragment A on Contact ${nested(1).replace('{ id }', '{ ...B }')} fragment B on Contact ${nested(2)}`;
    expect(faultsOf(fragments)).toEqual(['查询嵌套过深：9 层，最多 8 层']);
  });

  test('a recursive fragment is refused without being followed', () => {
    expect(
      faultsOf('{ contacts(campaignId: 1, first: 1) { nodes { ...A } } } fragment A on Contact { lastAttempt { contact { ...A } } }'),
    ).toEqual([expect.stringContaining('Cannot spread fragment "A"')]);
  });

  test('aliases are limited', () => {
    const aliased = (count: number) => `{ ${Array.from({ length: count }, (_, index) => `a${index}: me { authenticated }`).join(' ')} }`;
    expect(faultsOf(aliased(5))).toEqual([]);
    expect(faultsOf(aliased(6))).toEqual(['别名过多：6 个，最多 5 个']);
  });

  test('complexity counts the requested rows, also when a variable gives their number', () => {
    const query = 'query Q($first: Int!) { attempts(first: $first) { nodes { id status phoneNumber } } }';
    expect(faultsOf(query, { first: 200 })).toEqual([]);
    const [fault] = faultsOf('query Q($first: Int!) { campaigns(first: $first) { nodes { contacts(first: 20) { nodes { id } } } } }', {
      first: 50,
    });
    expect(fault).toMatch(/^查询过于复杂：估算 \d+，最多 1000/);
  });

  test('a value with many faults is refused at the first, without checking the others', () => {
    const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]));
    const [fault = '', ...more] = faultsOf('mutation($input: CreateLineInput!) { createLine(input: $input) { __typename } }', {
      input: unknown(4_000),
    });
    expect([fault, more]).toEqual([expect.stringMatching(/^Variable "\$input" got invalid value /), []]);
    expect(fault.match(/got invalid value/g)).toHaveLength(1);
  });

  test('an object with too many fields is refused before validation, also inside another object', () => {
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
    const create = 'mutation($input: CreateLineInput!) { createLine(input: $input) { __typename } }';
    const refused = ['变量中一个对象的字段过多，最多 5000 个'];
    expect(faultsOf(create, { input: many })).toEqual(refused);
    expect(faultsOf(create, { input: { name: { inner: many } } })).toEqual(refused);
    expect(faultsOf('mutation($ids: [ID!]!) { deleteAttempts(attemptIds: $ids) { __typename } }', { ids: [1, many] })).toEqual(refused);
  });

  test('a document nested too deeply to parse is the client’s fault', () => {
    const deep = `mutation { createPolicy(input: { config: ${'['.repeat(2_400)}${']'.repeat(2_400)} }) { __typename } }`;
    const [fault = ''] = faultsOf(deep);
    expect(fault).toMatch(/嵌套过深|CreatePolicyInput/);
    expect(() => new DocumentValidator().validate(deep)).not.toThrow(RangeError);
  });

  test('a page of 200 attempts with transcripts and timelines is within them', () => {
    const said = 'transcript { segmentId speaker text startMs endMs nodeId } timeline { at kind text detail }';
    const shown = 'databaseId status callStatus classification intent phoneNumber createdAt contact { customerName } line { name }';
    const page = `{ attempts(first: 200) { nodes { ${shown} ${said} } pageInfo { endCursor } } }`;
    expect(faultsOf(page, {}, { maxComplexity: 10_000 })).toEqual([]);
  });

  test('a repeated document gets the same verdict; with variables it is computed anew', () => {
    const preparer = new OperationPreparer(schema, { ...LIMITS, maxComplexity: 100 });
    const isTaken = (query: string, variables = {}) => 'operation' in preparer.prepare({ query, variables });
    for (const _again of [1, 2]) {
      expect(isTaken('{ attempts(first: 20) { nodes { id } } }')).toBe(true);
      expect(isTaken('{ attempts(first: 200) { nodes { id } } }')).toBe(false);
    }
    const query = 'query Q($first: Int!) { attempts(first: $first) { nodes { id } } }';
    expect([20, 200, 20].map(first => isTaken(query, { first }))).toEqual([true, false, true]);
  });

  test('a huge `first` counts as the maximum page size', () => {
    expect(faultsOf('{ attempts(first: 2000000000) { nodes { id } } }')).toEqual([]);
  });

  test('a calendar of 200 callbacks with whom they concern is within the usual limits, at its first and its next event', () => {
    const row = '{ id dueAt note status agent { id name } campaign { id name } contact { id phoneNumber customerName } }';
    const event = `totalCount callbacks ${row}`;
    const query = `subscription($first: Int!) {
      callbacks(filter: { status: PROMISED }, first: $first) { ... on CallbacksSnapshot { ${event} } ... on CallbacksChanged { ${event} } }
    }`;
    expect(faultsOf(query, { first: 200 }, { maxComplexity: 10_000 })).toEqual([]);
    expect(faultsOf(query, { first: 200 })).toEqual([expect.stringMatching(/^查询过于复杂：估算 \d{4}，最多 1000/)]);
  });

  test('invalid variables are named', () => {
    expect(faultsOf('query Q($first: Int!) { attempts(first: $first) { nodes { id } } }', { first: '一' })[0]).toContain('$first');
  });

  test('a huge document is refused during parsing', () => {
    expect(faultsOf(`{ ${'me { authenticated } '.repeat(3_000)} }`)[0]).toContain('token');
  });

  test('fragments that double each other are not fully expanded', () => {
    const doubling = Array.from({ length: 24 }, (_, index) => `fragment F${index} on Contact { ...F${index + 1} ...F${index + 1} }`);
    const query = `{ contacts(campaignId: 1, first: 1) { nodes { ...F0 } } } ${doubling.join(' ')} fragment F24 on Contact { id }`;
    expect(faultsOf(query)).toEqual(['查询过于复杂：展开片段后超过 10000 个字段']);
  });

  test('a field that scans many rows for each row costs more than a plain member', () => {
    const perRow = (first: number, field: string) => faultsOf(`{ campaigns(first: ${first}) { nodes { ${field} } } }`);
    for (const [field, sifted] of [
      ['contacts(first: 1) { nodes { id } }', 'contacts(first: 1, search: "张") { nodes { id } }'],
      ['attempts(first: 1) { totalCount }', 'attempts(first: 1, filter: { status: FAILED }) { totalCount }'],
      ['batches(first: 1) { totalCount }', 'contacts(first: 1, status: FAILED) { totalCount }'],
    ] as const) {
      expect(perRow(100, field)).toEqual([]);
      expect(perRow(1, sifted)).toEqual([]);
      expect(perRow(20, sifted)[0]).toMatch(/^查询过于复杂/);
    }
    expect(perRow(3, 'preflight { canStart }')).toEqual([]);
    expect(perRow(10, 'preflight { canStart }')[0]).toMatch(/^查询过于复杂/);
    expect(perRow(20, 'notDialedReasons { reason }')).toEqual([]);
    expect(perRow(50, 'notDialedReasons { reason }')[0]).toMatch(/^查询过于复杂/);
    expect(perRow(200, 'id name lines { name }')[0]).toMatch(/^查询过于复杂/);
    expect(perRow(60, 'id name lines { name }')).toEqual([]);
  });

  test('an operation that is not in the document is refused', () => {
    const named = 'query A { me { authenticated } } query B { me { authenticated } }';
    expect(faultsOf(named, {}, { operationName: 'B' })).toEqual([]);
    expect(faultsOf(named, {}, { operationName: 'C' })).toEqual(['文档中没有操作 C']);
    expect(faultsOf(named)).toEqual(['文档含有多个操作，必须用 operationName 指明一个']);
    expect(faultsOf('{ me { authenticated } }', {}, { operationName: 'A' })).toEqual(['文档中没有操作 A']);
  });

  test('introspection fields cannot have aliases, which would multiply their cost for unauthenticated clients', () => {
    expect(faultsOf('{ a: __schema { types { name } } }')).toEqual(['内省字段 __schema 不能取别名']);
    expect(faultsOf('{ __schema { a: types { name } b: types { name } } }')).toEqual([
      '内省字段 types 不能取别名',
      '内省字段 types 不能取别名',
    ]);
    expect(faultsOf('{ a: __type(name: "Line") { name } b: __type(name: "Agent") { name } me { kind: __typename } }')).toEqual([]);
  });

  test('introspection is allowed, and can be disabled', () => {
    expect(faultsOf(getIntrospectionQuery())).toEqual([]);
    expect(faultsOf(getIntrospectionQuery(), {}, { introspection: false })[0]).toContain('introspection');
  });
});
