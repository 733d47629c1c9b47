import { randomUUID } from 'node:crypto';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ApiAnswer, startTestServer, type TestServer, type TestServerOptions } from '#test/support/server.ts';

export const BUSINESS = 'demo-business';
export const OTHER_BUSINESS = 'other-business';
export const DISABLED_BUSINESS = 'disabled-business';
/** A business whose runtimes bring no flow. */
export const SCRIPTED_BUSINESS = 'scripted-business';
export const MONITORED_BUSINESS = 'kb-audio-chat-business';

const BUSINESSES = [
  { businessCode: BUSINESS, businessName: '演示业务', runtimeBringsFlow: true },
  { businessCode: OTHER_BUSINESS, businessName: '其他业务', remark: '备用', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '语音问答', runtimeBringsFlow: true },
  { businessCode: SCRIPTED_BUSINESS, businessName: '话术业务' },
  { businessCode: DISABLED_BUSINESS, businessName: '停用业务', isEnabled: false },
];

/** Nothing listens on these ports, so both cells stay unreachable. */
const CELLS = [
  { id: 'cell-a', host: '127.0.0.1', port: 1, password: 'none' },
  { id: 'cell-b', host: '127.0.0.1', port: 1, password: 'none' },
];

/** A server with businesses and unreachable cells, with helpers for tests of campaigns. */
export class ManagementApi {
  readonly server: TestServer;
  readonly admin: string;
  #sequence = 0;

  private constructor(server: TestServer, admin: string) {
    this.server = server;
    this.admin = admin;
  }

  static async start(options: TestServerOptions = {}): Promise<ManagementApi> {
    const server = await startTestServer({ ...options, config: { businesses: BUSINESSES, cells: CELLS, ...options.config } });
    return new ManagementApi(server, await server.loginAs('admin'));
  }

  get(path: string, token: string | null = this.admin): Promise<ApiAnswer> {
    return this.server.api('GET', path, undefined, token);
  }

  post(path: string, body: unknown, token: string | null = this.admin): Promise<ApiAnswer> {
    return this.server.api('POST', path, body, token);
  }

  patch(path: string, body: unknown, token: string | null = this.admin): Promise<ApiAnswer> {
    return this.server.api('PATCH', path, body, token);
  }

  delete(path: string, token: string | null = this.admin): Promise<ApiAnswer> {
    return this.server.api('DELETE', path, undefined, token);
  }

  lineBody(overrides: object = {}): Record<string, unknown> {
    this.#sequence += 1;
    return {
      name: `线路 ${this.#sequence}`,
      code: `line-${this.#sequence}`,
      dialStringTemplate: 'sofia/external/{{destinationNumber}}@127.0.0.1',
      maxConcurrency: 5,
      allocationMode: 'single_shared',
      ...overrides,
    };
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async line(overrides: object = {}): Promise<any> {
    return required(await this.post('/api/lines', this.lineBody(overrides))).line;
  }

  async campaignBody(overrides: object = {}): Promise<Record<string, unknown>> {
    this.#sequence += 1;
    const lineIds = 'lineIds' in overrides ? [] : [(await this.line()).id];
    return { name: `活动 ${this.#sequence}`, businessCode: BUSINESS, lineIds, ...overrides };
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async campaign(overrides: object = {}): Promise<any> {
    return required(await this.post('/api/campaigns', await this.campaignBody(overrides))).campaign;
  }

  /** Ids of the contacts created for these numbers, in their order. */
  async contacts(campaignId: number, ...phoneNumbers: string[]): Promise<number[]> {
    required(await this.post(`/api/campaigns/${campaignId}/contacts`, { contacts: phoneNumbers.map(phoneNumber => ({ phoneNumber })) }));
    const { rows } = required(await this.get(`/api/campaigns/${campaignId}/contacts?pageSize=200`));
    return phoneNumbers.map(phoneNumber => rows.find((row: { phoneNumber: string }) => row.phoneNumber === phoneNumber).id);
  }

  /** Inserts an attempt as dialling leaves it; `answered` is a live call. */
  async attempt(campaignId: number, contactId: number, status: 'answered' | 'completed' = 'answered'): Promise<number> {
    const row = await this.server.running.context.database.first(sql<{ id: number }>`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      select gen_random_uuid(), campaign_id, id, phone_number, dial_key, ${status} from contact where id = ${contactId} and campaign_id = ${campaignId}
      returning id`);
    if (!row) throw new Error('no such contact');
    return row.id;
  }

  /** Occupies one slot of the line until the reservation expires. */
  async occupy(campaignId: number, lineId: number): Promise<void> {
    const registry = redisSlotRegistry(this.server.running.context.redis, { leaseMs: 30_000 });
    const request = {
      campaignId,
      campaignMax: 1,
      weight: 1,
      callIntervalMs: 0,
      lines: [{ lineId, max: 1, mode: 'single_shared' as const, numbers: [], sharedNumber: null }],
      cells: [{ cellId: 'cell-a', max: 0, maxPerSecond: 30 }],
      requestIds: [randomUUID()],
    };
    // Right after the start the registry is still being rebuilt.
    await waitUntil('a slot of the line', async () => (await registry.reserve(request)).grants.length === 1);
  }

  /** Actions of the audit rows about a target, oldest first (D3.7). */
  async audited(targetType: string, targetId: number): Promise<string[]> {
    const rows = await this.server.running.context.database.rows(sql<{ action: string }>`
      select action from audit_log where target_type = ${targetType} and target_id = ${String(targetId)} order by id`);
    return rows.map(({ action }) => action);
  }
}

/** Returns the data of a successful response; throws on any other. */
// oxlint-disable-next-line typescript/no-explicit-any
export function required(answer: ApiAnswer): any {
  expect([answer.status, answer.msg]).toEqual([200, 'ok']);
  return answer.data;
}
