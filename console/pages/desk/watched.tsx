import { Button, Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { usePresence } from '../../live/use-presence.ts';
import { useSettledKeys } from '../../live/use-settled-keys.ts';
import { CallCard } from '../live/call-card.tsx';
import { useHold } from '../live/use-hold.ts';
import styles from './desk.module.css';

interface WatchedProps {
  /** Most urgent first. */
  keys: readonly string[];
  /** Key of the user's own call: it is shown above, and leaves even a list that is held still. */
  own: string | undefined;
  isThere: boolean;
  open: string;
  onOpen: (callKey: string) => void;
}

/** The calls that the user watches, most urgent first. */
export function Watched({ keys: wanted, own, isThere, open, onOpen }: WatchedProps) {
  const { t } = useTranslation();
  const { isHeld, hold, release } = useHold('desk');
  const { keys: settled, newCount, settle } = useSettledKeys(wanted, isHeld, 'need');
  const keys = settled.filter(key => key !== own);
  return (
    <section className={styles.watched} aria-label={t('desk.watched')} {...hold}>
      <div className={styles.head}>
        <Title order={2}>{t('desk.watchedCount', { count: wanted.length })}</Title>
        {newCount > 0 && (
          <Button
            size="compact-sm"
            radius="xl"
            onClick={() => {
              release();
              settle();
            }}
          >
            {t('live.new', { count: newCount })}
          </Button>
        )}
        <span className={styles.spring} />
        <Link to="/live">{t('desk.everyCall')}</Link>
      </div>
      {!isThere && <Skeleton height={236} />}
      {isThere && keys.length === 0 && <NoneWatched />}
      <div className={styles.grid}>
        {keys.map(key => (
          <CallCard key={key} callKey={key} isOpen={key === open} onOpen={onOpen} />
        ))}
      </div>
    </section>
  );
}

function NoneWatched() {
  const { user } = useMe();
  return user ? <WhyNone userId={user.databaseId} /> : null;
}

function WhyNone({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const { isOnDuty, capacity } = usePresence(userId);
  const why = !isOnDuty ? 'offDuty' : capacity?.mine === 0 ? 'noRoom' : 'waits';
  return <Text className={`quiet ${styles.noneWatched}`}>{t(`desk.noneWatched.${why}`, { count: capacity?.mine ?? 0 })}</Text>;
}
