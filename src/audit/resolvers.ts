import { z } from 'zod';
import { auditFilter } from './routes.ts';
import { parseInput } from '#platform/http/parse.ts';
import { auditList, type AuditSearch } from './audit-store.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import type { AuditLogFilter, Resolvers } from '#graph/schema-types.generated.ts';

export const auditLogResolvers: Resolvers = {
  Query: {
    auditLogs: (_root, { search, filter, ...args }, { app }) =>
      connectTo(app, auditList, { q: searchOf(search), ...searchOfFilter(filter ?? {}) }, args),
  },
  AuditLog: {
    targetName: ({ targetType, targetId }, _args, { loaders }) =>
      targetId === null ? null : loaders.targetNames.load({ targetType, targetId }),
  },
  AuditLogConnection: connectionFields(),
};

const filterShape = z.object({ filter: z.object(auditFilter) });

/** Null, blank and absent members filter nothing. Errors: INVALID_ARGUMENT naming the member */
function searchOfFilter({ from, to, ...members }: AuditLogFilter): Omit<AuditSearch, 'q'> {
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== ''));
  const { filter } = parseInput(filterShape, { filter: given }, 'filter');
  return { ...filter, from: from ?? undefined, to: to ?? undefined };
}
