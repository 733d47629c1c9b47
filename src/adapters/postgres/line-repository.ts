import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { LineFields, LineNumberFields, LineRemoval, LineStore, LineUpdate } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';
import type { Database, Sql } from './database.ts';
import { LineEntity } from './entities/line-entity.ts';
import { LineNumberEntity } from './entities/line-number-entity.ts';
import { isUniqueViolation } from './failures.ts';

/** Campaigns that a refused deletion names. */
const MAX_NAMED_CAMPAIGNS = 20;

export function lineRepository(db: Database): LineStore {
  return {
    list: limit => db.guard(() => listLines(db.em, limit)),
    create: fields => unlessCodeTaken(() => db.transaction(tx => createLine(tx, fields))),
    update: (lineId, change) => unlessCodeTaken(() => db.transaction(tx => updateLine(tx, lineId, change))),
    remove: lineId => db.transaction(tx => removeLine(tx, lineId)),
  };
}

async function listLines(em: EntityManager, limit: number): Promise<{ rows: Line[]; total: number }> {
  const [lines, total] = await em.findAndCount(LineEntity, { deletedAt: null }, { orderBy: { id: 'desc' }, limit });
  const numbers = Map.groupBy(
    await readNumbers(
      em,
      lines.map(({ id }) => id),
    ),
    ({ lineId }) => lineId,
  );
  return { rows: lines.map(line => record(line, numbers.get(line.id) ?? [])), total };
}

function readNumbers(em: EntityManager, lineIds: readonly number[]): Promise<LineNumberEntity[]> {
  return em.find(LineNumberEntity, { lineId: { $in: [...lineIds] } }, { orderBy: { position: 'asc', id: 'asc' } });
}

async function createLine(tx: Sql, fields: LineFields): Promise<Line> {
  const { numbers, ...columns } = fields;
  const line = tx.em.create(LineEntity, columns);
  await tx.em.flush();
  return record(line, await replaceNumbers(tx.em, line.id, numbers));
}

async function updateLine(tx: Sql, lineId: number, change: (current: Line) => LineFields): Promise<LineUpdate | null> {
  const locked = await lockLine(tx, lineId);
  if (locked === null) return null;
  const { entity, line: before } = locked;
  const { numbers, ...columns } = change(before);
  tx.em.assign(entity, columns);
  await tx.em.flush();
  return { before, after: record(entity, await replaceNumbers(tx.em, lineId, numbers)) };
}

/** A campaign that is being bound to the line waits for this transaction, or this one for it. */
async function removeLine(tx: Sql, lineId: number): Promise<LineRemoval> {
  const locked = await lockLine(tx, lineId);
  if (locked === null) return { kind: 'not_found' };
  const campaigns = await tx.rows(sql<{ id: number; name: string }>`
    select c.id, c.name from campaign_line cl join campaign c on c.id = cl.campaign_id
    where cl.line_id = ${lineId} and c.deleted_at is null and c.status <> 'archived' order by c.id limit ${MAX_NAMED_CAMPAIGNS}`);
  if (campaigns.length > 0) return { kind: 'in_use', campaigns };
  await tx.run(sql`update line set deleted_at = now() where id = ${lineId}`);
  return { kind: 'removed', line: locked.line };
}

async function lockLine(tx: Sql, lineId: number): Promise<{ entity: LineEntity; line: Line } | null> {
  await tx.first(sql`select id from line where id = ${lineId} for update`);
  const entity = await tx.em.findOne(LineEntity, { id: lineId, deletedAt: null });
  return entity && { entity, line: record(entity, await readNumbers(tx.em, [lineId])) };
}

/** A number that stays keeps its row, so that its rotation goes on. */
async function replaceNumbers(em: EntityManager, lineId: number, numbers: readonly LineNumberFields[]): Promise<LineNumberEntity[]> {
  const existing = new Map((await readNumbers(em, [lineId])).map(row => [row.number, row]));
  const kept = numbers.map((fields, position) => {
    const row = existing.get(fields.number);
    existing.delete(fields.number);
    return row ? em.assign(row, { ...fields, position }) : em.create(LineNumberEntity, { ...fields, lineId, position });
  });
  for (const row of existing.values()) em.remove(row);
  await em.flush();
  return kept;
}

async function unlessCodeTaken<T>(work: () => Promise<T>): Promise<T | 'code_taken'> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'line_code')) return 'code_taken';
    throw error;
  }
}

function record(line: LineEntity, numbers: readonly LineNumberEntity[]): Line {
  return {
    id: line.id,
    name: line.name,
    code: line.code,
    dialStringTemplate: line.dialStringTemplate,
    callerIdNumber: line.callerIdNumber ?? null,
    callerIdName: line.callerIdName ?? null,
    maxConcurrency: line.maxConcurrency,
    allocationMode: line.allocationMode,
    callerIdHeaderMode: line.callerIdHeaderMode,
    isEnabled: line.isEnabled,
    description: line.description,
    numbers: numbers.map(({ id, number, weight, maxConcurrency, isEnabled }) => ({ id, number, weight, maxConcurrency, isEnabled })),
    createdAt: line.createdAt,
    updatedAt: line.updatedAt,
  };
}
