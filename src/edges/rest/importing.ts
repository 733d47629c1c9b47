import { getImportRoute, importFields, importFileRoute } from '#contract/rest/importing.ts';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_METADATA_LENGTH, MAX_REMARK_LENGTH } from '#model/contact.ts';
import { parseTexts } from '#contract/rest/parse.ts';
import { requireStorable } from '#contract/storable.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from '#operations/access/caller.ts';
import { createTurns } from '#operations/access/turns.ts';
import { importFile, type ImportFileDeps } from '#operations/importing/import-file.ts';
import { MAX_FILE_BYTES } from '#operations/importing/import-limits.ts';
import { getImport, trackImport, type TrackImportDeps } from '#operations/importing/track-import.ts';
import { handler, rawHandler, type RouteHandler } from './handler.ts';
import { readUpload } from './read-upload.ts';

/** Files that one instance works on at once, each held a few times over; the others wait as they came, a user's own behind each other. */
const FILE_TURNS = { running: 4, waiting: 60, waitingOfKey: 20, refusal: '排队的导入过多，请稍后重试' };
/** Files that are being received: whoever sends slowly takes nobody's turn, and no other user's place. */
const MAX_UPLOADS = 60;
const MAX_UPLOADS_OF_USER = 20;
const RETRY_AFTER_SECONDS = 2;

const LIMITS = { customerName: MAX_CUSTOMER_NAME_LENGTH, remark: MAX_REMARK_LENGTH, metadata: MAX_METADATA_LENGTH };

/** Source: OCS 4.7, D6.3 */
export function importHandlers(deps: ImportFileDeps & TrackImportDeps): RouteHandler[] {
  const inTurn = createTurns(FILE_TURNS);
  const whileReceiving = createPlaces();
  return [
    rawHandler(importFileRoute, ({ params, query, caller, request }) =>
      trackImport(deps, { campaignId: params.id, importId: query.importId }, async reached => {
        const { fileName, bytes, fields } = await whileReceiving(caller, () => readUpload(request, MAX_FILE_BYTES));
        requireStorable(fields);
        const { region, carrier, landline, mapping, sheet, dryRun } = parseTexts(importFields, fields, '表单');
        const options = { region, carriers: carrier, landline, mapping: mapping ?? null, sheet: sheet ?? null, dryRun, limits: LIMITS };
        reached('queued');
        return inTurn(String(caller.userId), () => importFile(deps, caller, params.id, { fileName, bytes, ...options, reached }));
      }),
    ),
    handler(getImportRoute, async ({ params }) => ({ import: await getImport(deps, params.id, params.importId) })),
  ];
}

function createPlaces() {
  const open: Caller['userId'][] = [];
  return async <T>({ userId }: Pick<Caller, 'userId'>, receive: () => Promise<T>): Promise<T> => {
    if (open.length >= MAX_UPLOADS || open.filter(other => other === userId).length >= MAX_UPLOADS_OF_USER) throw busy();
    open.push(userId);
    try {
      return await receive();
    } finally {
      open.splice(open.indexOf(userId), 1);
    }
  };
}

function busy(): CalloutError {
  return new CalloutError('RATE_LIMITED', '正在上传的文件过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
