import { z } from 'zod';
import { attempt } from '#attempts/attempt.ts';
import { hiddenFields, shownAttempt } from '#attempts/shown-attempts.ts';
import type { App } from '#app/app.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { bigIdParam, idText4, route } from '#platform/http/route.ts';
import { readDeclaredFields } from '#scripts/result-fields.ts';
import { correctResult } from './correct-result.ts';
import { maskedCorrection, readCorrections } from './read-results.ts';
import { resultField } from '#scripts/decisions/result-field.ts';
import { madeCorrection, resultCorrection } from './result.ts';

export const correctResultRoute = route('PATCH /api/call-attempts/:id/result', 'contact:write', '更正通话结果：分类、意图与结果字段', {
  params: bigIdParam,
  body: resultCorrection,
  data: z.object({ attempt }),
});

export const listCorrectionsRoute = route('GET /api/call-attempts/:id/result-corrections', 'session', '通话结果的更正', {
  params: bigIdParam,
  data: z.object({ rows: z.array(madeCorrection) }),
});

export const listResultFieldsRoute = route('GET /api/result-fields', 'session', '话术声明的结果字段，可用于筛选', {
  query: z.object({ campaignId: idText4.optional() }),
  data: z.object({ rows: z.array(resultField) }),
});

/** Source: D7.17 */
export function resultHandlers(app: App): RestHandler[] {
  return [
    handler(correctResultRoute, async ({ params, body, caller }) => ({
      attempt: await shownAttempt(app, caller, await correctResult(app, caller, params.id, body)),
    })),
    handler(listResultFieldsRoute, async ({ query: { campaignId = null } }) => ({ rows: await readDeclaredFields(app, { campaignId }) })),
    handler(listCorrectionsRoute, async ({ params: { id }, caller }) => {
      const [rows, hiddenOf] = await Promise.all([readCorrections(app, [id]), hiddenFields(app, caller, [id])]);
      return { rows: rows.map(row => maskedCorrection(row, hiddenOf(id))) };
    }),
  ];
}
