import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AUDITED_ACTIONS, type AuditedAction } from '#audit/audit.ts';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { SECRET_KEY } from '#test/support/agent-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { INTERFACE_ROWS } from '../coverage/interface-rows.ts';
import {
  ACCESS_ACTIONS,
  type AccessAction,
  type AuditCase,
  type AuditCases,
  BUS_ACTIONS,
  type BusAction,
  type FurtherCase,
  OWN_ACTIONS,
  type OwnAction,
  SECRETS,
} from './audit-case.ts';
import { CALL_CASES, FURTHER_CALL_CASES } from './call-cases.ts';
import { JOB_CASES } from './job-cases.ts';
import { REPORT_CASES } from './report-cases.ts';
import { SCHEDULE_CASES } from './schedule-cases.ts';
import { LINE_CASES } from './line-cases.ts';
import { LIST_CASES } from './list-cases.ts';
import { FURTHER_MANAGEMENT_CASES, MANAGEMENT_CASES } from './management-cases.ts';
import { WEBHOOK_CASES } from './webhook-cases.ts';

const CASES: AuditCases<Exclude<AuditedAction, BusAction | AccessAction | OwnAction>> = {
  ...MANAGEMENT_CASES,
  ...LINE_CASES,
  ...WEBHOOK_CASES,
  ...CALL_CASES,
  ...JOB_CASES,
  ...REPORT_CASES,
  ...SCHEDULE_CASES,
  ...LIST_CASES,
};
const ALL_CASES: readonly FurtherCase[] = [
  ...(Object.keys(CASES) as (keyof typeof CASES)[]).map(action => ({ name: action, action, ask: CASES[action] })),
  ...FURTHER_MANAGEMENT_CASES,
  ...FURTHER_CALL_CASES,
];

/** Routes without anything to audit by D3.7: one's own presence, reports of the runtime, an acknowledgement that names its user itself. */
const UNAUDITED_ROWS = [
  'PATCH /api/runtime/events/:id/acknowledge',
  'POST /api/policies/evaluate',
  'POST /api/call-results',
  'POST /api/call-progress',
  'POST /api/live-monitor/heartbeat',
  'DELETE /api/live-monitor/presence',
];
const CASE_TIMEOUT_MS = 120_000;

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;
let adminId: number;
/** Path and method by request id. */
const asked = new Map<string, string>();
const performed = new Map<FurtherCase, Promise<AuditCase>>();

/** Performs each case once, whichever test needs it first. */
function perform(wanted: FurtherCase): Promise<AuditCase> {
  const done = performed.get(wanted) ?? wanted.ask(rig);
  performed.set(wanted, done);
  return done;
}

const requestIdOf = ({ answer }: AuditCase) => answer.headers.get('x-request-id') ?? '';

/** Records what each request id requested. */
function noting(started: ConferenceRig): ConferenceRig {
  const api: ConferenceRig['server']['api'] = async (method, path, body, token) => {
    const answer = await started.server.api(method, path, body, token);
    asked.set(answer.headers.get('x-request-id') ?? '', `${method} ${path}`);
    return answer;
  };
  const internal: ConferenceRig['server']['internal'] = async (method, path, body, headers) => {
    const answer = await started.server.internal(method, path, body, headers);
    asked.set(answer.headers.get('x-request-id') ?? '', `${method} ${path}`);
    return answer;
  };
  const route: ConferenceRig['route'] = async (customer, more) => {
    const answer = await started.route(customer, more);
    asked.set(answer.headers.get('x-request-id') ?? '', 'POST /api/transfers/route');
    return answer;
  };
  return { ...started, route, server: { ...started.server, api, internal } };
}

beforeAll(async () => {
  const businesses = ['demo', MONITORED_BUSINESS].map(businessCode => ({
    businessCode,
    businessName: businessCode,
    runtimeBringsFlow: true,
  }));
  rig = noting(await startConferenceRig({ businesses, agents: { secretKey: SECRET_KEY } }));
  runtime = await startSoftphoneRuntime(rig.server);
  adminId = Number((await rig.server.api('GET', '/api/auth/me', undefined, rig.token)).data.user.id);
}, CASE_TIMEOUT_MS);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

interface AuditRow {
  requestId: string;
  action: string;
}

/** Rows of one request, regardless of rows written meanwhile. */
async function rowsOf(requestId: string, action: string): Promise<AuditRow[]> {
  const noun = action.split('.')[0] ?? '';
  const { data } = await rig.server.api('GET', `/api/audit-logs?pageSize=200&q=${noun}`, undefined, rig.token);
  return (data.rows as AuditRow[]).filter(row => row.requestId === requestId);
}

test.each(ALL_CASES)(
  '$name leaves one row with actor, action and target, and no secret [D3.7]',
  async wanted => {
    const { action } = wanted;
    const done = await perform(wanted);
    const { answer, userId = adminId, targetType, targetId } = done;
    expect([answer.status, answer.msg]).toEqual([200, 'ok']);
    const rows = await rowsOf(requestIdOf(done), action);
    expect(rows).toEqual([
      expect.objectContaining({
        actorId: userId,
        actorName: expect.stringMatching(/./),
        action,
        targetType,
        targetId: targetId === null ? null : String(targetId),
        summary: expect.stringMatching(/[一-鿿]/),
        ip: expect.stringContaining('127.0.0.1'),
      }),
    ]);
    const text = JSON.stringify(rows);
    for (const secret of [...SECRETS, SECRET_KEY, INTERNAL_TOKEN, rig.token]) expect(text).not.toContain(secret);
  },
  CASE_TIMEOUT_MS,
);

test('every audited action has its case, and no case belongs to another action', () => {
  expect([...Object.keys(CASES), ...BUS_ACTIONS, ...ACCESS_ACTIONS, ...OWN_ACTIONS].toSorted()).toEqual([...AUDITED_ACTIONS].toSorted());
});

test(
  'every route that changes something has a case, or is listed as unaudited [D3.7, OCS 4]',
  async () => {
    const cases = await Promise.all(ALL_CASES.map(perform));
    const paths = cases.map(done => asked.get(requestIdOf(done)) ?? '');
    const patternOf = (name: string) => new RegExp(`^${name.replaceAll(/:\w+/g, '[^/]+')}$`);
    const without = INTERFACE_ROWS.map(({ name }) => name).filter(
      name => !name.startsWith('GET ') && !paths.some(path => patternOf(name).test(path)),
    );
    expect(without.toSorted()).toEqual(UNAUDITED_ROWS.toSorted());
  },
  CASE_TIMEOUT_MS,
);
