import { Culture, recognizeDateTime, recognizeNumber, recognizePhoneNumber } from '@microsoft/recognizers-text-suite';
import type { FieldDefinition } from '#protocol/nlu.ts';

/** Microsoft's recognizers on the same utterance: the first value of the field's kind, or null. */
export function recognizersValue(text: string, { type }: FieldDefinition, now: Date): unknown {
  if (type === 'number') return Number(resolution(recognizeNumber(text, Culture.Chinese))?.['value'] ?? Number.NaN);
  if (type === 'phone') return resolution(recognizePhoneNumber(text, Culture.Chinese))?.['value'] ?? null;
  const found: unknown = resolution(recognizeDateTime(text, Culture.Chinese, undefined, now))?.['values'];
  const last: unknown = Array.isArray(found) ? found.at(-1) : undefined;
  return typeof last === 'object' && last !== null && 'value' in last ? last.value : null;
}

function resolution(results: readonly { resolution: unknown }[]): Record<string, unknown> | undefined {
  const first = results[0]?.resolution;
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : undefined;
}
