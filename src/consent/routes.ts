import { z } from 'zod';
import { instant, instantText, requiredText, toInstantOrNull } from '#kernel/fields.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { MAX_FILE_BYTES } from '#platform/files/read-table.ts';
import { readUpload } from '#platform/http/bodies.ts';
import { handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import { parseTexts, requireStorable } from '#platform/http/parse.ts';
import { MAX_SEARCH_LENGTH, pageOf, pageSearchQuery, route, textFilter } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { CONSENT_KINDS, consent, newConsent } from './consent.ts';
import { consentList } from './consent-store.ts';
import { consentImport, consentImportFields, importConsents } from './import-consents.ts';
import { exportEvidence, recordConsent } from './record-consents.ts';
import type { App } from '#app/app.ts';

/** Source: D8.10 */
export const listConsentsRoute = route('GET /api/consents', 'session', '同意台账，含撤回', {
  query: pageSearchQuery.extend({
    phoneNumber: textFilter(MAX_SEARCH_LENGTH),
    purpose: textFilter(MAX_SEARCH_LENGTH),
    kind: z.enum(CONSENT_KINDS).optional(),
    from: instantText.optional(),
    to: instantText.optional(),
  }),
  data: pageOf(consent),
});

/** Source: D8.10 */
export const recordConsentRoute = route('POST /api/consents', 'compliance:write', '登记一次同意或撤回；台账只增不改', {
  body: newConsent,
  data: z.object({ consent }),
});

/** Source: D8.10 */
export const importConsentsRoute = route(
  'POST /api/consents/import',
  'compliance:write',
  '上传 CSV、TSV 或 XLSX 文件登记同意与撤回（multipart/form-data）；有一行有误则全部不写',
  {
    body: consentImportFields.extend({
      file: z.string().meta({ format: 'binary', description: 'CSV, TSV or XLSX, at most 5 MiB and 10,000 rows' }),
    }),
    data: consentImport,
  },
);

const MAX_NUMBER_LENGTH = 64;

/** Source: D3.7, D8.10 */
export const consentEvidenceRoute = route(
  'GET /api/consents/evidence/:number',
  'compliance:write',
  '一个号码的全部同意与撤回，作为凭证；留审计记录',
  {
    params: z.object({ number: requiredText(MAX_NUMBER_LENGTH) }),
    data: z.object({ phoneNumber: z.string(), exportedAt: instant, entries: z.array(consent) }),
  },
);

/** Source: D8.10 */
export function consentHandlers(app: App): RouteHandler[] {
  const zone = app.timeZone;
  return [
    handler(listConsentsRoute, ({ query: { from, to, ...query } }) =>
      readPage(app, consentList, {
        ...keyed(query, app.region),
        from: toInstantOrNull(from, zone) ?? undefined,
        to: toInstantOrNull(to, zone) ?? undefined,
      }),
    ),
    handler(recordConsentRoute, async ({ body: { at, until, ...entry }, caller }) => ({
      consent: await recordConsent(app, caller, { ...entry, at: toInstantOrNull(at, zone), until: toInstantOrNull(until, zone) }),
    })),
    handler(consentEvidenceRoute, ({ params, caller }) => exportEvidence(app, caller, params.number)),
    rawHandler(importConsentsRoute, async ({ caller, request }) => {
      const { fileName, bytes, fields } = await app.importQueue.receive(caller, () => readUpload(request, MAX_FILE_BYTES));
      requireStorable(fields);
      return importConsents(app, caller, { fileName, bytes, ...parseTexts(consentImportFields, fields, '表单') });
    }),
  ];
}
