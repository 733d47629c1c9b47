import { useMutation } from '@apollo/client/react';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shell/me.ts';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../act-button.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { isRefusal } from '../refusal.ts';
import { sayDone } from '../toast.ts';
import {
  type ContactRowFragment,
  DeleteContactsDocument,
  PauseContactsDocument,
  RetryContactsDocument,
  UpdateContactDocument,
} from './contacts.generated.ts';
import styles from './contacts.module.css';

/** Contacts that are put back one by one. */
const MOST_RESUMED = 200;

interface BulkBarProps {
  chosen: readonly ContactRowFragment[];
  /** Rows that were loaded so far. */
  loaded: number;
  chooseAll: () => void;
  clear: () => void;
  /** Something was changed. */
  done: () => void;
}

/** What one command did of a campaign's contacts. */
interface Changed {
  affected: number;
  skipped: number;
}

/** What may be done with the chosen contacts, each campaign's by a command of its own. */
export function BulkBar({ chosen, loaded, chooseAll, clear, done }: BulkBarProps) {
  const { t } = useTranslation();
  const { may } = useMe();
  const [refused, setRefused] = useState<string | null>(null);
  const acts = useActs();
  if (chosen.length === 0) return null;
  const lacks = (permission: string) => (may(permission) === false ? t('forbidden.needs', { permission }) : null);

  async function run(act: (campaignId: string, rows: readonly ContactRowFragment[]) => Promise<Changed>): Promise<string | null> {
    setRefused(null);
    const total = { affected: 0, skipped: 0 };
    let inTheWay: string | null = null;
    for (const [campaignId, rows] of Map.groupBy(chosen, row => row.campaignId)) {
      try {
        const { affected, skipped } = await act(campaignId, rows);
        total.affected += affected;
        total.skipped += skipped;
      } catch (error) {
        inTheWay = `${rows[0]?.campaign?.name ?? ''} ${(error as Error).message}`.trim();
      }
    }
    if (total.affected > 0 || inTheWay === null)
      sayDone(t('contacts.changed', { changed: formatCount(total.affected), skipped: formatCount(total.skipped) }));
    setRefused(inTheWay);
    if (inTheWay === null) done();
    return inTheWay;
  }

  const tooMany = chosen.length > MOST_RESUMED ? t('contacts.resumeAtMost', { most: MOST_RESUMED }) : null;
  return (
    <div className={`sheet ${styles.bulk}`} role="toolbar" aria-label={t('contacts.acts')}>
      <Group gap="sm">
        <Text fw={600}>{t('contacts.chosen', { count: chosen.length, shown: formatCount(chosen.length) })}</Text>
        <Button variant="subtle" size="xs" onClick={chooseAll}>
          {t('contacts.chooseAll', { shown: formatCount(loaded) })}
        </Button>
        <Button variant="subtle" size="xs" onClick={clear}>
          {t('contacts.clear')}
        </Button>
      </Group>
      <Group gap="xs">
        <ActButton size="xs" variant="default" reason={lacks('contact:write')} act={() => void run(acts.pause)}>
          {t('contacts.pause')}
        </ActButton>
        <ActButton size="xs" variant="default" reason={lacks('contact:write') ?? tooMany} act={() => void run(acts.resume)}>
          {t('contacts.resume')}
        </ActButton>
        <ConfirmButton
          size="xs"
          variant="default"
          reason={lacks('campaign:dispatch')}
          title={t('contacts.retryTitle', { count: chosen.length, shown: formatCount(chosen.length) })}
          loses={t('contacts.retryLoses')}
          act={() => run(acts.retry)}
        >
          {t('contacts.retry')}
        </ConfirmButton>
        <ConfirmButton
          size="xs"
          variant="light"
          color="red"
          reason={lacks('contact:write')}
          title={t('contacts.deleteTitle', { count: chosen.length, shown: formatCount(chosen.length) })}
          loses={t('contacts.deleteLoses')}
          act={() => run(acts.remove)}
        >
          {t('contacts.delete')}
        </ConfirmButton>
      </Group>
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
    </div>
  );
}

/** Each throws what the server refuses. */
function useActs() {
  const [pause] = useMutation(PauseContactsDocument);
  const [remove] = useMutation(DeleteContactsDocument);
  const [retry] = useMutation(RetryContactsDocument);
  const [update] = useMutation(UpdateContactDocument);
  type Rows = readonly ContactRowFragment[];
  const idsOf = (rows: Rows) => rows.map(({ databaseId }) => databaseId);
  const changed = (result: object | null | undefined): Changed => {
    const { affected = 0, skipped = 0, message } = Object(result) as Partial<Changed> & { message?: string };
    if (message !== undefined) throw new Error(message);
    return { affected, skipped };
  };
  return {
    pause: async (campaignId: string, rows: Rows) =>
      changed((await pause({ variables: { campaignId, contactIds: idsOf(rows) } })).data?.result),
    remove: async (campaignId: string, rows: Rows) =>
      changed((await remove({ variables: { campaignId, contactIds: idsOf(rows) } })).data?.result),
    retry: async (campaignId: string, rows: Rows) =>
      changed((await retry({ variables: { campaignId, selection: { contactIds: idsOf(rows) } } })).data?.result),
    resume: async (campaignId: string, rows: Rows) => {
      const paused = rows.filter(({ status }) => status === 'PAUSED');
      let affected = 0;
      for (const { databaseId: id } of paused) {
        const result = (await update({ variables: { campaignId, id, input: { status: 'PENDING' } } })).data?.result;
        if (isRefusal(result)) throw new Error(result.message);
        affected += 1;
      }
      return { affected, skipped: rows.length - paused.length };
    },
  };
}
