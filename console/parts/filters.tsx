import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useIsNarrow } from './use-is-narrow.ts';
import { useQueryState } from './use-query-state.ts';
import { JOINED_MS } from './use-typed.ts';

interface FilterBarProps {
  count?: string | null;
  acts?: ReactNode;
  /** Those that are seldom wanted, and their query parameters: folded until one of them is in the address. */
  more?: { names: readonly string[]; filters: ReactNode };
  children: ReactNode;
}

/** What stands above a list: its filters, folded where the window is narrow, how many rows they leave, and at the end what may be done. */
export function FilterBar({ count, acts, more, children }: FilterBarProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const [query] = useSearchParams();
  const used = more?.names.filter(name => query.has(name)).length ?? 0;
  const [isMoreWanted, wantMore] = useState<boolean | null>(null);
  const isMoreOpen = isMoreWanted ?? used > 0;
  return (
    <Group mb="md" gap="xs" align={isNarrow ? 'start' : 'center'}>
      {isNarrow && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('filters.show')}
        </Button>
      )}
      {(!isNarrow || isOpen) && children}
      {isNarrow && isOpen && more?.filters}
      {!isNarrow && more && (
        <Button variant="subtle" px="xs" aria-expanded={isMoreOpen} onClick={() => wantMore(!isMoreOpen)}>
          {used === 0 ? t('filters.more') : t('filters.moreUsed', { used })}
        </Button>
      )}
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
      {!isNarrow && isMoreOpen && (
        <Group w="100%" gap="xs">
          {more?.filters}
        </Group>
      )}
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
