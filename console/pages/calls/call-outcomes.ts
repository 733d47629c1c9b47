/** Outcomes as the schema spells them, the most used first. */
export const CALL_STATUSES = [
  'COMPLETED',
  'ANSWERED',
  'NO_ANSWER',
  'BUSY',
  'REJECTED',
  'POWER_OFF',
  'OUT_OF_SERVICE',
  'INVALID_NUMBER',
  'NETWORK_BUSY',
  'VOICEMAIL',
  'CANCELLED',
  'FAILED',
] as const;
