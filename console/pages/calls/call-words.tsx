import { Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './calls.generated.ts';

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

type Outcome = Pick<CallRowFragment, 'status' | 'callStatus'>;

const ANSWERED = ['ANSWERED', 'COMPLETED'];
const UNANSWERED = ['CLAIMED', 'DIALING', 'ACCEPTED', 'RINGING'];
const OPEN = ['CLAIMED', 'DIALING', 'ACCEPTED', 'ANSWERED'];

/** Whether the call is between its claim and its end. */
export function isOpenCall({ status }: Pick<Outcome, 'status'>): boolean {
  return OPEN.includes(status);
}

/** Outcome of a call as a label: the switch's result when it is known, else the status of the attempt. */
export function CallOutcome({ status, callStatus }: Outcome) {
  const { t } = useTranslation();
  return (
    <span className={toneOf({ status, callStatus })}>{callStatus ? t(`callStatus.${callStatus}`) : t(`attemptStatus.${status}`)}</span>
  );
}

function toneOf({ status, callStatus }: Outcome): string {
  const known = callStatus ?? status;
  if (ANSWERED.includes(known)) return 'tone-answered';
  return UNANSWERED.includes(known) ? '' : status === 'CANCELLED' ? 'quiet' : 'tone-failed';
}

/** Class that the runtime gives to a transferred call when no result rule of the script matches. */
const TRANSFERRED = 'transfer';

/** A class as people say it. */
export function classWords(classification: string, say: TFunction): string {
  const name = classification === TRANSFERRED ? say('calls.transferred') : classification;
  return name.length === 1 ? say('calls.ofClass', { name }) : name;
}

/** The script's class of a call, and the intent that the same result rule assigns. */
export function CallClass({ classification, intent }: Pick<CallRowFragment, 'classification' | 'intent'>) {
  const { t } = useTranslation();
  if (!classification) return intent;
  return (
    <>
      {classWords(classification, t)}
      {intent && <span className="quiet"> · {intent}</span>}
    </>
  );
}

/** Hang-up cause: words for a common cause, with the switch's own code in small print. `isShort` drops the code where there are words. */
export function HangupCause({ cause, isShort = false }: { cause: string; isShort?: boolean }) {
  const { t, i18n } = useTranslation();
  const key = `hangupCause.${cause}`;
  if (isShort && i18n.exists(key)) return t(key);
  return (
    <>
      {i18n.exists(key) && `${t(key)} `}
      <Text span size="xs" className="quiet">
        {cause}
      </Text>
    </>
  );
}

/** The party that hung up, by name for a user. Null when unknown. */
export function useWhoHungUp(): (call: Pick<CallRowFragment, 'hangupBy' | 'userHangup'>) => string | null {
  const { t } = useTranslation();
  return useCallback(({ hangupBy, userHangup }) => userHangup?.by ?? (hangupBy && t(`hangupBy.${hangupBy}`)), [t]);
}
