import type { GraphQLResolveInfo } from 'graphql';
import { createLineRoute, updateLineRoute } from './routes.ts';
import { createLine, deleteLine, listLines, updateLine } from './line-store.ts';
import { readLineGateways } from './gateways.ts';
import type { Line } from './line.ts';
import { nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsBody, withFlags } from '#platform/graphql/from-route.ts';
import type { CreateLineInput, Resolvers, UpdateLineInput } from '#graph/schema-types.generated.ts';

export const lineResolvers: Resolvers = {
  Query: {
    line: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.lines.load(rowIdOf('id', id, { of: 'Line' }))),
    lines: async (_root, _args, { deps }) => (await listLines(deps)).rows,
  },
  Mutation: {
    createLine: (_root, { input }, context, info) => create(context, info, input),
    updateLine: (_root, { id, input }, context, info) => update(context, info, id, input),
    deleteLine: (_root, { id }, context, info) => deleteLine(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Line' })),
  },
  Line: {
    gateways: (line, _args, { deps }) => readLineGateways(deps, line),
  },
};

async function create(context: GraphContext, info: GraphQLResolveInfo, input: CreateLineInput): Promise<Line> {
  return createLine(context.deps, callerOf(context, info), parseAsBody(createLineRoute, bodyOf(input)));
}

async function update(context: GraphContext, info: GraphQLResolveInfo, id: string, input: UpdateLineInput): Promise<Line> {
  return updateLine(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Line' }), parseAsBody(updateLineRoute, bodyOf(input)));
}

function bodyOf({ numbers, ...input }: UpdateLineInput): object {
  return { ...withFlags(input), ...(numbers === undefined ? {} : { numbers: numbers && numbers.map(withFlags) }) };
}
