import { useEffect, useEffectEvent } from 'react';
import { usePhone } from './use-phone.ts';

/** Letters that, together with Alt, do what the button of that name does. They also work while the agent types. */
export const PHONE_KEYS = { answer: 'A', hangUp: 'X', mute: 'M', hold: 'H' } as const;

/** Keys of the phone, on every page while there is a call. */
export function usePhoneKeys(): void {
  const { call, actions } = usePhone();
  const press = useEffectEvent((code: string): boolean => {
    if (!call || call.phase === 'ended') return false;
    const isTalking = call.phase === 'talking';
    if (code === `Key${PHONE_KEYS.hangUp}`) actions.hangUp();
    else if (code === `Key${PHONE_KEYS.answer}` && call.phase === 'ringing') actions.answer();
    else if (code === `Key${PHONE_KEYS.mute}` && isTalking) actions.mute(!call.isMuted);
    else if (code === `Key${PHONE_KEYS.hold}` && isTalking) actions.hold(!call.isHeld);
    else return false;
    return true;
  });
  useEffect(() => {
    // By place and not by letter: with Alt some keyboards write another character.
    const onKey = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, repeat, code } = event;
      if (altKey && !ctrlKey && !metaKey && !repeat && press(code)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
