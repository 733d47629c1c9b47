import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidInput, notFound } from '#kernel/errors.ts';
import { filledWith } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { WrapUpRule } from '#agents/agent-directory.ts';
import { emptyListFault, NO_SETTINGS, serverSettings, settingsOver, wrapUpOf } from './decisions/settings.ts';
import type { DispositionSettings, DispositionState, OwnSettings, SettingsChange } from './disposition.ts';

/** Wrap-up that holds where neither campaign nor business has a say, in ms. */
export interface WrapUpPart {
  wrapUpMs: number;
}

export type SettingsApp = AuditPart & WrapUpPart & Pick<Platform, 'db'>;

/** A campaign, or a business by its code. */
export type SettingsScope = { campaignId: number } | { businessCode: string };

interface Stored extends OwnSettings {
  version: number;
}

const COLUMNS = sql<Stored>`dispositions, wrap_up_seconds, is_required, version`;
const NOTHING: Stored = { ...NO_SETTINGS, version: 0 };

/**
 * The settings of a campaign or a business, with those that it inherits.
 *
 * Errors: NOT_FOUND
 * Source: D12.9
 */
export async function readSettings(app: WrapUpPart & { db: Sql }, scope: SettingsScope): Promise<DispositionState> {
  return readState(app, await findScope(app.db, scope));
}

/** The settings that hold for a call of a campaign; null: a call of none. */
export async function effectiveSettings(app: WrapUpPart & { db: Sql }, campaignId: number | null): Promise<DispositionSettings> {
  const server = serverSettings(app.wrapUpMs);
  if (campaignId === null) return server;
  const rows = await app.db.rows(sql<Stored>`
    select ${COLUMNS} from disposition_settings
    where campaign_id = ${campaignId} or business_code = (select business_code from campaign where id = ${campaignId})
    order by campaign_id nulls first`);
  return rows.reduce((inherited, own) => settingsOver(own, inherited), server);
}

/** How an agent is busy after a call of a campaign; null: of none. */
export async function readWrapUp(app: WrapUpPart & { db: Sql }, campaignId: number | null): Promise<WrapUpRule> {
  return wrapUpOf(await effectiveSettings(app, campaignId));
}

/**
 * Replaces the settings of a campaign or a business.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT for a required choice from an empty list; CONFLICT (CHANGED_MEANWHILE)
 * Source: D12.9
 */
export async function setSettings(
  app: SettingsApp,
  caller: Caller,
  scope: SettingsScope,
  { version, ...given }: SettingsChange,
): Promise<DispositionState> {
  const own = filledWith(NO_SETTINGS)(given);
  const { before, after } = await app.db.transaction(async tx => {
    const place = await findScope(tx, scope, sql`for no key update`);
    const before = await readState({ ...app, db: tx }, place);
    if (version !== undefined && version !== before.version) throw changedMeanwhile();
    const fault = emptyListFault(settingsOver(own, before.inherited));
    if (fault !== null) throw invalidInput([fault]);
    if (isDeepStrictEqual(own, before.own)) return { before, after: before };
    await write(tx, scope, own);
    return { before, after: await readState({ ...app, db: tx }, place) };
  });
  await auditSettings(app, caller, before, after);
  return after;
}

export const changedMeanwhile = () => conflict('CHANGED_MEANWHILE', '设置已被他人修改，请核对后重试');

interface Place {
  campaignId: number | null;
  businessCode: string;
}

/** The lock lets changes of one scope follow each other. */
async function findScope(db: Sql, scope: SettingsScope, lock: RawBuilder<unknown> = sql``): Promise<Place> {
  const place =
    'campaignId' in scope
      ? await db.first(sql<Place>`
          select id as campaign_id, business_code from campaign where id = ${scope.campaignId} and deleted_at is null ${lock}`)
      : await db.first(sql<Place>`
          select null::int as campaign_id, business_code from business where business_code = ${scope.businessCode} ${lock}`);
  if (!place) throw notFound('campaignId' in scope ? '活动' : '业务');
  return place;
}

async function readState({ db, wrapUpMs }: WrapUpPart & { db: Sql }, { campaignId, businessCode }: Place): Promise<DispositionState> {
  const ofBusiness = await readOwn(db, sql`business_code = ${businessCode}`);
  const server = serverSettings(wrapUpMs);
  const { version, ...own } = campaignId === null ? ofBusiness : await readOwn(db, sql`campaign_id = ${campaignId}`);
  const inherited = campaignId === null ? server : settingsOver(ofBusiness, server);
  return { campaignId, businessCode, own, inherited, effective: settingsOver(own, inherited), version };
}

async function readOwn(db: Sql, where: RawBuilder<unknown>): Promise<Stored> {
  return (await db.first(sql<Stored>`select ${COLUMNS} from disposition_settings where ${where}`)) ?? NOTHING;
}

async function write(tx: Sql, scope: SettingsScope, { dispositions, wrapUpSeconds, isRequired }: OwnSettings): Promise<void> {
  const [column, key] = 'campaignId' in scope ? ['campaign_id', scope.campaignId] : ['business_code', scope.businessCode];
  await tx.run(sql`
    insert into disposition_settings (${sql.ref(column)}, dispositions, wrap_up_seconds, is_required)
    values (${key}, ${dispositions === null ? null : json(dispositions)}, ${wrapUpSeconds}, ${isRequired})
    on conflict (${sql.ref(column)}) where ${sql.ref(column)} is not null do update set dispositions = excluded.dispositions,
      wrap_up_seconds = excluded.wrap_up_seconds, is_required = excluded.is_required, version = disposition_settings.version + 1`);
}

function auditSettings(app: AuditPart, caller: Caller, before: DispositionState, after: DispositionState): Promise<void> {
  const { campaignId, businessCode } = after;
  const entry = {
    action: 'disposition_settings.changed',
    targetType: campaignId === null ? 'business' : 'campaign',
    targetId: campaignId ?? businessCode,
    summary: campaignId === null ? `修改业务「${businessCode}」的通话结果与整理时间` : '修改活动的通话结果与整理时间',
  } as const;
  return auditChange(app, caller, entry, changeOf(before.own, after.own));
}
