import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunRowFragment } from './schedules.generated.ts';

const COLORS = { WAITING: 'gray', EXPORTING: 'blue', SENT: 'green', FAILED: 'red', GIVEN_UP: 'red' } as const;

/** How a run fared; one whose message never arrived counts as failed. */
export function RunState({ state, deliveryState }: Pick<RunRowFragment, 'state'> & Partial<Pick<RunRowFragment, 'deliveryState'>>) {
  const { t } = useTranslation();
  const shown = state === 'SENT' && deliveryState === 'GIVEN_UP' ? 'GIVEN_UP' : state;
  return (
    <Badge variant="light" color={COLORS[shown]} radius="sm" tt="none">
      {t(`schedules.state.${shown}`)}
    </Badge>
  );
}
