import { Alert, Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type CallChoice, orderedKeys } from '../../live/call-order.ts';
import { CallStoreContext, useCallList, useCallStream } from '../../live/use-calls.ts';
import { useSettledKeys } from '../../live/use-settled-keys.ts';
import { NoneFound } from '../../table/none-found.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { Alarms } from './alarms.tsx';
import { CallCards } from './call-cards.tsx';
import { CallPanel } from './call-panel.tsx';
import { CallRows } from './call-rows.tsx';
import { Duty } from './duty.tsx';
import styles from './live.module.css';
import { LiveFilters } from './live-filters.tsx';
import { NodeNamesContext, useRunningCampaigns } from './running-campaigns.ts';
import { useActKeys } from './use-act-keys.ts';
import { useHold } from './use-hold.ts';

/** All live calls as cards or rows; the open one beside them with its actions. */
export function LivePage() {
  const { t } = useTranslation();
  const { store, error } = useCallStream();
  const calls = useCallList(store);
  const [view, setView] = useQueryState('view');
  const [open, setOpen] = useQueryState('call');
  const close = () => setOpen('');
  const { choice, choiceKey } = useCallChoice();
  const { priorities, nodeNames } = useRunningCampaigns(calls);
  const wanted = useMemo(() => orderedKeys(calls, choice, priorities), [calls, choice, priorities]);
  const { isHeld, hold, beside, release } = useHold(view);
  const { keys, newCount, settle } = useSettledKeys(wanted, isHeld, choiceKey);
  // Without the permission the server sends only the user's own calls: an empty list does not mean that there are no others.
  const onlyOwn = useDisabledReason('campaign:dispatch');
  useActKeys({ callKey: open, close: open ? close : undefined });
  if (error) return <Notice error={error} title={t('live.refused')} again={null} />;
  function showNew() {
    release();
    settle();
  }
  const List = view === 'rows' ? CallRows : CallCards;
  return (
    <CallStoreContext value={store}>
      <div className={styles.head} {...beside}>
        <div className={styles.tools}>
          <LiveFilters calls={calls} />
          <Text className="quiet" aria-live="polite">
            {t(onlyOwn === null ? 'live.count' : 'live.countOwn', { count: wanted.length })}
          </Text>
          <NewPill count={newCount} onClick={showNew} />
          <span className={styles.spring} />
          <SegmentedControl
            size="xs"
            aria-label={t('live.view')}
            value={view || 'cards'}
            onChange={value => setView(value === 'cards' ? '' : value)}
            data={['cards', 'rows'].map(value => ({ value, label: t(`liveView.${value}`) }))}
          />
          <Duty campaignId={choice.campaignId} />
        </div>
        {onlyOwn !== null && (
          <Alert color="gray" mb="sm" role="note">
            {t('live.onlyOwn', { why: onlyOwn })}
          </Alert>
        )}
        {store.isTruncated() && (
          <Alert color="yellow" mb="sm">
            {t('live.truncated')}
          </Alert>
        )}
      </div>
      <NodeNamesContext value={nodeNames}>
        <div className={open ? styles.withPanel : styles.withAlarms}>
          {store.isThere() ? (
            <List
              keys={keys}
              hold={hold}
              open={open}
              onOpen={setOpen}
              empty={calls.length > 0 ? <NoneFound>{t('live.noneChosen')}</NoneFound> : t(onlyOwn === null ? 'live.none' : 'live.noneOwn')}
            />
          ) : (
            <Skeleton height={420} />
          )}
          <aside className={styles.side}>
            {open && <CallPanel key={open} callKey={open} onClose={close} />}
            <Alarms onOpen={setOpen} isOwn={onlyOwn !== null} />
          </aside>
        </div>
      </NodeNamesContext>
    </CallStoreContext>
  );
}

/** Number of calls that wait to enter a held list. */
function NewPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  return count === 0 ? null : (
    <Button size="compact-sm" radius="xl" onClick={onClick}>
      {t('live.new', { count })}
    </Button>
  );
}

/** Filter of the calls in the URL, and the same as one string. */
function useCallChoice(): { choice: CallChoice; choiceKey: string } {
  const [query] = useSearchParams();
  const [campaignId, state, wanted, sort] = ['campaign', 'state', 'wanted', 'sort'].map(name => query.get(name) ?? '');
  return useMemo(() => {
    const choice = { campaignId: campaignId ?? '', state: state ?? '', isWanted: wanted === 'yes', sort: sort ?? '' };
    return { choice, choiceKey: JSON.stringify(choice) };
  }, [campaignId, state, wanted, sort]);
}
