import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { bigIdParam, idParam, idText4, route } from '#platform/http/route.ts';
import { callKeyParam } from '#protocol/progress.ts';
import { stateSpan } from '#agents/sum-states.ts';
import { readDispositions } from '#attempts/call-dispositions.ts';
import { callDisposition } from '#attempts/decisions/call-disposition.ts';
import { hiddenFields } from '#attempts/shown-attempts.ts';
import { doNotCallEntry, numberOfCall } from '#do-not-call/do-not-call.ts';
import { maskedValues } from '#phone-numbers/masked-answer.ts';
import { promiseOf } from '#callbacks/callback.ts';
import { countDispositions } from './count-dispositions.ts';
import { readForm } from './disposition-form.ts';
import { listNumberOfCall } from './list-number-of-call.ts';
import { type GivenDisposition, saveDisposition } from './save-disposition.ts';
import { dispositionCount, dispositionForm, dispositionState, newDisposition, settingsChange } from './disposition.ts';
import { readSettings, setSettings } from './settings-store.ts';
import type { App } from '#app/app.ts';

const MAX_BUSINESS_CODE_LENGTH = 64;

const state = z.object({ dispositions: dispositionState });
const businessParam = z.object({ businessCode: z.string().min(1).max(MAX_BUSINESS_CODE_LENGTH) });

export const getCampaignDispositionsRoute = route('GET /api/campaigns/:id/dispositions', 'session', '活动生效的通话结果与整理时间', {
  params: idParam,
  data: state,
});

export const setCampaignDispositionsRoute = route(
  'PUT /api/campaigns/:id/dispositions',
  'campaign:write',
  '设置活动自己的通话结果与整理时间；null 的沿用业务',
  { params: idParam, body: settingsChange, data: state },
);

export const getBusinessDispositionsRoute = route(
  'GET /api/businesses/:businessCode/dispositions',
  'session',
  '业务生效的通话结果与整理时间',
  { params: businessParam, data: state },
);

export const setBusinessDispositionsRoute = route(
  'PUT /api/businesses/:businessCode/dispositions',
  'campaign:write',
  '设置业务的通话结果与整理时间；null 的沿用服务器',
  { params: businessParam, body: settingsChange, data: state },
);

export const readFormRoute = route('GET /api/calls/:callKey/disposition', 'agent:operate', '通话结果的表单：可选的结果、字段与已保存的', {
  params: callKeyParam,
  data: z.object({ form: dispositionForm }),
});

export const saveDispositionRoute = route(
  'PUT /api/calls/:callKey/disposition',
  'agent:operate',
  '保存通话结果，可同时约定回访、加入勿扰名单；坐席只能填写自己的通话',
  { params: callKeyParam, body: newDisposition, data: z.object({ disposition: callDisposition }) },
);

export const listNumberOfCallRoute = route(
  'POST /api/calls/:callKey/do-not-call',
  'agent:operate',
  '将通话的号码加入勿扰名单；坐席只能对自己通话或监听的通话操作',
  { params: callKeyParam, body: numberOfCall, data: z.object({ entry: doNotCallEntry }) },
);

export const listDispositionsRoute = route('GET /api/call-attempts/:id/dispositions', 'session', '坐席为通话选定的结果', {
  params: bigIdParam,
  data: z.object({ rows: z.array(callDisposition) }),
});

export const dispositionCountsRoute = route('GET /api/disposition-counts', 'session', '通话结果的次数，按活动与坐席', {
  query: stateSpan.extend({ campaignId: idText4.optional(), agentId: idText4.optional() }),
  data: z.object({ rows: z.array(dispositionCount) }),
});

/** Source: D12.9 */
export function dispositionHandlers(app: App): RestHandler[] {
  return [...settingsHandlers(app), ...callHandlers(app)];
}

function callHandlers(app: App): RestHandler[] {
  return [
    handler(readFormRoute, async ({ params, caller }) => ({ form: await readForm(app, caller, params.callKey) })),
    handler(saveDispositionRoute, async ({ params, body, caller }) => ({
      disposition: await saveDisposition(app, caller, params.callKey, {
        ...givenOf(body),
        callback: body.callback ? promiseOf(body.callback, app.timeZone) : null,
      }),
    })),
    handler(listNumberOfCallRoute, async ({ params, body, caller }) => ({
      entry: await listNumberOfCall(app, caller, params.callKey, body),
    })),
    handler(listDispositionsRoute, async ({ params: { id }, caller }) => {
      const [rows, hiddenOf] = await Promise.all([readDispositions(app, [id]), hiddenFields(app, caller, [id])]);
      return { rows: rows.map(row => ({ ...row, fields: maskedValues(row.fields, hiddenOf(id)) })) };
    }),
    handler(dispositionCountsRoute, async ({ query }) => ({ rows: await countDispositions(app, query) })),
  ];
}

/** Absent members are empty. */
export function givenOf({ code, note, fields, doNotCall }: z.output<typeof newDisposition>): Omit<GivenDisposition, 'callback'> {
  return { code, note: note ?? '', fields: fields ?? {}, doNotCall: doNotCall ?? false };
}

function settingsHandlers(app: App): RestHandler[] {
  return [
    handler(getCampaignDispositionsRoute, async ({ params }) => ({ dispositions: await readSettings(app, { campaignId: params.id }) })),
    handler(setCampaignDispositionsRoute, async ({ params, body, caller }) => ({
      dispositions: await setSettings(app, caller, { campaignId: params.id }, body),
    })),
    handler(getBusinessDispositionsRoute, async ({ params }) => ({ dispositions: await readSettings(app, params) })),
    handler(setBusinessDispositionsRoute, async ({ params, body, caller }) => ({
      dispositions: await setSettings(app, caller, params, body),
    })),
  ];
}
