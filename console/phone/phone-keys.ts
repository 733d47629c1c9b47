/** Letters that, together with Alt, do what the phone's buttons do. They also work while the agent types. */
export const PHONE_KEYS = [
  { name: 'answer', letter: 'A' },
  { name: 'hangUp', letter: 'X' },
  { name: 'mute', letter: 'M' },
  { name: 'hold', letter: 'H' },
] as const;

export type PhoneKey = (typeof PHONE_KEYS)[number]['name'];
