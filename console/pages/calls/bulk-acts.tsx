import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { type Bulk, oneByOne, outcomeOf, type ReportProgress } from '../../table/use-bulk.ts';
import { formatCount } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { DoNotCallButton } from '../do-not-call/do-not-call-button.tsx';
import { isOpenCall } from './call-words.tsx';
import { type CampaignCallRowFragment, DeleteCallsDocument, HangUpChosenDocument } from './calls.generated.ts';
import { RetryButton } from './retry-button.tsx';

/** Most calls that one action hangs up, one by one. */
const MOST_HUNG_UP = 100;
/** Same bound as the argument of `hangUpLiveCall`. */
const MAX_REASON = 200;

type Calls = readonly CampaignCallRowFragment[];

/** Actions on the selected calls and on their customers. */
export function CallBulkActs({ chosen, bulk }: { chosen: Calls; bulk: Bulk }) {
  const { t } = useTranslation();
  const acts = useActs(chosen);
  const mayNotDispatch = useDisabledReason('campaign:dispatch');
  const mayNotComply = useDisabledReason('compliance:write');
  const open = chosen.filter(isOpenCall).length;
  const cannotHangUp = open === 0 ? t('calls.noneOpen') : open > MOST_HUNG_UP ? t('calls.hangUpAtMost', { most: MOST_HUNG_UP }) : null;
  return (
    <>
      <ConfirmButton
        size="xs"
        variant="default"
        reason={mayNotDispatch ?? cannotHangUp}
        title={t('calls.hangUpTitle', { count: open })}
        warning={t('hangUp.loses')}
        input={{ label: t('hangUp.reason'), example: t('hangUp.reasonExample'), maxLength: MAX_REASON }}
        act={reason => bulk.run(report => acts.hangUp(reason, report))}
      >
        {t('callAct.HANG_UP')}
      </ConfirmButton>
      <RetryButton contacts={chosen.map(({ contactId, ...call }) => ({ ...call, databaseId: contactId }))} bulk={bulk} />
      <DoNotCallButton numbers={chosen.map(({ phoneNumber }) => phoneNumber)} bulk={bulk} />
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        reason={mayNotComply ?? (open === chosen.length ? t('calls.allOpen') : null)}
        title={t('calls.deleteTitle', { count: chosen.length, shown: formatCount(chosen.length) })}
        warning={t('calls.deleteLoses')}
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
  return {
    hangUp: (reason: string, report: ReportProgress) => {
      const act = async ({ requestId }: CampaignCallRowFragment) => {
        const variables = { callKey: `request:${requestId}`, reason: reason || null };
        const result = (await hangUp({ variables })).data?.result;
        return isRefusal(result) ? result.message : null;
      };
      return oneByOne(chosen.filter(isOpenCall), act, report);
    },
    remove: async () => {
      const attemptIds = chosen.map(({ databaseId }) => databaseId);
      const { data } = await remove({ variables: { attemptIds } });
      return outcomeOf(data?.result, new Map(chosen.map(({ databaseId, phoneNumber }) => [databaseId, formatPhone(phoneNumber)])));
    },
  };
}
