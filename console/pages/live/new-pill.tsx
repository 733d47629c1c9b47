import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Calls that wait to come into a list that is held still. */
export function NewPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  return count === 0 ? null : (
    <Button size="compact-sm" radius="xl" onClick={onClick}>
      {t('live.new', { count })}
    </Button>
  );
}
