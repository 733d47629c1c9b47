import { defineEntity, LockMode, p, serialize } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidInput, notFound } from '#kernel/errors.ts';
import { type JsonObject, storableJson } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { at, objectColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import { isFound } from '#platform/postgres/filters.ts';
import { listOf, requireRow, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import type { ScriptGraph } from '#protocol/script.ts';
import { compileRuntime } from './decisions/compile.ts';
import { scriptFault } from './decisions/script-faults.ts';
import { noteActivation } from './script-activations.ts';
import { script, type Script, type ScriptVersion } from './script.ts';
import type { Platform } from '#platform/platform.ts';

export const SCRIPT_TABLE = {
  columns: sql<ScriptVersion>`${columnsOf(script, 's')}, v.hash, v.body`,
  from: sql`script s join script_version v on v.script_id = s.id and v.version = s.current_version`,
  id: sql`s.id`,
  exists: sql`s.deleted_at is null`,
} satisfies Table<unknown>;

interface ScriptInput extends ScriptGraph {
  /** Null for a new script. */
  id: number | null;
  name: string;
  businessCode: string;
  description: string;
  isEnabled: boolean;
}

/** The publication of a draft. */
export interface Publication {
  revision: number;
  /** The reason that the user gives. */
  reason: string;
  /** False changes nothing for calls: an enabled script keeps its version in force, another one stays out of use. */
  isActivated: boolean;
}

/** Lists scripts, each with its current version. Source: OCS 4.3 */
export const scriptList = listOf(
  SCRIPT_TABLE,
  ({ q, businessCode }: { q: string; businessCode: string | null }) =>
    sql`${isFound(q, [sql`s.name`, sql`s.business_code`, sql`s.description`])}
      and ${businessCode === null ? sql`true` : sql`s.business_code = ${businessCode}`}`,
  { name: sql`s.name`, updatedAt: sql`s.updated_at` },
);

type ScriptsApp = AuditPart & Pick<Platform, 'db'>;

/**
 * Saves a new script, or the next immutable version of an existing one; the locked row keeps version numbers unique and without gaps.
 * `of` is the draft that it comes from, which is gone with it.
 *
 * Errors: INVALID_ARGUMENT naming the node; NOT_FOUND when the script to save does not exist; CONFLICT (CHANGED_MEANWHILE) when the draft
 *         is another by now
 * Source: OCS 4.3, D11
 */
export async function saveScript(app: ScriptsApp, caller: Caller, input: ScriptInput, of?: Publication): Promise<ScriptVersion> {
  const { id, name, businessCode, description, isEnabled, ...graph } = input;
  const fault = scriptFault(graph);
  if (fault) throw invalidInput([fault]);
  const fields = { name, businessCode, description, isEnabled };
  const { before, after } = await app.db.transaction(async tx => {
    const { em } = tx;
    const known = id === null ? null : await lockScript(em, id);
    const before = known && { ...serialize(known), hash: await hashOf(em, known) };
    const saved = known
      ? em.assign(known, { ...fields, currentVersion: (await newestVersion(em, known)) + 1 })
      : em.create(ScriptEntity, { ...fields, currentVersion: 1, deletedAt: null });
    await em.flush();
    const after = await writeVersion(em, saved, { graph, version: saved.currentVersion, createdBy: caller.userId });
    if (of) await takeDraft(tx, after.id, of.revision);
    await noteActivation(tx, caller, { scriptId: after.id, version: isEnabled ? after.currentVersion : null, reason: of?.reason ?? '' });
    return { before, after };
  });
  await auditSave(app, caller, before, after);
  return after;
}

/**
 * Saves the next version of an enabled script beside the one in force, which its campaigns go on with; answers the script as it stands.
 *
 * Errors: like `saveScript`
 * Source: D11
 */
export async function keepVersion(
  app: ScriptsApp,
  caller: Caller,
  { scriptId, graph, of }: { scriptId: number; graph: ScriptGraph; of: Publication },
): Promise<ScriptVersion> {
  const kept = await app.db.transaction(async tx => {
    const known = await lockScript(tx.em, scriptId);
    const version = (await newestVersion(tx.em, known)) + 1;
    const { hash } = await writeVersion(tx.em, known, { graph, version, createdBy: caller.userId });
    await takeDraft(tx, scriptId, of.revision);
    return { name: known.name, version, hash, inForce: known.currentVersion };
  });
  const { name, ...facts } = kept;
  const detail = { ...facts, ...(of.reason !== '' && { reason: of.reason }) };
  const summary = `保存话术脚本「${name}」版本 ${kept.version}，使用中的版本不变`;
  await audit(app, caller, { action: 'script.updated', targetType: 'script', targetId: scriptId, summary, detail });
  return requireRow(app, SCRIPT_TABLE, scriptId, '话术脚本');
}

/**
 * Hides a script; attempts keep the versions that they used.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.3
 */
export async function deleteScript(app: ScriptsApp, caller: Caller, scriptId: number): Promise<void> {
  const deleted = await app.db.first(sql<Script>`
    update script s set deleted_at = now() where s.id = ${scriptId} and s.deleted_at is null returning ${columnsOf(script, 's')}`);
  if (!deleted) throw notFound('话术脚本');
  await audit(app, caller, {
    action: 'script.deleted',
    targetType: 'script',
    targetId: scriptId,
    summary: `删除话术脚本「${deleted.name}」`,
    detail: { version: deleted.currentVersion, businessCode: deleted.businessCode },
  });
}

interface RuntimeScript {
  hash: string;
  runtime: JsonObject;
}

/**
 * Returns the graph that the call-flow runtime executes: the current version, or the version that an attempt is pinned to, which remains
 * after the script is deleted.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.3, D5.7, D11
 */
export async function getRuntimeScript({ db }: Pick<ScriptsApp, 'db'>, scriptId: number, version: number | null): Promise<RuntimeScript> {
  const which = version === null ? sql`v.version = s.current_version and s.deleted_at is null` : sql`v.version = ${version}`;
  const found = await db.first(sql<RuntimeScript>`
    select v.hash, v.runtime from script s join script_version v on v.script_id = s.id where s.id = ${scriptId} and ${which}`);
  if (!found) throw notFound(version === null ? '话术脚本' : `话术脚本版本 ${version} `);
  return found;
}

/** Removes the draft that a version was made of. Errors: CONFLICT (CHANGED_MEANWHILE) */
async function takeDraft(tx: Sql, scriptId: number, revision: number): Promise<void> {
  const taken = await tx.run(sql`delete from script_draft where script_id = ${scriptId} and revision = ${revision}`);
  if (taken === 0) throw conflict('CHANGED_MEANWHILE', '草稿已被他人修改，请核对后重试');
}

/** Errors: NOT_FOUND */
async function lockScript(em: EntityManager, id: number): Promise<ScriptEntity> {
  const known = await em.findOne(ScriptEntity, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (known === null) throw notFound('话术脚本');
  return known;
}

/** Differs from the current version while an older one is in force. */
async function newestVersion(em: EntityManager, { id, currentVersion }: ScriptEntity): Promise<number> {
  const newest = await em.findOne(ScriptVersionEntity, { scriptId: id }, { fields: ['version'], orderBy: { version: 'desc' } });
  return newest?.version ?? currentVersion;
}

async function hashOf(em: EntityManager, { id, currentVersion }: ScriptEntity): Promise<string> {
  const version = await em.findOne(ScriptVersionEntity, { scriptId: id, version: currentVersion }, { fields: ['hash'] });
  return version?.hash ?? '';
}

interface NewVersion {
  graph: ScriptGraph;
  version: number;
  createdBy: number | null;
}

async function writeVersion(em: EntityManager, saved: ScriptEntity, { graph, version, createdBy }: NewVersion): Promise<ScriptVersion> {
  const { id: scriptId } = saved;
  const runtime = compileRuntime({ ...graph, id: scriptId, version });
  const { hash } = runtime;
  const body = stored(graph);
  em.create(ScriptVersionEntity, { scriptId, version, hash, body, runtime: stored(runtime), createdBy });
  await em.flush();
  return { ...serialize(saved), hash, body };
}

/** Returns the value as the database returns it. */
function stored(value: object): JsonObject {
  return JSON.parse(storableJson(value));
}

/** The audit row of an edit holds the hash of each version rather than its body: both versions stay readable. */
async function auditSave(app: AuditPart, caller: Caller, before: (Script & { hash: string }) | null, after: ScriptVersion): Promise<void> {
  const { body: _body, ...saved } = after;
  const { currentVersion: version, hash, businessCode, isEnabled } = saved;
  const place = { targetType: 'script', targetId: saved.id } as const;
  const name = `话术脚本「${saved.name}」版本 ${version}`;
  if (before === null) {
    const detail = { version, hash, businessCode, isEnabled };
    await audit(app, caller, { action: 'script.created', ...place, summary: `新建${name}`, detail });
    return;
  }
  await auditChange(app, caller, { action: 'script.updated', ...place, summary: `保存${name}` }, changeOf(before, saved));
}

const scriptSchema = defineEntity({
  name: 'ScriptEntity',
  tableName: 'script',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    businessCode: p.text(),
    description: p.text(),
    isEnabled: p.boolean(),
    currentVersion: p.integer(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

const versionSchema = defineEntity({
  name: 'ScriptVersionEntity',
  tableName: 'script_version',
  properties: {
    id: p.integer().primary().autoincrement(),
    scriptId: p.integer(),
    version: p.integer(),
    hash: p.text(),
    body: objectColumn(),
    runtime: objectColumn(),
    createdBy: p.integer().strictNullable(),
    ...stampColumns(),
  },
});

export class ScriptEntity extends scriptSchema.class {}

scriptSchema.setClass(ScriptEntity);

export class ScriptVersionEntity extends versionSchema.class {}

versionSchema.setClass(ScriptVersionEntity);

/** Most versions of one script in a response, newest first. */
const MAX_LISTED = 200;

/** A saved version of a script without its body, which `readVersionBodies` reads. */
export interface WrittenVersion {
  id: number;
  scriptId: number;
  version: number;
  hash: string;
  /** Whether this is the script's current version. */
  isCurrent: boolean;
  createdBy: number | null;
  /** UTC ms. */
  createdAt: number;
}

/** Returns the newest 200 versions of each script, newest first. */
export function readVersions({ db }: { db: Sql }, scriptIds: readonly number[]): Promise<WrittenVersion[]> {
  return db.rows(sql<WrittenVersion>`
    select v.id, v.script_id, v.version, v.hash, v.version = s.current_version as is_current, v.created_by, v.created_at
    from script s cross join lateral (
      select * from script_version where script_id = s.id order by version desc limit ${MAX_LISTED}) v
    where s.id = any(${ids(scriptIds)})
    order by v.script_id, v.version desc`);
}

/** Returns the bodies of versions: nodes, variables, phrases, nlu, resultRules, entryNodeId. */
export function readVersionBodies({ db }: { db: Sql }, versionIds: readonly number[]): Promise<{ id: number; body: JsonObject }[]> {
  return db.rows(sql<{ id: number; body: JsonObject }>`select id, body from script_version where id = any(${ids(versionIds)})`);
}

/** Returns the script that campaigns of each business use: the newest enabled one. Source: D5.7 */
export function readTakenScripts({ db }: { db: Sql }, businessCodes: readonly string[]): Promise<{ businessCode: string; id: number }[]> {
  return db.rows(sql<{ businessCode: string; id: number }>`
    select distinct on (business_code) business_code, id from script
    where business_code = any(${[...businessCodes]}::text[]) and is_enabled and deleted_at is null
    order by business_code, id desc`);
}

/**
 * Makes a version of a script the current one, also an older one, and enables the script; calls in progress keep their version.
 *
 * Errors: NOT_FOUND when the script or its version does not exist
 * Source: D5.7, D11
 */
export async function activateScript(app: ScriptsApp, caller: Caller, scriptId: number, how: Activation): Promise<ScriptVersion> {
  const { version, reason } = how;
  const change = { isEnabled: true, ...(version === null ? {} : { currentVersion: version }) };
  return moveScript(app, caller, { scriptId, action: 'script.activated', verb: '启用', change, reason });
}

interface Activation {
  /** Null keeps the current version. */
  version: number | null;
  /** The reason that the user gives. */
  reason: string;
}

/**
 * Disables a script: campaigns stop using it with their next dial.
 *
 * Errors: NOT_FOUND
 */
export async function deactivateScript(app: ScriptsApp, caller: Caller, scriptId: number, reason: string): Promise<ScriptVersion> {
  return moveScript(app, caller, { scriptId, action: 'script.deactivated', verb: '停用', change: { isEnabled: false }, reason });
}

interface Move {
  scriptId: number;
  action: 'script.activated' | 'script.deactivated';
  /** The verb of the audit summary, in Chinese. */
  verb: string;
  change: { isEnabled: boolean; currentVersion?: number };
  reason: string;
}

async function moveScript(app: ScriptsApp, caller: Caller, { scriptId, action, verb, change, reason }: Move): Promise<ScriptVersion> {
  const { before, after } = await app.db.transaction(async tx => {
    const { em } = tx;
    const script = await lockScript(em, scriptId);
    const before = serialize(script);
    const { currentVersion: version = before.currentVersion } = change;
    const known = await em.findOne(ScriptVersionEntity, { scriptId, version }, { fields: ['id'] });
    if (known === null) throw notFound(`话术脚本版本 ${version} `);
    em.assign(script, change);
    await em.flush();
    await noteActivation(tx, caller, { scriptId, version: change.isEnabled ? version : null, reason });
    return { before, after: serialize(script) };
  });
  const summary = `${verb}话术脚本「${after.name}」版本 ${after.currentVersion}`;
  const entry = { action, targetType: 'script', targetId: scriptId, summary, ...(reason !== '' && { detail: { reason } }) } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  return requireRow(app, SCRIPT_TABLE, scriptId, '话术脚本');
}
