import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '../../table/data-table.tsx';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import { CallClass, CallOutcome, useWhoHungUp } from './call-words.tsx';
import type { CallRowFragment } from './calls.generated.ts';
import { RecordingStateText } from './recording-state.tsx';

type CallColumn = 'at' | 'number' | 'name' | 'outcome' | 'duration' | 'class' | 'by' | 'caller' | 'recording';

/** Columns of calls by key; each list shows some of them. The time, which opens the call, comes before the person, so that a row opens its call. */
export function useCallColumns(): Readonly<Record<CallColumn, Column<CallRowFragment>>> {
  const { t } = useTranslation();
  const whoHungUp = useWhoHungUp();
  return useMemo(
    () => ({
      at: {
        key: 'at',
        header: t('calls.startedAt'),
        width: '168px',
        cell: ({ databaseId, startedAt, createdAt }) => (
          <Link to={`/calls/${databaseId}`}>
            <Instant at={startedAt ?? createdAt} />
          </Link>
        ),
      },
      number: {
        key: 'number',
        header: t('contacts.number'),
        width: '142px',
        cell: ({ phoneNumber }) => formatPhone(phoneNumber),
      },
      name: {
        key: 'name',
        header: t('calls.person'),
        width: '96px',
        cell: ({ contact, phoneNumber }) => (
          <Link to={personPath(phoneNumber)} title={t('call.person')}>
            {contact?.customerName || t('calls.unnamed')}
          </Link>
        ),
      },
      outcome: { key: 'outcome', header: t('calls.outcome'), width: '182px', cell: row => <CallOutcome {...row} /> },
      duration: {
        key: 'duration',
        header: t('calls.duration'),
        width: '84px',
        isNumber: true,
        cell: row => (row.durationSeconds === null ? '' : formatSeconds(row.durationSeconds)),
      },
      class: { key: 'class', header: t('calls.classification'), width: '150px', cell: row => <CallClass {...row} /> },
      by: { key: 'by', header: t('calls.hangupBy'), width: '112px', cell: whoHungUp },
      recording: { key: 'recording', header: t('calls.recording'), width: '108px', cell: row => <RecordingStateText {...row} /> },
      caller: {
        key: 'caller',
        header: t('calls.caller'),
        width: '128px',
        cell: row => <span className="quiet">{formatPhone(row.callerNumber ?? '')}</span>,
      },
    }),
    [t, whoHungUp],
  );
}

interface OfCampaign {
  campaign: { databaseId: string; name: string } | null;
}

/** Campaign of a call, for lists that span campaigns. */
export function useCampaignColumn(): Column<OfCampaign> {
  const { t } = useTranslation();
  return useMemo(
    () => ({
      key: 'campaign',
      header: t('calls.campaign'),
      cell: ({ campaign }) => campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>,
    }),
    [t],
  );
}
