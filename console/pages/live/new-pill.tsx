import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Number of calls that wait to enter a held list. */
export function NewPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  return count === 0 ? null : (
    <Button size="compact-sm" radius="xl" onClick={onClick}>
      {t('live.new', { count })}
    </Button>
  );
}
