import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { awaitKey, takeAwaitedKey } from './awaited-key.ts';

/** Says why a disabled button did nothing. */
export type Explain = (reason: string, key?: string) => void;

interface ExplainedOptions {
  /** Whether it is known which actions are allowed. */
  isKnown: boolean;
  /** The present reasons of the disabled actions. */
  reasons: readonly (string | null)[];
  /** The element with the buttons. */
  bar: RefObject<HTMLElement | null>;
}

/**
 * Why the last pressed button is disabled, for as long as that holds. A button that was pressed before its reason was known is pressed
 * again once it is.
 */
export function useExplained(
  callKey: string,
  { isKnown, reasons, bar }: ExplainedOptions,
): { explained: string | null; explain: Explain; forget: () => void } {
  const { t } = useTranslation();
  const [said, say] = useState<string | null>(null);
  const [lateKey, setLateKey] = useState<string | null>(null);
  useEffect(() => {
    const pressed = isKnown ? takeAwaitedKey(callKey) : null;
    if (pressed?.isLate) setLateKey(pressed.key);
    else if (pressed) bar.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${pressed.key}"]`)?.click();
  }, [callKey, isKnown, bar]);
  // A key for a call that is not shown any more must not wait for its return.
  useEffect(() => () => void takeAwaitedKey(callKey), [callKey]);
  return {
    explained: lateKey !== null ? t('acts.tooLate', { key: lateKey }) : reasons.includes(said) ? said : null,
    explain: (reason, key) => {
      if (!isKnown && key !== undefined) awaitKey(callKey, key);
      say(reason);
    },
    forget: () => {
      say(null);
      setLateKey(null);
    },
  };
}
