/**
 * Bounds of the NLU interface.
 *
 * Units:  text in Unicode characters, body in bytes
 * Source: D13.4
 */
export const NLU_LIMITS = {
  maxTextChars: 4_000,
  maxItems: 64,
  maxBodyBytes: 256 * 1024,
} as const;
