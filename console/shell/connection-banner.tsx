import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { currentConnection, onConnectionChange } from '../api/connection.ts';
import { formatSeconds } from '../text/format.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './shell.module.css';

export function useConnection() {
  return useSyncExternalStore(onConnectionChange, currentConnection);
}

/** Warns that the page is no longer live; disappears by itself. */
export function ConnectionBanner() {
  const { isLive, since } = useConnection();
  return isLive ? null : <Away since={since} />;
}

function Away({ since }: { since: number }) {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <div className={styles.banner} role="status">
      {t('connection.away', { for: formatSeconds((now - since) / 1000) })}
    </div>
  );
}
