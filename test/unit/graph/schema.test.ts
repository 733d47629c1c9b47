import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType,
  print,
  specifiedDirectives,
} from 'graphql';
import { GRAPH_CODES } from '#platform/graphql/errors.ts';
import { ENUMS } from '#graph/enums.ts';
import { guardSchema } from '#platform/graphql/guard.ts';
import { CAMPAIGN_PHASES } from '#campaigns/decisions/campaign-states.ts';
import { ERROR_CODES, REASONS } from '#kernel/errors.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();
const ownTypes = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const enumNames = (name: string) => (schema.getType(name) as GraphQLEnumType).getValues().map(value => value.name);

describe('the GraphQL schema', () => {
  test('documents every type, field, argument and value', () => {
    const bare = ownTypes.filter(type => !['Boolean', 'Float', 'ID', 'Int', 'String'].includes(type.name)).flatMap(undocumented);
    expect(bare).toEqual([]);
  });

  test('lists every error code of the catalogue and of this edge, and no other', () => {
    expect(enumNames('ErrorCode').sort()).toEqual([...Object.keys(ERROR_CODES), ...Object.keys(GRAPH_CODES)].sort());
  });

  test('lists every reason of the catalogue, and every code that refusals report as a reason', () => {
    const refusals = schema.getPossibleTypes(schema.getType('Refusal') as GraphQLInterfaceType);
    const codes = refusals.flatMap(({ astNode }) => [...(/codes: \[(.+?)\]/.exec(astNode ? print(astNode) : '')?.[1]?.split(', ') ?? [])]);
    expect(codes).toContain('POLICY_FORBIDS');
    expect(enumNames('RefusalReason').sort()).toEqual([...REASONS, ...new Set(codes), 'FORBIDDEN'].sort());
  });

  test('has no refusal type for CONFLICT as a whole: the cause decides the type', () => {
    const refusals = schema.getPossibleTypes(schema.getType('Refusal') as GraphQLInterfaceType);
    const whole = refusals.filter(({ astNode }) => /codes: \[[^\]]*\bCONFLICT\b/.test(astNode ? print(astNode) : ''));
    expect(whole.map(({ name }) => name)).toEqual([]);
  });

  test('maps its enum values one to one to those of the program', () => {
    const spelledHere = Object.entries(ENUMS).map(([name, values]) => [name, Object.keys(values).sort()]);
    expect(spelledHere).toEqual(Object.keys(ENUMS).map(name => [name, enumNames(name).sort()]));
    expect(enumNames('CampaignPhase').sort()).toEqual([...CAMPAIGN_PHASES].sort());
    const asInSchema = ownTypes.filter(isEnumType).filter(({ name }) => !(name in ENUMS));
    expect(asInSchema.map(({ name }) => name).sort()).toEqual(['CampaignPhase', 'ErrorCode', 'RefusalReason', 'ResyncReason']);
  });

  test('has ids as ID and instants as DateTime', () => {
    const fields = ownTypes.filter(isObjectType).flatMap(type => Object.values(type.getFields()).map(field => ({ type, field })));
    const wrong = fields.filter(({ field }) => {
      const named = String(field.type).replaceAll(/[![\]]/g, '');
      if (/(^id|Id|Key)$/.test(field.name))
        return named !== 'ID' && !['segmentId', 'nodeId', 'currentNodeId', 'entryNodeId', 'cellId', 'externalId'].includes(field.name);
      return /(At|^at)$/.test(field.name) && named !== 'DateTime';
    });
    expect(wrong.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
  });

  test('every mutation returns a union with its possible refusals; a bulk command reports them per row', () => {
    const faulty = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ type, args }) => {
      const result = getNamedType(type);
      if (args.length === 0 || result.name === 'BulkOutcome') return false;
      const expected = ['InputRefused', ...(args.some(takesId) ? ['NotFound'] : [])];
      const refusals = isUnionType(result) ? result.getTypes().slice(1) : [];
      const areRefusals = refusals.every(member => member.getInterfaces().some(({ name: of }) => of === 'Refusal'));
      return !(areRefusals && expected.every(member => refusals.some(({ name: known }) => known === member)));
    });
    expect(faulty.map(({ name }) => name)).toEqual([]);
  });

  test('root fields of queries and mutations are nullable, so that one failure leaves the other results intact', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap(root => Object.values(root?.getFields() ?? {}));
    expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });
});

/** Whether an argument, or a member of its input type at any depth, is an id. */
function takesId({ type }: { type: GraphQLInputType }): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()).some(takesId) : named.name === 'ID';
}

function undocumented(type: (typeof ownTypes)[number]): string[] {
  const parts: { path: string; description?: string | null | undefined }[] = [{ path: type.name, description: type.description }];
  if (isEnumType(type))
    parts.push(...type.getValues().map(value => ({ path: `${type.name}.${value.name}`, description: value.description })));
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      parts.push({ path: `${type.name}.${field.name}`, description: field.description });
      const args = 'args' in field ? field.args : [];
      parts.push(
        ...args.map((arg: { name: string; description?: string | null | undefined }) => ({
          path: `${type.name}.${field.name}(${arg.name})`,
          description: arg.description,
        })),
      );
    }
  }
  return parts.filter(({ description }) => !description).map(({ path }) => path);
}

describe('every field needs `@access` [OCS 2.3]', () => {
  const guardedBy = (types: string): GraphQLSchema => {
    const made = buildSchema(`directive @access(needs: String!) on FIELD_DEFINITION ${types}`);
    for (const type of Object.values(made.getTypeMap()).filter(isObjectType)) {
      if (!type.name.startsWith('__')) for (const field of Object.values(type.getFields())) field.resolve = () => null;
    }
    return guardSchema(made);
  };

  test.each(['Query', 'Mutation', 'Subscription'])('a field of %s without it prevents the start', root => {
    const me = root === 'Query' ? '' : 'type Query { me: String @access(needs: "public") }';
    expect(() => guardedBy(`${me} type ${root} { open: String @access(needs: "session") secrets: String }`)).toThrow(
      `${root}.secrets has no @access`,
    );
  });

  test('a field with arguments without it prevents the start, on any type', () => {
    const text = 'type Query { other: Other @access(needs: "session") } type Other { name: String all(first: Int): String }';
    expect(() => guardedBy(text)).toThrow('Other.all has no @access');
  });

  test.each(['internal', 'line:wirte', ''])('an unknown permission (%j) prevents the start', needs => {
    expect(() => guardedBy(`type Query { lines: String @access(needs: "${needs}") }`)).toThrow('Query.lines');
  });

  test('clients see none of our own directives', () => {
    expect(
      schema
        .getDirectives()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...specifiedDirectives.map(({ name }) => name), 'defer', 'stream'].sort());
  });
});
