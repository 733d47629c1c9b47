import { useEffect, useEffectEvent } from 'react';
import { PHONE_KEYS, type PhoneKey } from './phone-keys.ts';
import type { PhoneCall } from './phone-state.ts';
import { type PhoneActions, usePhone } from './use-phone.ts';

/** Keys of the phone, on every page while there is a call. */
export function usePhoneKeys(): void {
  const { call, actions } = usePhone();
  const press = useEffectEvent((code: string) => {
    const key = PHONE_KEYS.find(({ letter }) => code === `Key${letter}`);
    const act = key && call && actOf(key.name, call, actions);
    act?.();
    return Boolean(act);
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

/** The action of a key on the call now; null when it does nothing. */
function actOf(name: PhoneKey, call: PhoneCall, actions: PhoneActions): (() => void) | null {
  if (call.phase === 'ended') return null;
  if (name === 'hangUp') return actions.hangUp;
  if (name === 'answer') return call.phase === 'ringing' ? actions.answer : null;
  if (call.phase !== 'talking') return null;
  return name === 'mute' ? () => actions.mute(!call.isMuted) : () => actions.hold(!call.isHeld);
}
