import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { boundsInSeconds, msOf, secondsOf } from '../text/milliseconds.ts';

interface SecondsInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max' | 'placeholder' | 'error'> {
  /** Milliseconds, as the server has them. */
  value: number | '';
  /** Shown while nothing is typed, in ms. */
  fallback?: number | null;
  min?: number | null;
  max?: number | null;
  /** The server's text, whose bounds are in ms. */
  error?: string | undefined;
  change: (ms: number | '') => void;
}

/** A time that the server keeps in milliseconds, typed in seconds. */
export function SecondsInput({ value, change, fallback = null, min = 0, max = null, error, ...rest }: SecondsInputProps) {
  const [typed, setTyped] = useState<number | string>('');
  return (
    <NumberInput
      clampBehavior="none"
      hideControls
      {...rest}
      decimalScale={3}
      {...(min !== null && { min: min / 1_000 })}
      {...(max !== null && { max: max / 1_000 })}
      placeholder={fallback === null ? '' : String(fallback / 1_000)}
      error={error && boundsInSeconds(error)}
      // An unfinished entry such as `0.` stays as typed while it means the current value.
      value={msOf(typed) === value ? typed : secondsOf(value)}
      onChange={next => {
        setTyped(next);
        change(msOf(next));
      }}
    />
  );
}
