import { invalidArgument } from '#kernel/errors.ts';
import { MAX_SLICE } from '#platform/graphql/connection.ts';
import { findNode } from './nodes.ts';
import type { Resolvers } from './schema-types.generated.ts';

export const nodeResolvers: Resolvers = {
  Query: {
    // The object carries the name of its type, by which the schema finds its fields.
    node: async (_root, { id }, context) => (await findNode(context, id)) as never,
    nodes: (_root, { ids }, context) => {
      if (ids.length > MAX_SLICE) throw invalidArgument('ids', `最多 ${MAX_SLICE} 个`);
      return ids.map(id => findNode(context, id)) as never;
    },
  },
};
