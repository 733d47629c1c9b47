import { createLineRoute, deleteLineRoute, restNumberRoute, resumeNumberRoute, updateLineRoute } from './routes.ts';
import { createLine, deleteLine, listLines, updateLine } from './line-store.ts';
import { listNumberUse, resumeNumber, restNumber } from '#outcomes/line-numbers.ts';
import { readLineGateways } from './gateways.ts';
import { nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const lineResolvers: Resolvers = {
  Query: {
    line: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.lines.load(rowIdOf('id', id, { of: 'Line' }))),
    lines: async (_root, _args, { app }) => (await listLines(app)).rows,
  },
  Mutation: {
    createLine: fromRoute(createLineRoute, createLine),
    updateLine: fromRoute(updateLineRoute, updateLine),
    deleteLine: fromRoute(deleteLineRoute, deleteLine),
    restLineNumber: fromRoute(restNumberRoute, restNumber),
    resumeLineNumber: fromRoute(resumeNumberRoute, resumeNumber),
  },
  Line: {
    numberUse: (line, _args, { app }) => listNumberUse(app, line.id),
    gateways: (line, _args, { app }) => readLineGateways(app, line),
  },
};
