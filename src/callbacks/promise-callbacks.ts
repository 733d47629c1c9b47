import { audit, type AuditPart } from '#audit/audit.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidArgument, invalidInput, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { type Callback, callbackFault, type CallbackPromise, type CallbackSource } from './callback.ts';
import * as store from './callback-store.ts';
import { sql } from 'kysely';

export type CallbacksApp = AuditPart & Pick<Platform, 'db' | 'wake' | 'clock'>;

/**
 * Promises a contact a call; a promise that it has already is replaced.
 *
 * Errors: INVALID_ARGUMENT for an instant that has passed, or at which the campaign has ended; NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: D7.12
 */
export async function promiseCallback(
  app: CallbacksApp,
  caller: Caller,
  target: { campaignId: number; contactId: number },
  promise: CallbackPromise,
  source: Extract<CallbackSource, 'console' | 'agent'> = 'console',
): Promise<Callback> {
  const made = { ...target, ...promise, source, createdBy: caller.userId };
  const promised = await app.db.transaction(tx => promiseWithin({ tx, clock: app.clock }, made));
  await tellPromise(app, caller, promised);
  return promised;
}

/**
 * The part of `promiseCallback` that belongs to a transaction; `tellPromise` follows it.
 *
 * Errors: those of `promiseCallback`
 */
export async function promiseWithin(
  { tx, clock }: { tx: Sql } & Pick<Platform, 'clock'>,
  promise: Parameters<typeof store.promiseCallback>[1],
): Promise<Callback> {
  const fault = callbackFault(promise, clock.now());
  if (fault !== null) throw invalidInput([fault]);
  requireKeepable(await requireOpenCampaign(tx, promise.campaignId), promise);
  return store.promiseCallback(tx, promise);
}

/** Audits a promise and lets its campaign look at it, once the transaction has committed. */
export async function tellPromise(app: AuditPart & Pick<Platform, 'wake'>, caller: Caller, promised: Callback): Promise<void> {
  const { id: callbackId, campaignId, contactId, dueAt, until, agentId } = promised;
  await audit(app, caller, {
    action: 'callback.promised',
    targetType: 'contact',
    targetId: contactId,
    summary: '约定回访',
    detail: { campaignId, callbackId, dueAt, until, agentId },
  });
  app.wake.campaign(campaignId);
}

async function requireOpenCampaign(tx: Sql, campaignId: number): Promise<Pick<Campaign, 'scheduledEndAt'>> {
  const campaign = await tx.first(sql<Pick<Campaign, 'status' | 'scheduledEndAt'>>`
    select status, scheduled_end_at from campaign where id = ${campaignId} and deleted_at is null for key share`);
  if (!campaign) throw notFound('活动');
  requireNotArchived(campaign);
  return campaign;
}

/** A campaign dials nothing from its end on. */
function requireKeepable({ scheduledEndAt }: Pick<Campaign, 'scheduledEndAt'>, { dueAt }: CallbackPromise): void {
  if (scheduledEndAt !== null && dueAt >= scheduledEndAt) throw invalidArgument('dueAt', 'afterCampaignEnd');
}

/**
 * Errors: NOT_FOUND; CONFLICT when it has been kept, given up or cancelled
 * Source: D7.12
 */
export async function cancelCallback(app: CallbacksApp, caller: Caller, callbackId: number): Promise<Callback> {
  const cancelled = await app.db.transaction(async tx => {
    const row = await store.cancelCallback(tx, callbackId);
    if (row !== null) return row;
    const known = await tx.first(sql`select id from callback where id = ${callbackId}`);
    throw known ? conflict('CALLBACK_OVER', '回访已经结束') : notFound('回访');
  });
  await audit(app, caller, {
    action: 'callback.cancelled',
    targetType: 'contact',
    targetId: cancelled.contactId,
    summary: '取消回访',
    detail: { campaignId: cancelled.campaignId, callbackId },
  });
  app.wake.campaign(cancelled.campaignId);
  return cancelled;
}
