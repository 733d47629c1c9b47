import { formatCount, formatDecimal, formatSeconds, formatShare } from '../../text/format.ts';
import type { CallMeasureUnit } from './reports.generated.ts';

/** Seconds below which the parts of a second matter. */
const BRIEF_S = 60;

/** A figure in words; a dash where there was nothing to measure. */
export function figureWords(value: number | null, unit: CallMeasureUnit): string {
  if (value === null) return '–';
  if (unit === 'SHARE') return formatShare(value, 1);
  if (unit === 'MONEY') return moneyWords(value);
  if (unit !== 'SECONDS') return formatCount(value);
  if (value === 0) return '0 s';
  return value < BRIEF_S ? `${formatDecimal(value)} s` : formatSeconds(value);
}

/** A call costs a fraction of a unit; of a sum nobody reads more than two digits. */
function moneyWords(value: number): string {
  return formatDecimal(value, value !== 0 && Math.abs(value) < 1 ? 4 : 2);
}

/** The same for a file: what a program reads. */
export function figureText(value: number | null, unit: CallMeasureUnit): string | number {
  if (value === null) return '';
  return unit === 'CALLS' || unit === 'TIMES' ? value : value.toFixed(unit === 'SECONDS' ? 1 : 4);
}
