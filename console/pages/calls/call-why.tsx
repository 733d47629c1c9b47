import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { useNotDialledWords } from '../../text/not-dialled-words.ts';
import { CallNextDocument, type CallQuery } from './call.generated.ts';
import styles from './call.module.css';
import { isOpenCall, useWhoHungUp } from './call-words.tsx';

type Call = NonNullable<CallQuery['attempt']>;

const TALKED = ['ANSWERED', 'COMPLETED'];

/** How the call ended and what follows from it, in one sentence. */
export function Why({ call }: { call: Call }) {
  const ended = useEnding(call);
  const next = useNext(call);
  return (
    <p className={`sheet ${styles.why} ${styles[toneOf(call)] ?? ''}`} role="status">
      {ended}
      {next}
    </p>
  );
}

function toneOf(call: Call): string {
  if (isOpenCall(call) || call.status === 'CANCELLED') return 'rest';
  return wasAnswered(call) ? 'good' : 'bad';
}

function wasAnswered({ callStatus }: Pick<Call, 'callStatus'>): boolean {
  return callStatus !== null && TALKED.includes(callStatus);
}

function useEnding(call: Call): string {
  const { t } = useTranslation();
  const whoHungUp = useWhoHungUp();
  const { status, callStatus, durationSeconds, userHangup, resultMissing } = call;
  if (isOpenCall(call)) return t(`call.why.${status === 'ANSWERED' ? 'talking' : 'dialling'}`);
  if (status === 'CANCELLED') return t('call.why.cancelled');
  if (resultMissing) return t('call.why.resultMissing');
  if (callStatus === null) return t(status === 'OUTCOME_UNKNOWN' ? 'call.why.unknown' : 'call.why.refused');
  if (!wasAnswered(call)) return t('call.why.unanswered', { outcome: t(`callStatus.${callStatus}`) });
  const talked = { for: formatSeconds(durationSeconds ?? 0), who: whoHungUp(call), why: userHangup?.reason };
  if (talked.why) return t('call.why.answeredAndCut', talked);
  return t(talked.who ? 'call.why.answeredAndHungUp' : 'call.why.answered', talked);
}

/** Next step for the contact; empty when a later call has decided that, or this call has not ended. */
function useNext(call: Call): string {
  const { t } = useTranslation();
  const words = useNotDialledWords();
  const { contact } = call;
  const isLast = !isOpenCall(call) && !call.isTest && contact?.lastAttempt?.id === call.id;
  const { data } = useQuery(CallNextDocument, { variables: { contactId: contact?.databaseId ?? '' }, skip: !isLast });
  if (isOpenCall(call)) return '';
  if (call.isTest) return t('call.why.test');
  if (!contact) return '';
  if (!isLast) return t('call.why.calledSince');
  if (contact.retryAt) return t('call.why.again', { at: formatDateTime(contact.retryAt), nth: contact.attemptCount + 1 });
  const why = data?.whyNotDialed;
  return why ? t('call.why.notAgain', { reason: words(why) }) : '';
}
