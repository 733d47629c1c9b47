import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { ENUMS } from './enums.ts';
import { guardSchema } from './guard.ts';
import { accessResolvers } from './resolvers/access.ts';
import { auditLogResolvers } from './resolvers/audit-logs.ts';
import { businessResolvers } from './resolvers/businesses.ts';
import { doNotCallResolvers } from './resolvers/do-not-call.ts';
import { lineResolvers } from './resolvers/lines.ts';
import { policyResolvers } from './resolvers/policies.ts';
import { scriptResolvers } from './resolvers/scripts.ts';
import { userResolvers } from './resolvers/users.ts';
import { attemptResolvers } from './resolvers/attempts.ts';
import { batchResolvers } from './resolvers/batches.ts';
import { campaignResolvers } from './resolvers/campaigns.ts';
import { contactResolvers } from './resolvers/contacts.ts';
import { liveCallResolvers } from './resolvers/live-calls.ts';
import { SCALARS } from './scalars.ts';

const SCHEMA_FOLDER = join(import.meta.dirname, '../../../schema');

/** The schema of `schema/` with its resolvers, guarded by the access table. */
export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readSchemaTexts(),
    resolvers: [
      SCALARS,
      ENUMS,
      accessResolvers,
      businessResolvers,
      lineResolvers,
      campaignResolvers,
      contactResolvers,
      attemptResolvers,
      batchResolvers,
      liveCallResolvers,
      policyResolvers,
      doNotCallResolvers,
      scriptResolvers,
      auditLogResolvers,
      userResolvers,
    ],
    inheritResolversFromInterfaces: false,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error', requireResolversForResolveType: 'ignore' },
  });
  guardSchema(schema);
  return schema;
}

/** Each file of `schema/`, by name. */
export function readSchemaTexts(): string[] {
  const names = readdirSync(SCHEMA_FOLDER).filter(name => name.endsWith('.graphql'));
  return names.sort().map(name => readFileSync(join(SCHEMA_FOLDER, name), 'utf8'));
}
