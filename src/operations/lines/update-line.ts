import { notFound } from '#kernel/errors.ts';
import { type Changes, overlay } from '#kernel/overlay.ts';
import type { LineFields, LineStore } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';
import type { Wake } from '#ports/wake.ts';
import { type AuditDeps, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';
import { codeTaken, requireDialTemplate, validLine } from './line-input.ts';

export interface UpdateLineDeps extends AuditDeps {
  lines: Pick<LineStore, 'update'>;
  wake: Wake;
}

/**
 * Takes any subset; `numbers` replaces the pool.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT; CONFLICT when the code is taken
 * Source: D4.2
 */
export async function updateLine(deps: UpdateLineDeps, caller: Caller, lineId: number, changes: Changes<LineFields>): Promise<Line> {
  if (changes.dialStringTemplate !== undefined) requireDialTemplate(changes.dialStringTemplate);
  const update = await deps.lines.update(lineId, current => validLine(overlay<LineFields>(fieldsOf(current), changes)));
  if (update === null) throw notFound('线路');
  if (update === 'code_taken') throw codeTaken(changes.code ?? '');
  const { before, after } = update;
  const entry = { action: 'line.updated', targetType: 'line', targetId: lineId, summary: `修改线路「${after.name}」` } as const;
  await auditChange(deps, caller, entry, changeOf(before, after));
  deps.wake.campaign(null);
  return after;
}

function fieldsOf({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields }: Line): LineFields {
  return fields;
}
