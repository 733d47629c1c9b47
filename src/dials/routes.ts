import { z } from 'zod';
import type { App } from '#app/app.ts';
import { attempt } from '#attempts/attempt.ts';
import { shownAttempt, shownAttempts } from '#attempts/shown-attempts.ts';
import { MAX_PHONE_NUMBER_LENGTH } from '#contacts/decisions/numbers.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { requiredText } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, idText8, route } from '#platform/http/route.ts';
import { type Dial, dial, MAX_DIALS, MAX_EXTERNAL_ID_LENGTH, newDial, placedDials } from './dial.ts';
import { findDial } from './find-dial.ts';
import { requestDials } from './request-dials.ts';
import { placeTestCall } from './test-call.ts';

/** Source: D2.2 */
const DIALS_BODY_BYTES = 8 * 1024 * 1024;

export const placeDialsRoute = route(
  'POST /api/campaigns/:id/dials',
  'contact:write',
  '请求呼叫：运行中的活动立即拨出，已拨完的活动随之再次运行；格式有误时整个请求被拒绝，其余逐个受理或拒绝',
  {
    params: idParam,
    body: z.object({ dials: z.array(newDial).min(1).max(MAX_DIALS) }),
    data: placedDials,
    bodyLimit: DIALS_BODY_BYTES,
  },
);

const oneDial = z.object({ dial });

export const findDialRoute = route('GET /api/campaigns/:id/dials/:contactId', 'session', '一次请求的呼叫：状态、呼叫记录与未呼叫的原因', {
  params: z.object({ id: idText4, contactId: idText8 }),
  data: oneDial,
});

export const findDialByExternalIdRoute = route('GET /api/campaigns/:id/dials', 'session', '按来源系统的编号查询请求的呼叫', {
  params: idParam,
  query: z.object({ externalId: z.string().trim().max(MAX_EXTERNAL_ID_LENGTH).optional().default('') }),
  data: oneDial,
});

const testCallBody = z.object({
  phoneNumber: requiredText(MAX_PHONE_NUMBER_LENGTH).nullish().meta({ description: '要呼叫的号码；与 ownPhone 二选一' }),
  ownPhone: z.boolean().nullish().meta({ description: 'true：呼叫自己坐席的软电话' }),
});

/** Null: the caller's own softphone. Errors: INVALID_ARGUMENT unless exactly one is given */
export function phoneOf({ phoneNumber = null, ownPhone }: z.output<typeof testCallBody>): string | null {
  if ((phoneNumber !== null) === (ownPhone === true)) throw invalidArgument('phoneNumber', 'exactlyOne', { other: 'ownPhone' });
  return phoneNumber;
}

/** Source: D7.16 */
export const placeTestCallRoute = route(
  'POST /api/campaigns/:id/contacts/:contactId/test-call',
  'campaign:dispatch',
  '测试呼叫：以联系人的资料和活动的话术呼叫自己的号码，不计入次数与统计',
  {
    params: z.object({ id: idText4, contactId: idText8 }),
    body: testCallBody,
    data: z.object({ attempt }),
  },
);

/** Source: D7.15, D7.16 */
export function dialHandlers(app: App): RestHandler[] {
  return [
    handler(placeDialsRoute, ({ params, body, caller }) => requestDials(app, caller, params.id, body.dials)),
    handler(findDialRoute, async ({ params: { id, contactId }, caller }) => ({
      dial: await shownDial(app, caller, await findDial(app, id, { contactId })),
    })),
    handler(findDialByExternalIdRoute, async ({ params, query: { externalId }, caller }) => {
      if (externalId === '') throw invalidArgument('externalId', 'missing');
      return { dial: await shownDial(app, caller, await findDial(app, params.id, { externalId })) };
    }),
    handler(placeTestCallRoute, async ({ params: { id: campaignId, contactId }, body, caller }) => ({
      attempt: await shownAttempt(app, caller, await placeTestCall(app, caller, { campaignId, contactId, phoneNumber: phoneOf(body) })),
    })),
  ];
}

async function shownDial(app: App, caller: Caller, { attempts, ...dial }: Dial): Promise<Dial> {
  return { ...dial, attempts: await shownAttempts(app, caller, attempts) };
}
