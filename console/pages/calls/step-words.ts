import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { stepKey } from './step-key.ts';
import type { CallStepsQuery } from './steps.generated.ts';

export type CallStep = NonNullable<CallStepsQuery['attempt']>['steps']['rows'][number];

/** Words for the steps of a call; what has no text is shown by its name in the program. */
export function useStepWords() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const named = (key: string, name: string) => (i18n.exists(key) ? t(key) : name);
    return {
      event: ({ event, isTimer }: Pick<CallStep, 'event' | 'isTimer'>) => named(stepKey(isTimer ? 'timer' : 'event', event), event),
      decision: (name: string) => named(stepKey('decision', name), name),
      state: ({ state }: Pick<CallStep, 'state'>) => named(stepKey('state', state), state),
      takeOver: (name: string) => named(stepKey('takeOver', name), name),
      detail: ({ detail }: Pick<CallStep, 'detail'>) => detailOf(detail, cause => named(`hangupCause.${cause}`, cause)),
    };
  }, [t, i18n]);
}

/** Members of an event that tell a person something, in the order in which they are shown. */
const TELLING = ['runtimeId', 'status', 'replyText', 'reason'] as const;

function detailOf(detail: unknown, causeWords: (cause: string) => string): string {
  const { cause, guidance, ...members } = Object(detail) as Record<string, unknown>;
  const { by, text } = Object(guidance) as Record<string, unknown>;
  const told = [typeof cause === 'string' ? causeWords(cause) : '', ...TELLING.map(name => members[name]), by, text];
  return told.filter(each => typeof each === 'string' && each !== '').join(' · ');
}
