import { useTranslation } from 'react-i18next';
import type { CallRowFragment } from './call-row.generated.ts';

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
