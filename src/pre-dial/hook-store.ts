import { sql } from 'kysely';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { SealPart } from '#access/seal.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import type { OutsideRules } from '#platform/outside/guarded-lookup.ts';
import { isOutsideUrl } from '#platform/outside/outside-http.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { columnsOf, json } from '#platform/postgres/values.ts';
import { releaseHolds } from '#policies/holds.ts';
import { newSigningSecret } from '#access/tokens.ts';
import { preDialHook, type PreDialHook, type PreDialHookInput } from './pre-dial.ts';

type HookApp = AuditPart & { webhookSeal: SealPart['seal']; outsideRules: OutsideRules } & Pick<Platform, 'db' | 'wake'>;

/** Null: the campaign asks nobody. Errors: NOT_FOUND */
export async function readPreDialHook(app: Pick<Platform, 'db'>, campaignId: number): Promise<PreDialHook | null> {
  await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  return findHook(app.db, campaignId);
}

async function findHook(db: Pick<Sql, 'first'>, campaignId: number): Promise<PreDialHook | null> {
  const found = await db.first(
    sql<PreDialHook>`select ${columnsOf(preDialHook, 'h')} from pre_dial_hook h where h.campaign_id = ${campaignId}`,
  );
  return found ?? null;
}

/** A hook with its secret, sealed. */
export interface SealedHook extends PreDialHook {
  secret: string;
}

/** The secret of a hook; null when the configured key is not the one that it was sealed with, or there is none. */
export function readableSecret({ webhookSeal }: Pick<HookApp, 'webhookSeal'>, { secret }: SealedHook): string | null {
  try {
    return webhookSeal.open(secret);
  } catch (error) {
    if (isCalloutError(error, 'CONFLICT')) return null;
    throw error;
  }
}

export async function findSealedHook(db: Pick<Sql, 'first'>, campaignId: number): Promise<SealedHook | null> {
  const found = await db.first(sql<SealedHook>`
    select ${columnsOf(preDialHook, 'h')}, h.secret from pre_dial_hook h where h.campaign_id = ${campaignId}`);
  return found ?? null;
}

export interface HookWithSecret {
  hook: PreDialHook;
  /** Returned only when it has just been created or renewed; otherwise null. */
  secret: string | null;
}

/**
 * Sets the pre-dial hook of a campaign. Contacts on hold because of the hook are released, so that the new settings decide. It gets a new secret
 * when it is new, when the caller asks for one, and when the present one cannot be read.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming `url`; CONFLICT (SECRET_KEY_MISSING)
 * Source: D15.7
 */
export async function setPreDialHook(app: HookApp, caller: Caller, campaignId: number, input: PreDialHookInput): Promise<HookWithSecret> {
  if (!isOutsideUrl(input.url, app.outsideRules)) throw invalidArgument('url', 'publicUrl');
  const { name } = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const fresh = newSigningSecret();
  const sealed = app.webhookSeal.close(fresh);
  const { before, after, isFresh } = await app.db.transaction(async tx => {
    const before = await findSealedHook(tx, campaignId);
    const isFresh = before === null || input.renewSecret || readableSecret(app, before) === null;
    await tx.run(sql`
      insert into pre_dial_hook as h (campaign_id, url, secret, on_failure, cache_seconds)
      values (${campaignId}, ${input.url}, ${sealed}, ${input.onFailure}, ${input.cacheSeconds})
      on conflict (campaign_id) do update set url = excluded.url, on_failure = excluded.on_failure, cache_seconds = excluded.cache_seconds,
        secret = case when ${isFresh} then excluded.secret else h.secret end, updated_at = now()`);
    await askAnew(tx, campaignId);
    return { before, after: await findHook(tx, campaignId), isFresh };
  });
  if (after === null) throw notFound('活动');
  const entry = { action: 'pre_dial_hook.changed', targetType: 'campaign', targetId: campaignId } as const;
  await auditChange(app, caller, { ...entry, summary: `修改活动「${name}」的拨前询问` }, changeOf(edited(before), edited(after)));
  app.wake.campaign(campaignId);
  return { hook: after, secret: isFresh ? fresh : null };
}

/** Errors: NOT_FOUND also where the campaign has none */
export async function removePreDialHook(app: HookApp, caller: Caller, campaignId: number): Promise<PreDialHook> {
  const { name } = await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const removed = await app.db.transaction(async tx => {
    const before = await findHook(tx, campaignId);
    if (before === null) throw notFound('拨前询问');
    await tx.run(sql`delete from pre_dial_hook where campaign_id = ${campaignId}`);
    await askAnew(tx, campaignId);
    return before;
  });
  const entry = { action: 'pre_dial_hook.removed', targetType: 'campaign', targetId: campaignId } as const;
  await audit(app, caller, { ...entry, summary: `移除活动「${name}」的拨前询问`, detail: { url: hostOf(removed.url) } });
  app.wake.campaign(campaignId);
  return removed;
}

/** A claim that was planned before is refused as outdated, because the campaign has another version. */
async function askAnew(tx: Sql, campaignId: number): Promise<void> {
  await tx.run(sql`update campaign set updated_at = greatest(now(), updated_at + interval '1 millisecond') where id = ${campaignId}`);
  await releaseHolds(tx, { reasons: ['pre_dial_hook'], campaignId });
}

function edited(hook: PreDialHook | null): object {
  return hook === null ? {} : { url: hostOf(hook.url), onFailure: hook.onFailure, cacheSeconds: hook.cacheSeconds };
}

/** An address may have a key in its path. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** A contact as the request to the hook describes it. */
export interface PreDialContact {
  contactId: number;
  externalId: string;
  phoneNumber: string;
  customerName: string;
  attemptCount: number;
  metadata: object;
}

export function readPreDialContacts(db: Pick<Sql, 'rows'>, contactIds: readonly number[]): Promise<PreDialContact[]> {
  return db.rows(sql<PreDialContact>`
    select k.id as contact_id, k.external_id, k.phone_number, k.customer_name, k.attempt_count, k.metadata
    from contact k where k.id = any(${[...contactIds]}::bigint[]) and k.deleted_at is null`);
}

/** Keeps why contacts wait, for those who ask. */
export async function keepReasons(db: Pick<Sql, 'run'>, reasons: readonly { contactId: number; reason: string }[]): Promise<void> {
  if (reasons.length === 0) return;
  await db.run(sql`
    insert into pre_dial_answer (contact_id, reason)
    select r."contactId", r.reason from jsonb_to_recordset(${json(reasons)}) as r("contactId" bigint, reason text)
    where exists (select from contact k where k.id = r."contactId") order by r."contactId"
    on conflict (contact_id) do update set reason = excluded.reason, answered_at = now()`);
}

/** The latest reason that the hook gave for holding a contact back; null when it gave none. */
export async function readHookReason(db: Pick<Sql, 'first'>, contactId: number): Promise<string | null> {
  const row = await db.first(sql<{ reason: string }>`select reason from pre_dial_answer where contact_id = ${contactId} and reason <> ''`);
  return row?.reason ?? null;
}
