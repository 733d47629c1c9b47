import { fromRoute, parseAsParams } from '#graph/from-route.ts';
import { parseHeaderSearch } from '#graph/reading-options.ts';
import type { Resolvers, StartListImportInput } from '#graph/schema-types.generated.ts';
import { callerOf } from '#graph/context.ts';
import { connectionFields, connectTo, searchOf } from '#platform/graphql/connection.ts';
import { bigRowIdOf, given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { shownNumber } from '#phone-numbers/shown-number.ts';
import { previewListFile } from './list-file.ts';
import { getImport, listImports } from './list-imports.ts';
import { contactLists, createList, getList, listRows, listUses, listVersions, updateList } from './list-store.ts';
import { removeList } from './remove-list.ts';
import { createListRoute, previewListFileRoute, removeListRoute, startImportRoute, updateListRoute, useListRoute } from './routes.ts';
import { startImport } from './start-import.ts';
import { useList } from './use-list.ts';

export const listResolvers: Resolvers = {
  Query: {
    contactLists: (_root, { search, kind, ...args }, { app }) =>
      connectTo(app, contactLists, { q: searchOf(search), kind: kind ?? undefined }, args),
    contactList: (_root, { id }, { app }) => nullWhenAbsent(() => getList(app, rowIdOf('id', id, { of: 'ContactList' }))),
    listFilePreview: (_root, { fileId, headerRow, region }, context, info) => {
      const file = parseAsParams(previewListFileRoute, { fileId });
      return previewListFile(
        context.app,
        callerOf(context, info),
        file.fileId,
        parseHeaderSearch({ headerRow, region }, context.app.region),
      );
    },
    listImports: (_root, { listId, campaignId, ...args }, { app }) => {
      const search = {
        listId: listId ? rowIdOf('listId', listId) : null,
        campaignId: campaignId ? rowIdOf('campaignId', campaignId) : null,
      };
      return connectTo(app, listImports, search, args);
    },
    listImport: (_root, { id }, { app }) => nullWhenAbsent(() => getImport(app, bigRowIdOf('id', id, 'ListImport'))),
  },
  Mutation: {
    createContactList: fromRoute(createListRoute, createList),
    updateContactList: fromRoute(updateListRoute, updateList, { of: 'ContactList' }),
    removeContactList: fromRoute(removeListRoute, removeList, { of: 'ContactList' }),
    useContactList: fromRoute(useListRoute, useList, { of: 'ContactList' }),
    startListImport: fromRoute(startImportRoute, startImport, { bodyOf }),
  },
  ContactList: {
    versions: ({ id }, _args, { app }) => listVersions(app, id),
    campaigns: ({ id }, _args, { app }) => listUses(app, id),
    rows: ({ id }, { phoneNumber, ...args }, { app }) =>
      connectTo(app, listRows, { ...keyed(given({ phoneNumber }), app.region), listId: id }, args),
  },
  ContactListRow: {
    phoneNumber: ({ phoneNumber }, _args, context, info) => shownNumber(context.app, callerOf(context, info), phoneNumber),
  },
  ListImport: {
    refusalsUrl: ({ id, counts }) => (counts.failedRows > 0 ? `api/imports/${id}/refusals` : null),
  },
  ContactListConnection: connectionFields(),
  ContactListRowConnection: connectionFields(),
  ListImportConnection: connectionFields(),
};

/** Columns that the mapping leaves out are null in GraphQL and absent in REST. */
function bodyOf({ input: { options, ...input } }: { input: StartListImportInput }): object {
  const columns = options?.columns;
  return { ...input, options: options && { ...options, ...(columns && { columns: given(columns) }) } };
}
