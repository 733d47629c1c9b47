import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './live.module.css';

/** Calls that wait to come into a list that is held still. */
export function NewPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  return count === 0 ? null : (
    <Button className={styles.pill} size="compact-sm" radius="xl" onClick={onClick}>
      {t('live.new', { count })}
    </Button>
  );
}
