import { defineEntity, type FilterQuery, LockMode, p, serialize } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import { conflict, invalidArgument, invalidInput, notFound } from '#kernel/errors.ts';
import { overlay } from '#kernel/json.ts';
import { ALLOCATION_MODES, CALLER_ID_HEADER_MODES, type Line, type LineChanges, type LineFields, NUMBER_FORMATS, line } from './line.ts';
import type { NumberRules } from './decisions/number-rules.ts';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import { numberKey } from '#phone-numbers/phone-number.ts';
import type { Platform } from '#platform/platform.ts';
import { at, jsonColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import type { Table } from '#platform/postgres/listing.ts';
import { columnsOf } from '#platform/postgres/values.ts';

const LINE_COLUMNS = sql<Line>`
  ${columnsOf(line.omit({ numbers: true }), 'l')},
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled, 'hourlyCap', n.hourly_cap, 'dailyCap', n.daily_cap, 'restingUntil', epoch_ms(n.resting_until))
     order by n.position, n.id), '[]') from line_number n where n.line_id = l.id) as numbers`;

export const LINE_TABLE = {
  columns: LINE_COLUMNS,
  from: sql`line l`,
  id: sql`l.id`,
  exists: sql`l.deleted_at is null`,
} satisfies Table<unknown>;

/** Most lines in one response; `total` shows whether there are more. */
const MAX_LISTED_LINES = 1_000;
/** Most campaigns that the message of a refused deletion names. */
const MAX_NAMED_CAMPAIGNS = 20;

type LinesApp = AuditPart & Pick<Platform, 'db' | 'wake'>;

/** Lists the lines, newest first. Source: OCS 4.4 */
export function listLines({ db }: Pick<LinesApp, 'db'>): Promise<{ rows: Line[]; total: number }> {
  return findLines(db, { deletedAt: null });
}

/** Returns the enabled lines, for calls that belong to no campaign. */
export async function enabledLines(db: Database): Promise<Line[]> {
  return (await findLines(db, { deletedAt: null, isEnabled: true })).rows;
}

async function findLines(db: Database, where: FilterQuery<LineEntity>): Promise<{ rows: Line[]; total: number }> {
  const [lines, total] = await db.read(em =>
    em.findAndCount(LineEntity, where, { populate: ['numbers'], orderBy: { id: 'desc' }, limit: MAX_LISTED_LINES }),
  );
  return { rows: lines.map(recordOf), total };
}

/**
 * Errors: INVALID_ARGUMENT; CONFLICT when the code is taken
 * Source: OCS 2.5, 4.4, D4.1
 */
export async function createLine(app: LinesApp, caller: Caller, input: LineFields): Promise<Line> {
  requireDialTemplate(input.dialStringTemplate);
  const fields = validLine(input);
  const line = await app.db.transaction(async ({ em }) => {
    const entity = em.create(LineEntity, { ...fields, numbers: [] });
    return writeLine(em, entity, fields);
  });
  await audit(app, caller, {
    action: 'line.created',
    targetType: 'line',
    targetId: line.id,
    summary: `新建线路「${line.name}」`,
    detail: { code: line.code, allocationMode: line.allocationMode, maxConcurrency: line.maxConcurrency, isEnabled: line.isEnabled },
  });
  return line;
}

/**
 * Changes any subset of the fields; `numbers` replaces the whole pool.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CONFLICT when the code is taken
 * Source: D4.2
 */
export async function updateLine(app: LinesApp, caller: Caller, lineId: number, changes: LineChanges): Promise<Line> {
  if (changes.dialStringTemplate !== undefined) requireDialTemplate(changes.dialStringTemplate);
  const { before, after } = await app.db.transaction(async ({ em }) => {
    const entity = await lockLine(em, lineId);
    const before = recordOf(entity);
    return { before, after: await writeLine(em, entity, validLine(overlay<LineFields>(before, changes))) };
  });
  const entry = { action: 'line.updated', targetType: 'line', targetId: lineId, summary: `修改线路「${after.name}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  app.wake.campaign(null);
  return after;
}

/**
 * Errors: NOT_FOUND; CONFLICT naming the campaigns that use the line
 * Source: OCS 4.4, D4.2
 */
export async function deleteLine(app: LinesApp, caller: Caller, lineId: number): Promise<Line> {
  const line = await app.db.transaction(async tx => {
    const entity = await lockLine(tx.em, lineId);
    await requireUnused(tx, lineId);
    const line = recordOf(entity);
    await tx.run(sql`update line set deleted_at = now() where id = ${lineId}`);
    return line;
  });
  const entry = { action: 'line.deleted', targetType: 'line', targetId: lineId, summary: `删除线路「${line.name}」` } as const;
  await audit(app, caller, { ...entry, detail: { code: line.code } });
  return line;
}

/** Binding a campaign to the line locks the same row: the two transactions run one after the other. */
async function lockLine(em: EntityManager, lineId: number): Promise<LineEntity> {
  const line = await em.findOne(LineEntity, { id: lineId, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (line === null) throw notFound('线路');
  await line.numbers.load();
  return line;
}

async function writeLine(em: EntityManager, line: LineEntity, { numbers, ...columns }: LineFields): Promise<Line> {
  em.assign(line, columns);
  // A number that stays keeps its row and thereby its place in the rotation.
  const rows = new Map(line.numbers.getItems().map(row => [row.number, row]));
  const kept = numbers.map((number, position) => {
    const row = rows.get(number.number);
    return row ? em.assign(row, { ...number, position }) : em.create(LineNumberEntity, { restingUntil: null, ...number, line, position });
  });
  line.numbers.set(kept);
  const taken = () => conflict('LINE_CODE_TAKEN', `线路编码 ${columns.code} 已存在`, 'code');
  await unlessTaken('line_code', taken, () => em.flush());
  return recordOf(line);
}

function recordOf(line: LineEntity): Line {
  return serialize(line, { populate: ['numbers'] });
}

async function requireUnused(tx: Sql, lineId: number): Promise<void> {
  const campaigns = await tx.rows(sql<{ id: number; name: string }>`
    select c.id, c.name from campaign_line cl join campaign c on c.id = cl.campaign_id
    where cl.line_id = ${lineId} and c.deleted_at is null and c.status <> 'archived' order by c.id limit ${MAX_NAMED_CAMPAIGNS}`);
  const names = campaigns.map(({ id, name }) => `${name}（#${id}）`).join('、');
  if (campaigns.length > 0) throw conflict('LINE_IN_USE', `线路正被未归档的活动使用，不能删除：${names}`);
}

/**
 * Validates a whole line and returns it as it is stored.
 *
 * Errors: INVALID_ARGUMENT when a pool has no number, or lists a number twice
 * Source: D4.1
 */
function validLine(fields: LineFields): LineFields {
  requireUnique(fields.numbers);
  if (fields.allocationMode === 'single_shared') return fields;
  if (fields.numbers.length === 0) throw invalidArgument('numbers', 'numbersOfMode', { mode: fields.allocationMode });
  // A bound number carries one call at a time. Source: OCS 2.5, D4.1
  return fields.allocationMode === 'bound_numbers'
    ? { ...fields, numbers: fields.numbers.map(number => ({ ...number, maxConcurrency: 1 })) }
    : fields;
}

/**
 * Errors: INVALID_ARGUMENT naming the part of the dial string that is not allowed
 * Source: D4.1
 */
function requireDialTemplate(template: string): void {
  const read = readDialTemplate(template);
  if (read.kind === 'refused') throw invalidInput([{ field: 'dialStringTemplate', problem: read.fault }]);
}

function requireUnique(numbers: LineFields['numbers']): void {
  const firstAt = new Map<string, number>();
  for (const [index, { number }] of numbers.entries()) {
    const key = numberKey(number);
    const first = firstAt.get(key);
    if (first !== undefined) throw invalidArgument(`numbers[${index}].number`, 'repeats', { other: `numbers[${first}].number` });
    firstAt.set(key, index);
  }
}

const numberSchema = defineEntity({
  name: 'LineNumberEntity',
  tableName: 'line_number',
  properties: {
    id: p.integer().primary().autoincrement(),
    line: () => p.manyToOne(LineEntity).hidden(),
    number: p.text(),
    weight: p.integer(),
    maxConcurrency: p.integer(),
    isEnabled: p.boolean(),
    hourlyCap: p.integer().strictNullable(),
    dailyCap: p.integer().strictNullable(),
    restingUntil: at().strictNullable(),
    position: p.integer().hidden(),
  },
});

const lineSchema = defineEntity({
  name: 'LineEntity',
  tableName: 'line',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    code: p.text(),
    dialStringTemplate: p.text(),
    callerIdNumber: p.text().strictNullable(),
    callerIdName: p.text().strictNullable(),
    maxConcurrency: p.integer(),
    allocationMode: p.enum(ALLOCATION_MODES),
    callerIdHeaderMode: p.enum(CALLER_ID_HEADER_MODES),
    numberFormat: p.enum(NUMBER_FORMATS),
    localPrefixes: p.text(),
    numberRules: jsonColumn<NumberRules>(),
    isEnabled: p.boolean(),
    description: p.text(),
    numbers: () => p.oneToMany(LineNumberEntity).mappedBy('line').orphanRemoval().orderBy({ position: 'asc', id: 'asc' }),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

export class LineNumberEntity extends numberSchema.class {}

numberSchema.setClass(LineNumberEntity);

export class LineEntity extends lineSchema.class {}

lineSchema.setClass(LineEntity);
