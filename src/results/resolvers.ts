import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { optionalRowId } from '#platform/graphql/row-id.ts';
import { readDeclaredFields, versionKey } from '#scripts/result-fields.ts';
import { correctResult } from './correct-result.ts';
import { describeFields } from './decisions/describe-fields.ts';
import { correctResultRoute } from './routes.ts';

export const resultResolvers: Resolvers = {
  Query: {
    resultFields: (_root, { campaignId }, { app }) =>
      readDeclaredFields(app, { campaignId: optionalRowId('campaignId', campaignId) ?? null }),
  },
  Attempt: {
    resultFields: async ({ id, scriptId, scriptVersion, resultFields, reportedResult }, _args, { loaders }) => {
      if (scriptId === null || scriptVersion === null) return [];
      const declared = await loaders.versionFields.load(versionKey({ scriptId, version: scriptVersion }));
      const said = reportedResult === null ? null : await loaders.resultLayers.load(id);
      return describeFields(declared?.fields ?? [], resultFields ?? {}, said?.layers ?? null);
    },
    resultCorrections: ({ id }, _args, { loaders }) => loaders.resultCorrections.load(id),
  },
  Contact: {
    resultFields: ({ id }, _args, { loaders }) => loaders.contactFields.load(id),
  },
  Mutation: {
    correctCallResult: fromRoute(correctResultRoute, correctResult),
  },
};
