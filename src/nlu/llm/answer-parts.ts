const MAX_REASON_CHARS = 200;
const UNSTATED_CONFIDENCE = 0.5;
/** Upper limit on a model's confidence, because a model is never certain. */
const MAX_CONFIDENCE = 0.95;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;

/** Returns the model's own confidence, scaled to 0..0.95. */
export function confidenceOf(answer: Record<string, unknown>): number {
  const claimed = answer['confidence'];
  if (typeof claimed !== 'number' || !Number.isFinite(claimed)) return UNSTATED_CONFIDENCE;
  return Math.max(0, Math.min(MAX_CONFIDENCE, claimed > 1 && claimed <= 100 ? claimed / 100 : claimed));
}

/** Returns the model's reason as one short line. */
export function reasonText(answer: Record<string, unknown>): string {
  const given = answer['reason'];
  const line = typeof given === 'string' ? given.toWellFormed().replace(CONTROL, ' ').trim().slice(0, MAX_REASON_CHARS).toWellFormed() : '';
  return line === '' ? '由模型判断' : `由模型判断：${line}`;
}
