import { Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { instantOf } from '../text/local-time.ts';
import { useQueryState } from './use-query-state.ts';

/** Query parameters of a span. */
export const BOUNDS = ['from', 'to'];

/** A span of time from the address, as instants; null where it has no bound. */
export function useTimeSpan(): { from: string | null; to: string | null } {
  const [from] = useQueryState('from');
  const [to] = useQueryState('to');
  return { from: instantOf(from), to: instantOf(to) };
}

/** Not before, and before: in the zone of the browser. */
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
