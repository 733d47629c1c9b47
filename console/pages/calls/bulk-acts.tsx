import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { DoNotCallButton } from '../../parts/bulk/do-not-call-button.tsx';
import { useRetryContacts } from '../../parts/bulk/retry-contacts.ts';
import { type Bulk, type LeftRow, outcomeOf, type Told } from '../../parts/bulk/use-bulk.ts';
import { isOpenCall } from '../../parts/call-outcome.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { isRefusal } from '../../parts/refusal.ts';
import { useMayOrWhy } from '../../parts/use-may-or-why.ts';
import { formatCount } from '../../text/format.ts';
import { type CampaignCallRowFragment, DeleteCallsDocument, HangUpChosenDocument } from './calls.generated.ts';

/** Calls that are hung up one by one. */
const MOST_HUNG_UP = 100;
/** As the argument of `hangUpLiveCall`. */
const MAX_REASON = 200;

type Calls = readonly CampaignCallRowFragment[];

/** What may be done with the chosen calls and with those whom they called. */
export function CallBulkActs({ chosen, bulk }: { chosen: Calls; bulk: Bulk }) {
  const { t } = useTranslation();
  const acts = useActs(chosen);
  const mayNotDispatch = useMayOrWhy('campaign:dispatch');
  const mayNotComply = useMayOrWhy('compliance:write');
  const open = chosen.filter(isOpenCall).length;
  const people = new Set(chosen.map(({ contactId }) => contactId)).size;
  const cannotHangUp = open === 0 ? t('calls.noneOpen') : open > MOST_HUNG_UP ? t('calls.hangUpAtMost', { most: MOST_HUNG_UP }) : null;
  return (
    <>
      <ConfirmButton
        size="xs"
        variant="default"
        reason={mayNotDispatch ?? cannotHangUp}
        title={t('calls.hangUpTitle', { count: open })}
        loses={t('hangUp.loses')}
        asks={{ label: t('hangUp.reason'), example: t('hangUp.reasonExample'), maxLength: MAX_REASON }}
        act={reason => bulk.run(told => acts.hangUp(reason, told))}
      >
        {t('callAct.HANG_UP')}
      </ConfirmButton>
      <ConfirmButton
        size="xs"
        variant="default"
        reason={mayNotDispatch}
        title={t('contacts.retryTitle', { count: people, shown: formatCount(people) })}
        loses={t('contacts.retryLoses')}
        act={() => bulk.run(acts.retry)}
      >
        {t('contacts.retry')}
      </ConfirmButton>
      <DoNotCallButton numbers={chosen.map(({ phoneNumber }) => phoneNumber)} bulk={bulk} />
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        reason={mayNotComply ?? (open === chosen.length ? t('calls.allOpen') : null)}
        title={t('calls.deleteTitle', { count: chosen.length, shown: formatCount(chosen.length) })}
        loses={t('calls.deleteLoses')}
        act={() => bulk.run(acts.remove)}
      >
        {t('calls.delete')}
      </ConfirmButton>
    </>
  );
}

function useActs(chosen: Calls) {
  const [hangUp] = useMutation(HangUpChosenDocument);
  const [remove] = useMutation(DeleteCallsDocument);
  const retry = useRetryContacts();
  return {
    hangUp: async (reason: string, told: Told) => {
      const left: LeftRow[] = [];
      const open = chosen.filter(isOpenCall);
      for (const [index, { requestId, phoneNumber: name }] of open.entries()) {
        const variables = { callKey: `request:${requestId}`, reason: reason || null };
        const result = (await hangUp({ variables })).data?.result;
        if (isRefusal(result)) left.push({ name, why: result.message });
        told(index + 1);
      }
      return { done: open.length - left.length, left: left.length, told: left };
    },
    retry: () => retry(chosen.map(({ campaignId, contactId: databaseId, phoneNumber: name }) => ({ campaignId, databaseId, name }))),
    remove: async () => {
      const attemptIds = chosen.map(({ databaseId }) => databaseId);
      const { data } = await remove({ variables: { attemptIds } });
      return outcomeOf(data?.result, new Map(chosen.map(({ databaseId, phoneNumber }) => [databaseId, phoneNumber])));
    },
  };
}
