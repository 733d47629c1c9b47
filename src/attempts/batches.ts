import { cancelBatch } from '#dialling/cancel-batch.ts';
import { bigRowIdOf, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { connectionFields } from '#platform/graphql/connection.ts';
import { callerOf } from '#graph/context.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const batchResolvers: Resolvers = {
  Query: {
    batch: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.batches.load(bigRowIdOf('id', id, 'Batch'))),
  },
  Mutation: {
    cancelBatch: (_root, { campaignId, batchId }, context, info) =>
      cancelBatch(context.deps, callerOf(context, info), rowIdOf('campaignId', campaignId), bigRowIdOf('batchId', batchId)),
  },
  BatchConnection: connectionFields(),
};
