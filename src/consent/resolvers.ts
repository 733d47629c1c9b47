import { callerOf } from '#graph/context.ts';
import { parseAsBody, parseAsParams } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { given } from '#platform/graphql/row-id.ts';
import { parseTexts } from '#platform/http/parse.ts';
import { consentList } from './consent-store.ts';
import { consentImportFields, importConsents } from './import-consents.ts';
import { exportEvidence, recordConsent } from './record-consents.ts';
import { consentEvidenceRoute, recordConsentRoute } from './routes.ts';

export const consentResolvers: Resolvers = {
  Query: {
    consents: (_root, { search, filter, ...args }, { app }) =>
      connectTo(app, consentList, { q: searchOf(search), ...keyed(given(filter), app.region) }, args),
    consentEvidence: (_root, args, context, info) =>
      exportEvidence(context.app, callerOf(context, info), parseAsParams(consentEvidenceRoute, args).number),
  },
  Mutation: {
    recordConsent: async (_root, { input: { at = null, until = null, ...input } }, context, info) => {
      const { at: _at, until: _until, ...entry } = parseAsBody(recordConsentRoute, given(input));
      return recordConsent(context.app, callerOf(context, info), { ...entry, at, until });
    },
    importConsents: (_root, { file: { fileName, bytes }, dryRun, headerRow, includeHidden, ...texts }, context, info) => {
      const form = {
        ...given(texts),
        ...(dryRun === true && { dryRun: '1' }),
        ...(includeHidden === true && { includeHidden: '1' }),
        ...(typeof headerRow === 'number' && { headerRow: String(headerRow) }),
      };
      return importConsents(context.app, callerOf(context, info), { fileName, bytes, ...parseTexts(consentImportFields, form, 'options') });
    },
  },
  ConsentConnection: connectionFields(),
};
