/** Opens when at least half of at least 20 dials within 120 s have failed. */
export const BREAKER_DEFAULTS = {
  minimumDials: 20,
  failureShare: 0.5,
  windowMs: 120_000,
  firstPauseMs: 30_000,
  longestPauseMs: 600_000,
  probeDials: 5,
};
