import { conflict, notFound } from '#kernel/errors.ts';
import type { LineStore } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface DeleteLineDeps extends AuditDeps {
  lines: Pick<LineStore, 'remove'>;
}

/**
 * Errors: NOT_FOUND; CONFLICT naming the campaigns that use the line
 * Source: OCS 4.4, D4.2
 */
export async function deleteLine(deps: DeleteLineDeps, caller: Caller, lineId: number): Promise<Line> {
  const removal = await deps.lines.remove(lineId);
  if (removal.kind === 'not_found') throw notFound('线路');
  if (removal.kind === 'in_use') throw conflict(`线路正被未归档的活动使用，不能删除：${campaignNames(removal.campaigns)}`);
  await audit(deps, caller, {
    action: 'line.deleted',
    targetType: 'line',
    targetId: lineId,
    summary: `删除线路「${removal.line.name}」`,
    detail: { code: removal.line.code },
  });
  return removal.line;
}

function campaignNames(campaigns: readonly { id: number; name: string }[]): string {
  return campaigns.map(({ id, name }) => `${name}（#${id}）`).join('、');
}
