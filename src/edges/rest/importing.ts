import { importFields, importFileRoute } from '#contract/rest/importing.ts';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_METADATA_LENGTH, MAX_REMARK_LENGTH } from '#model/contact.ts';
import { parseTexts } from '#contract/rest/parse.ts';
import { requireStorable } from '#contract/storable.ts';
import { CalloutError } from '#kernel/errors.ts';
import { importFile, type ImportFileDeps } from '#operations/importing/import-file.ts';
import { MAX_FILE_BYTES } from '#operations/importing/import-limits.ts';
import { rawHandler, type RouteHandler } from './handler.ts';
import { readUpload } from './read-upload.ts';

/** Uploads that one instance works on at once: each may hold a few times its 5 MiB. */
const MAX_CONCURRENT_IMPORTS = 4;
const RETRY_AFTER_SECONDS = 2;

const LIMITS = { customerName: MAX_CUSTOMER_NAME_LENGTH, remark: MAX_REMARK_LENGTH, metadata: MAX_METADATA_LENGTH };

/** Source: OCS 4.7, D6.3 */
export function importHandlers(deps: ImportFileDeps): RouteHandler[] {
  let running = 0;
  return [
    rawHandler(importFileRoute, async ({ params, caller, request }) => {
      if (running >= MAX_CONCURRENT_IMPORTS) throw busy();
      running += 1;
      try {
        const { fileName, bytes, fields } = await readUpload(request, MAX_FILE_BYTES);
        requireStorable(fields);
        const { region, carrier, landline, mapping, sheet, dryRun } = parseTexts(importFields, fields, '表单');
        const input = {
          fileName,
          bytes,
          region,
          carriers: carrier,
          landline,
          mapping: mapping ?? null,
          sheet: sheet ?? null,
          dryRun,
          limits: LIMITS,
        };
        return await importFile(deps, caller, params.id, input);
      } finally {
        running -= 1;
      }
    }),
  ];
}

function busy(): CalloutError {
  return new CalloutError('RATE_LIMITED', '正在处理的导入过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
