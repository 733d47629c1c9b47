import type { LineRow } from '#contract/rest/lines.ts';
import type { Line } from '#ports/records.ts';
import { presentFlag } from './flag.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.5 */
export function presentLine({ numbers, ...line }: Line): LineRow {
  return {
    id: line.id,
    name: line.name,
    code: line.code,
    dialStringTemplate: line.dialStringTemplate,
    callerIdNumber: line.callerIdNumber,
    callerIdName: line.callerIdName,
    maxConcurrency: line.maxConcurrency,
    allocationMode: line.allocationMode,
    callerIdHeaderMode: line.callerIdHeaderMode,
    isEnabled: presentFlag(line.isEnabled),
    description: line.description,
    numbers: numbers.map(number => ({ ...number, isEnabled: presentFlag(number.isEnabled) })),
    createdAt: presentInstant(line.createdAt),
    updatedAt: presentInstant(line.updatedAt),
  };
}
