import type { LineFields, LineStore } from '#ports/line-store.ts';
import type { Line } from '#ports/records.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { codeTaken, LINE_DEFAULTS, requireDialTemplate, validLine } from './line-input.ts';

export interface CreateLineDeps extends AuditDeps {
  lines: Pick<LineStore, 'create'>;
}

type Defaulted = keyof typeof LINE_DEFAULTS;
/** Absent members take their default. */
export type NewLine = Omit<LineFields, Defaulted> & { [K in Defaulted]?: LineFields[K] | undefined };

/**
 * Errors: INVALID_ARGUMENT; CONFLICT when the code is taken
 * Source: OCS 2.5, 4.4, D4.1
 */
export async function createLine(deps: CreateLineDeps, caller: Caller, input: NewLine): Promise<Line> {
  requireDialTemplate(input.dialStringTemplate);
  const line = await deps.lines.create(validLine(withDefaults(input)));
  if (line === 'code_taken') throw codeTaken(input.code);
  await audit(deps, caller, {
    action: 'line.created',
    targetType: 'line',
    targetId: line.id,
    summary: `新建线路「${line.name}」`,
    detail: { code: line.code, allocationMode: line.allocationMode, maxConcurrency: line.maxConcurrency, isEnabled: line.isEnabled },
  });
  return line;
}

function withDefaults(input: NewLine): LineFields {
  return {
    name: input.name,
    code: input.code,
    dialStringTemplate: input.dialStringTemplate,
    maxConcurrency: input.maxConcurrency,
    allocationMode: input.allocationMode,
    callerIdNumber: input.callerIdNumber ?? LINE_DEFAULTS.callerIdNumber,
    callerIdName: input.callerIdName ?? LINE_DEFAULTS.callerIdName,
    callerIdHeaderMode: input.callerIdHeaderMode ?? LINE_DEFAULTS.callerIdHeaderMode,
    isEnabled: input.isEnabled ?? LINE_DEFAULTS.isEnabled,
    description: input.description ?? LINE_DEFAULTS.description,
    numbers: input.numbers ?? LINE_DEFAULTS.numbers,
  };
}
