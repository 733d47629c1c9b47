import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from './use-is-narrow.ts';
import { useQueryState } from './use-query-state.ts';
import { JOINED_MS } from './use-typed.ts';

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

/** What the address says that rows are searched for; null: nothing. */
export function useSearch(name = 'q'): string | null {
  const [text] = useQueryState(name);
  return text.trim() || null;
}

interface SearchFieldProps {
  /** Of the query parameter. */
  name?: string;
  /** What it searches, for those who do not see it, and in the field while it is empty. */
  label: string;
  width?: number;
}

/**
 * What is searched for, kept in the address.
 *
 * Why: the address, and all that hangs on it, follows a key some frames later; the field itself must not, or letters are lost and a Chinese
 * input method is thrown out of its word
 */
export function SearchField({ name = 'q', label, width = 200 }: SearchFieldProps) {
  const [asked, ask] = useQueryState(name);
  /** Null: nobody is typing, and the address is what counts. */
  const [typed, setTyped] = useState<string | null>(null);
  const askSoon = useThrottledCallback(ask, JOINED_MS);
  function onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    setTyped(currentTarget.value);
    // Of a word that is not chosen yet only the input method knows what it will be.
    if (!(nativeEvent as InputEvent).isComposing) askSoon(currentTarget.value);
  }
  function onBlur(): void {
    if (typed !== null && typed !== asked) ask(typed);
    startTransition(() => setTyped(null));
  }
  return (
    <TextInput
      type="search"
      w={width}
      aria-label={label}
      placeholder={label}
      value={typed ?? asked}
      onChange={onChange}
      onCompositionEnd={({ currentTarget }) => askSoon(currentTarget.value)}
      onBlur={onBlur}
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
