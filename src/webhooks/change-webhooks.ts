import { sql } from 'kysely';
import { audit, auditChange, type AuditPart, changeOf, masked } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { isMailServer } from '#platform/outside/mail.ts';
import { isOutsideUrl } from '#platform/outside/outside-http.ts';
import { overlay } from '#kernel/json.ts';
import type { OutsideRules } from '#platform/outside/guarded-lookup.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant, texts } from '#platform/postgres/values.ts';
import { ROTATION_MS } from './decisions/delivery-plan.ts';
import { newSigningSecret } from '#access/tokens.ts';
import type { WebhooksPart } from './deliver.ts';
import { getWebhook, MAX_ENDPOINTS } from './endpoint-store.ts';
import type { NewWebhook, Webhook, WebhookChanges } from './webhook.ts';

export type ChangeApp = AuditPart & Pick<WebhooksPart, 'webhookSeal'> & { outsideRules: OutsideRules } & Pick<Platform, 'db' | 'clock'>;

/** An endpoint with the secret that was made for it: shown this once. */
export interface WebhookWithSecret {
  webhook: Webhook;
  /** Null for robots and mailboxes, whose secret is their own. */
  secret: string | null;
}

/**
 * Makes an endpoint. A program gets a secret by which it knows our messages.
 *
 * Errors: INVALID_ARGUMENT naming the field, `name` where there are too many; CONFLICT (SECRET_KEY_MISSING)
 * Source: D15.1
 */
export async function createWebhook(app: ChangeApp, caller: Caller, input: NewWebhook): Promise<WebhookWithSecret> {
  requireAddress(app.outsideRules, input);
  const secret = input.kind === 'webhook' ? newSigningSecret() : null;
  const given = secret ?? input.secret;
  const sealed = given === '' ? '' : app.webhookSeal.close(given);
  const made = await app.db.transaction(async tx => getWebhook(tx, await insertEndpoint(tx, { ...input, secret: sealed }, caller.userId)));
  const { name, kind, types } = made;
  const entry = { action: 'webhook.created', targetType: 'webhook', targetId: made.id, summary: `新建推送端点「${name}」` } as const;
  await audit(app, caller, { ...entry, detail: { kind, types, secret: masked(made.hasSecret) } });
  return { webhook: made, secret };
}

async function insertEndpoint(tx: Sql, input: NewWebhook, createdBy: number | null): Promise<number> {
  const { name, kind, url, recipients, sender, username, types, campaignIds, minLevel, secret } = input;
  const row = await tx.first(sql<{ id: number }>`
    insert into webhook_endpoint (name, kind, url, recipients, sender, username, types, campaign_ids, min_level, secret, created_by)
    select ${name}, ${kind}, ${url}, ${texts(recipients)}, ${sender}, ${username}, ${texts(types)}, ${campaignIds}::int[], ${minLevel},
      ${secret}, ${createdBy}::int
    where (select count(*) from webhook_endpoint) < ${MAX_ENDPOINTS} returning id`);
  if (row === undefined) throw invalidArgument('name', 'piecesAtMost', { max: MAX_ENDPOINTS });
  return row.id;
}

/**
 * Changes, pauses or enables an endpoint again; enabled again it is tried at once, and its failures are forgotten.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming the field
 * Source: D15.1
 */
export async function updateWebhook(app: ChangeApp, caller: Caller, id: number, changes: WebhookChanges): Promise<Webhook> {
  const { before, after } = await app.db.transaction(async tx => {
    await tx.rows(sql`select from webhook_endpoint where id = ${id} for update`);
    const before = await getWebhook(tx, id);
    requireAddress(app.outsideRules, overlay<Address>(before, changes));
    await writeChanges(tx, id, { ...changes, secret: sealedSecret(app, before, changes) });
    return { before, after: await getWebhook(tx, id) };
  });
  const entry = { action: 'webhook.updated', targetType: 'webhook', targetId: id, summary: `修改推送端点「${after.name}」` } as const;
  const secret = changes.secret === undefined ? {} : { secret: masked(after.hasSecret, true) };
  await auditChange(app, caller, { ...entry, detail: secret }, changeOf(edited(before), { ...edited(after), ...secret }));
  return after;
}

/** Undefined: it stays. The secret of a program is renewed by `rotateWebhookSecret` alone. */
function sealedSecret({ webhookSeal }: ChangeApp, { kind }: Webhook, { secret }: WebhookChanges): string | undefined {
  if (secret === undefined || kind === 'webhook') return undefined;
  return secret === '' ? '' : webhookSeal.close(secret);
}

async function writeChanges(tx: Sql, id: number, changes: WebhookChanges): Promise<void> {
  const { name, url, recipients, sender, username, types, campaignIds, minLevel, secret, status } = changes;
  const set = [
    name !== undefined && sql`name = ${name}`,
    url !== undefined && sql`url = ${url}`,
    recipients && sql`recipients = ${texts(recipients)}`,
    sender !== undefined && sql`sender = ${sender}`,
    username !== undefined && sql`username = ${username}`,
    types && sql`types = ${texts(types)}`,
    campaignIds !== undefined && sql`campaign_ids = ${campaignIds}::int[]`,
    minLevel && sql`min_level = ${minLevel}`,
    secret !== undefined && sql`secret = ${secret}`,
    status && sql`status = ${status}, disabled_reason = null`,
    // The change may have fixed the cause of the failures, so the endpoint starts again without a record of them.
    sql`failing_since = null, failures = 0, rest_until = null, updated_at = now()`,
  ].filter(part => part !== false && part !== undefined);
  await tx.run(sql`update webhook_endpoint set ${sql.join(set)} where id = ${id}`);
  await tx.run(sql`update webhook_delivery set due_at = now() where endpoint_id = ${id} and state = 'waiting' and due_at > now()`);
}

/** Errors: NOT_FOUND */
export async function deleteWebhook(app: ChangeApp, caller: Caller, id: number): Promise<Webhook> {
  const deleted = await app.db.transaction(async tx => {
    const before = await getWebhook(tx, id);
    await tx.run(sql`delete from webhook_endpoint where id = ${id}`);
    await tx.run(sql`delete from webhook_delivery where endpoint_id = ${id}`);
    return before;
  });
  const summary = `删除推送端点「${deleted.name}」`;
  await audit(app, caller, {
    action: 'webhook.deleted',
    targetType: 'webhook',
    targetId: id,
    summary,
    detail: { url: hostOf(deleted.url) },
  });
  return deleted;
}

/**
 * Makes a new secret for a program; the old one signs beside it for 24 h, so that its receiver need not change at the same moment.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming `kind` for robots and mailboxes
 * Source: D15.4
 */
export async function rotateWebhookSecret(app: ChangeApp, caller: Caller, id: number): Promise<WebhookWithSecret> {
  const secret = newSigningSecret();
  const sealed = app.webhookSeal.close(secret);
  const rotated = await app.db.transaction(async tx => {
    const before = await getWebhook(tx, id);
    if (before.kind !== 'webhook') throw invalidArgument('kind', 'invalidChoice');
    await tx.run(sql`
      update webhook_endpoint set previous_secret = secret, previous_until = ${instant(app.clock.now() + ROTATION_MS)}, secret = ${sealed},
        updated_at = now() where id = ${id}`);
    return getWebhook(tx, id);
  });
  const summary = `更换推送端点「${rotated.name}」的密钥`;
  await audit(app, caller, { action: 'webhook.secret_rotated', targetType: 'webhook', targetId: id, summary });
  return { webhook: rotated, secret };
}

/** Robots keep their key in the address: an audit row names the host alone. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

type Address = Pick<NewWebhook, 'kind' | 'url' | 'recipients' | 'sender'>;

function requireAddress(rules: OutsideRules, { kind, url, recipients, sender }: Address): void {
  if (kind !== 'email') {
    if (!isOutsideUrl(url, rules)) throw invalidArgument('url', 'publicUrl');
    return;
  }
  if (!isMailServer(url)) throw invalidArgument('url', 'mailServer');
  if (recipients.length === 0) throw invalidArgument('recipients', 'empty');
  if (sender === '') throw invalidArgument('sender', 'empty');
}

/** The editable members of an endpoint, as an audit row shows them. */
function edited({ name, url, recipients, sender, username, types, campaignIds, minLevel, status }: Webhook) {
  return { name, url: hostOf(url), recipients, sender, username, types, campaignIds, minLevel, status };
}
