/** Choices of this browser for the phone. A device is null: the one that the system uses. */
export interface PhoneSettings {
  microphoneId: string | null;
  speakerId: string | null;
  /** Device that rings, such as the loudspeaker beside a headset. */
  ringerId: string | null;
  /** Answers a call by itself after a short tone. */
  answersItself: boolean;
  /** Echo cancellation, noise suppression and gain control. */
  isFiltered: boolean;
}

const DEFAULTS = { answersItself: false, isFiltered: true };

/** Settings of an earlier version are used as far as they fit. */
export function readSettings(text: string | null): PhoneSettings {
  const row = rowOf(text);
  const device = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const choice = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
  return {
    microphoneId: device(row['microphoneId']),
    speakerId: device(row['speakerId']),
    ringerId: device(row['ringerId']),
    answersItself: choice(row['answersItself'], DEFAULTS.answersItself),
    isFiltered: choice(row['isFiltered'], DEFAULTS.isFiltered),
  };
}

function rowOf(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    // Something else wrote to this key.
    return {};
  }
}
