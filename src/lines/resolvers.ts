import { createLineRoute, deleteLineRoute, removeLinePriceRoute, restNumberRoute, resumeNumberRoute, updateLineRoute } from './routes.ts';
import { linePriceTerms } from './decisions/line-price.ts';
import { listLinePrices, removeLinePrice, setLinePrice } from './line-prices.ts';
import { createLine, deleteLine, listLines, updateLine } from './line-store.ts';
import { listNumberUse, resumeNumber, restNumber } from '#outcomes/line-numbers.ts';
import { readLineGateways } from './gateways.ts';
import { given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { callerOf } from '#graph/context.ts';
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
    setLinePrice: (_root, { lineId, input: { validFrom, ...input } }, context, info) => {
      const terms = { ...parseInput(linePriceTerms, given(input), '参数'), validFrom: validFrom ?? undefined };
      return setLinePrice(context.app, callerOf(context, info), rowIdOf('lineId', lineId), terms);
    },
    removeLinePrice: fromRoute(removeLinePriceRoute, removeLinePrice),
  },
  Line: {
    prices: (line, _args, { app }) => listLinePrices(app, line.id),
    numberUse: (line, _args, { app }) => listNumberUse(app, line.id),
    gateways: (line, _args, { app }) => readLineGateways(app, line),
  },
};
