import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, route } from '#platform/http/route.ts';
import { dispositionState, settingsChange } from './disposition.ts';
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

/** Source: D12.9 */
export function dispositionHandlers(app: App): RestHandler[] {
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
