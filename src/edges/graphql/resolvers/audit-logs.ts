import { connect, connectionFields, searchOf } from '../connection.ts';
import type { Resolvers } from '../schema-types.generated.ts';

export const auditLogResolvers: Resolvers = {
  Query: {
    auditLogs: (_root, { search, ...args }, { deps: { graph } }) => {
      const q = searchOf(search);
      return connect(
        args,
        slice => graph.sliceAuditLogs({ ...slice, q }),
        () => graph.countAuditLogs({ q }),
      );
    },
  },
  AuditLogConnection: connectionFields(),
};
