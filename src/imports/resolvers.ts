import { getImportRoute } from './routes.ts';
import { parseTexts } from '#platform/http/parse.ts';
import { runImport } from './import-file.ts';
import { previewFile } from './preview.ts';
import { callerOf } from '#graph/context.ts';
import { parseReadingOptions } from '#graph/reading-options.ts';
import { parseAsParams } from '#graph/from-route.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import type { ImportOptions, Resolvers } from '#graph/schema-types.generated.ts';
import { importFields } from './file-import.ts';

export const fileImportResolvers: Resolvers = {
  Mutation: {
    previewImport: (_root, { file, ...asked }, context, info) =>
      previewFile(context.app, callerOf(context, info), parseReadingOptions(file, asked, context.app.region)),
    importContacts: (_root, { campaignId: id, file, options, importId: key }, context, info) => {
      const campaignId = rowIdOf('campaignId', id);
      const importId = key ? parseAsParams(getImportRoute, { id: String(campaignId), importId: key }).importId : undefined;
      const { fileName, bytes } = file;
      const { includeHidden: includesHidden, ...fields } = parseTexts(importFields, textsOf(options ?? {}), 'options');
      return runImport(context.app, callerOf(context, info), { campaignId, importId }, () =>
        Promise.resolve({ fileName, bytes, includesHidden, ...fields }),
      );
    },
  },
  ContactImport: {
    hiddenRows: ({ hiddenRows = 0 }) => hiddenRows,
    updatedRows: ({ updatedRows = 0 }) => updatedRows,
    keptRows: ({ keptRows = 0 }) => keptRows,
    leftOut: ({ leftOut = [] }) => leftOut,
  },
  ContactImportError: {
    column: ({ source }) => source?.column ?? null,
    cells: ({ source }) => (source ? [...source.cells] : null),
  },
};

/** Converts the options to the texts of REST's form. */
function textsOf({
  carriers,
  columns,
  contactedWithinDays,
  dryRun,
  headerRow,
  includeHidden,
  ...texts
}: ImportOptions): Record<string, string> {
  const given = {
    ...texts,
    headerRow: headerRow?.toString(),
    contactedWithinDays: contactedWithinDays?.toString(),
    includeHidden: includeHidden ? '1' : undefined,
    carrier: carriers?.join(','),
    mapping: columns && JSON.stringify(withoutNulls(columns)),
    dryRun: dryRun ? '1' : undefined,
  };
  return withoutNulls(given) as Record<string, string>;
}

function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}
