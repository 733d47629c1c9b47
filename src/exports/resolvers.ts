import { attemptFilterOf, contactQueryOf } from '#graph/inputs.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import { given, rowIdOf } from '#platform/graphql/row-id.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { Language } from '#kernel/problem.ts';
import { exportAddress } from './export-address.ts';
import type { MutationStartExportArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { getVcon } from './get-vcon.ts';
import { linkExport } from './link-export.ts';
import { linkExportRoute, startExportRoute, startNamedExport } from './routes.ts';
import { listExportColumns } from './start-export.ts';

/** Instants of filters, which the scalar has read and the row of REST takes as texts. */
const INSTANT_MEMBERS = ['from', 'to', 'expiresFrom', 'expiresTo'];

/** The input as the body of the row: search and campaign stand in the filter of the kind there. */
function bodyOf(language: Language) {
  return ({ input }: MutationStartExportArgs): object => {
    const { search, campaignId, calls, contacts, doNotCall, auditLogs, ...rest } = given(input);
    const found = search ? { q: search } : {};
    const filters = {
      calls: calls && spelled(calls),
      contacts: rest.kind === 'contacts' || contacts ? { ...found, ...given({ campaignId }), ...spelled(contacts ?? {}) } : undefined,
      doNotCall: rest.kind === 'do_not_call' || doNotCall ? { ...found, ...spelled(doNotCall ?? {}) } : undefined,
      auditLogs: rest.kind === 'audit_log' || auditLogs ? { ...found, ...spelled(auditLogs ?? {}) } : undefined,
    };
    return { language, ...rest, ...given(filters) };
  };
}

/** Null members filter nothing. */
function spelled(filter: object): object {
  const members: [string, unknown][] = Object.entries(given(filter));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'number' && INSTANT_MEMBERS.includes(name) ? new Date(value).toISOString() : value,
    ]),
  );
}

/** Files are downloaded over HTTP: these fields return the address, with REST's parameters. */
export const exportResolvers: Resolvers = {
  Attempt: {
    vcon: ({ id }, _args, context, info) => getVcon(context.app, callerOf(context, info), id),
  },
  Mutation: {
    startExport: (root, args, context, info) =>
      fromRoute(startExportRoute, startNamedExport, { bodyOf: bodyOf(context.language) })(root, args, context, info),
    linkExport: fromRoute(linkExportRoute, linkExport, { of: 'Job' }),
  },
  Query: {
    exportColumns: (_root, { kind, campaignId: id }, context, info) =>
      listExportColumns(context.app, callerOf(context, info), {
        kind,
        campaignId: id ? rowIdOf('campaignId', id) : null,
        language: context.language,
      }),
    callsExport: (_root, { filter, direction }, { language }) => ({
      url: exportAddress('calls', { ...attemptFilterOf(filter), order: direction, language }),
    }),
    contactsExport: (_root, { campaignId: id, direction, search, filter }, { language }) => {
      const notDialedReason = filter?.notDialedReason;
      if (notDialedReason && !id) throw invalidArgument('filter.notDialedReason', 'onlyTogether', { other: 'campaignId' });
      const {
        q,
        status,
        filter: { waiting: _asReason, ...narrowing },
      } = contactQueryOf({ search, filter });
      const campaignId = id ? rowIdOf('campaignId', id) : undefined;
      return {
        url: exportAddress('contacts', {
          ...narrowing,
          campaignId,
          q,
          status,
          notDialedReason,
          order: direction,
          language,
        }),
      };
    },
  },
};
