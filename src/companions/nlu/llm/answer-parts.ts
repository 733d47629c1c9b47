const MAX_REASON_CHARS = 200;
const UNSTATED_CONFIDENCE = 0.5;
/** A model is never believed to be certain. */
const MAX_CONFIDENCE = 0.95;
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;

/** The model's own confidence, brought into 0..0.95. */
export function confidenceOf(answer: Record<string, unknown>): number {
  const claimed = answer['confidence'];
  if (typeof claimed !== 'number' || !Number.isFinite(claimed)) return UNSTATED_CONFIDENCE;
  return Math.max(0, Math.min(MAX_CONFIDENCE, claimed > 1 && claimed <= 100 ? claimed / 100 : claimed));
}

/** The model's reason as one short line. */
export function reasonText(answer: Record<string, unknown>): string {
  const given = answer['reason'];
  const line = typeof given === 'string' ? given.toWellFormed().replace(CONTROL, ' ').trim().slice(0, MAX_REASON_CHARS).toWellFormed() : '';
  return line === '' ? '由模型判断' : `由模型判断：${line}`;
}
