import { csvLine } from '#platform/files/csv.ts';
import type { Platform } from '#platform/platform.ts';
import { getImport } from './list-imports.ts';
import { REFUSAL_TITLES } from './refusal-columns.ts';
import { readHeader, refusalsOf } from './refusals.ts';

const BYTE_ORDER_MARK = '﻿';

/**
 * The refused rows of an import as a file to mend and to import again: their own columns, behind the row and the reason, which are left out
 * then.
 *
 * Errors: NOT_FOUND
 */
export async function refusalsFile(app: Pick<Platform, 'db'>, jobId: number): Promise<{ fileName: string; lines: AsyncGenerator<string> }> {
  const { fileName } = await getImport(app, jobId);
  const header = await readHeader(app.db, jobId);
  return { fileName: `未导入-${fileName ?? jobId}.csv`, lines: linesOf(app, jobId, header) };
}

async function* linesOf({ db }: Pick<Platform, 'db'>, jobId: number, header: readonly string[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([REFUSAL_TITLES.row, REFUSAL_TITLES.reason, ...header]);
  for await (const rows of refusalsOf(db, jobId))
    yield rows
      .map(({ fileRow, reason, columnName, cells }) =>
        csvLine([fileRow, columnName === null ? reason : `${columnName}：${reason}`, ...cells]),
      )
      .join('');
}
