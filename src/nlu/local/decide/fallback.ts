/** Keys by which a caller marks the fallback branch. Source: D13.2 */
const FALLBACK_KEYS = new Set(['default', 'other', 'unknown', 'fallback']);

/** Descriptions that mean the same. */
const FALLBACK_DESC =
  /^(?:其[他它余]|别的|默认|兜底|以上都不|都不(?:是|符合|满足)|无法(?:识别|判断|理解)|没有?有效|没有?匹配|未识别|未匹配|不属于|other|else|default|none of)|(?:以上都不|无法(?:识别|判断)|兜底|没有有效)|^听不懂(?:客户|用户|对方)/;

/** Whether the caller marked this key as the fallback branch [D13.2]. */
export function isMarkedFallback(key: string): boolean {
  return FALLBACK_KEYS.has(key.trim().toLowerCase());
}

/** Whether key or description denotes the fallback branch. */
export function isFallbackBranch(key: string, plainDesc: string): boolean {
  return isMarkedFallback(key) || FALLBACK_DESC.test(plainDesc);
}
