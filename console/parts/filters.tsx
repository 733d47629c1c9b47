import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from './use-is-narrow.ts';
import { useQueryState } from './use-query-state.ts';
import { useTyped } from './use-typed.ts';

/** What stands above a list: its filters, folded where the window is narrow, how many rows they leave, and at the end what may be done. */
export function FilterBar({ count, acts, children }: { count?: string | null; acts?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  return (
    <Group mb="md" gap="xs" align={isNarrow ? 'start' : 'center'}>
      {isNarrow && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('filters.show')}
        </Button>
      )}
      {(!isNarrow || isOpen) && children}
      {/* Where the filters fill the line, both stand on the next: what may be done never stands there alone. */}
      <Group flex={isNarrow ? 1 : '1 0 auto'} justify="space-between" wrap={isNarrow ? 'wrap' : 'nowrap'} gap="sm">
        <Text className="quiet" aria-live="polite">
          {count}
        </Text>
        {acts && (
          <Group gap="sm" wrap="nowrap">
            {acts}
          </Group>
        )}
      </Group>
    </Group>
  );
}

/** What is typed to find rows, from the address; `wanted` follows when the typing pauses. */
export function useSearch(name = 'q'): { typed: string; type: (text: string) => void; wanted: string | null } {
  const [typed, type] = useQueryState(name);
  const wanted = useTyped(typed);
  return { typed, type, wanted: wanted || null };
}

interface SearchFieldProps {
  /** What it searches, for those who do not see it, and in the field while it is empty. */
  label: string;
  search: Pick<ReturnType<typeof useSearch>, 'typed' | 'type'>;
}

export function SearchField({ label, search: { typed, type } }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      w={200}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={event => type(event.currentTarget.value)}
    />
  );
}

interface ChoiceFilterProps {
  /** Of the query parameter. */
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  width?: number;
}

/** One of a few values, or any; kept in the address. */
export function ChoiceFilter({ name, label, choices, width = 150 }: ChoiceFilterProps) {
  const { t } = useTranslation();
  const [value, set] = useQueryState(name);
  return (
    <Select
      w={width}
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ 'aria-label': t('filters.any', { name: label }) }}
      searchable={choices.length > 12}
      value={value || null}
      onChange={chosen => set(chosen ?? '')}
      data={choices}
    />
  );
}
