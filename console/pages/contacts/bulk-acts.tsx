import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { type Bulk, ofEachCampaign, oneByOne, type ReportProgress } from '../../table/use-bulk.ts';
import { formatCount } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { RetryButton } from '../calls/retry-button.tsx';
import { DoNotCallButton } from '../do-not-call/do-not-call-button.tsx';
import { type ContactRowFragment, DeleteContactsDocument, PauseContactsDocument, UpdateContactDocument } from './contacts.generated.ts';

/** Most contacts that one action resumes, one by one. */
const MOST_RESUMED = 200;

type Rows = readonly ContactRowFragment[];

/** Actions on the selected contacts, with one command per campaign. */
export function ContactBulkActs({ chosen, bulk }: { chosen: Rows; bulk: Bulk }) {
  const { t } = useTranslation();
  const acts = useActs(chosen);
  const mayNotWrite = useDisabledReason('contact:write');
  const isPaused = chosen.some(({ status }) => status === 'PAUSED');
  const shown = formatCount(chosen.length);
  const cannotResume = isPaused
    ? chosen.length > MOST_RESUMED
      ? t('contacts.resumeAtMost', { most: MOST_RESUMED })
      : null
    : t('contacts.nonePaused');
  return (
    <>
      <ActButton size="xs" variant="default" reason={mayNotWrite} act={() => void bulk.run(acts.pause)}>
        {t('contacts.pause')}
      </ActButton>
      <ActButton size="xs" variant="default" reason={mayNotWrite ?? cannotResume} act={() => void bulk.run(acts.resume)}>
        {t('contacts.resume')}
      </ActButton>
      <RetryButton contacts={chosen} bulk={bulk} />
      <DoNotCallButton numbers={chosen.map(({ phoneNumber }) => phoneNumber)} bulk={bulk} />
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        reason={mayNotWrite}
        title={t('contacts.deleteTitle', { count: chosen.length, shown })}
        warning={t('contacts.deleteLoses')}
        act={() => bulk.run(acts.remove)}
      >
        {t('contacts.delete')}
      </ConfirmButton>
    </>
  );
}

function useActs(chosen: Rows) {
  const { t } = useTranslation();
  const [pause] = useMutation(PauseContactsDocument);
  const [remove] = useMutation(DeleteContactsDocument);
  const [update] = useMutation(UpdateContactDocument);
  const named = chosen.map(row => ({ ...row, name: formatPhone(row.phoneNumber) }));
  return {
    pause: () =>
      ofEachCampaign(named, async (campaignId, ids) => (await pause({ variables: { campaignId, contactIds: [...ids] } })).data?.result),
    remove: () =>
      ofEachCampaign(named, async (campaignId, ids) => (await remove({ variables: { campaignId, contactIds: [...ids] } })).data?.result),
    resume: (report: ReportProgress) => {
      const act = async ({ campaignId, databaseId: id, status }: ContactRowFragment) => {
        if (status !== 'PAUSED') return t('contacts.notPaused');
        const { data } = await update({ variables: { campaignId, id, input: { status: 'PENDING' } } });
        if (isRefusal(data?.result)) return data.result.message;
        return data?.result ? null : t('contacts.notPaused');
      };
      return oneByOne(chosen, act, report);
    },
  };
}
