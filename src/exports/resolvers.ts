import { attemptFilterOf, contactQueryOf, exportBodyOf } from '#graph/inputs.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { exportAddress } from './export-address.ts';
import type { MutationStartExportArgs, Resolvers } from '#graph/schema-types.generated.ts';
import { getVcon } from './get-vcon.ts';
import { linkExport } from './link-export.ts';
import { linkExportRoute, startExportRoute, startNamedExport } from './routes.ts';
import { listExportColumns } from './start-export.ts';

/** Files are downloaded over HTTP: these fields return the address, with REST's parameters. */
export const exportResolvers: Resolvers = {
  Attempt: {
    vcon: ({ id }, _args, context, info) => getVcon(context.app, callerOf(context, info), id),
  },
  Mutation: {
    startExport: (root, args, context, info) =>
      fromRoute(startExportRoute, startNamedExport, {
        bodyOf: ({ input }: MutationStartExportArgs) => exportBodyOf(input, context.language),
      })(root, args, context, info),
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
