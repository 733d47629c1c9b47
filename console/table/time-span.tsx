import { Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { instantOf } from '../text/local-time.ts';
import { useQueryState } from '../ui/use-query-state.ts';

/** Query parameters of a time span. */
export const BOUNDS = ['from', 'to'];

/** Time span in the URL as instants; null for a missing bound. */
export function useTimeSpan(): { from: string | null; to: string | null } {
  const [from] = useQueryState('from');
  const [to] = useQueryState('to');
  return { from: instantOf(from), to: instantOf(to) };
}

/** Fields for the bounds (`from` inclusive, `to` exclusive), in the browser's time zone. */
export function TimeSpan() {
  const { t } = useTranslation();
  return (
    <Group gap="sm">
      <Bound name="from" label={t('timeSpan.from')} />
      <Bound name="to" label={t('timeSpan.to')} />
    </Group>
  );
}

function Bound({ name, label }: { name: string; label: string }) {
  const [value, set] = useQueryState(name);
  return (
    <TextInput
      type="datetime-local"
      w={215}
      aria-label={label}
      leftSection={label}
      leftSectionWidth={42}
      leftSectionProps={{ style: { fontSize: 12 } }}
      value={value}
      onChange={event => set(event.currentTarget.value)}
    />
  );
}
