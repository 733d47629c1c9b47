import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { type ChangeEvent, type ReactNode, startTransition, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useQueryState } from '../ui/use-query-state.ts';
import { JOINED_MS } from '../ui/use-typed.ts';

/** Query parameter with the name of the follow-up list whose filter a page shows. */
export const LIST_PARAM = 'list';

interface FilterBarProps {
  count?: string | null;
  acts?: ReactNode;
  /** Rarely used filters and their query parameters: collapsed until one of them is in the URL. */
  more?: { names: readonly string[]; filters: ReactNode };
  children: ReactNode;
}

/** Toolbar above a list: filters, collapsed where the window is narrow, the number of matching rows, and the actions. */
export function FilterBar({ count, acts, more, children }: FilterBarProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const [query] = useSearchParams();
  const used = more?.names.filter(name => query.has(name)).length ?? 0;
  const [isMoreWanted, wantMore] = useState<boolean | null>(null);
  const isMoreOpen = isMoreWanted ?? used > 0;
  const list = query.get(LIST_PARAM);
  return (
    <Group mb="md" gap="xs" align={isNarrow ? 'start' : 'center'}>
      {list && (
        <Text w="100%" fw={600}>
          {t('filters.ofList', { name: list })}
        </Text>
      )}
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
      {/* When the filters fill the line, the count and the actions wrap together: the actions never stand alone. */}
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

/** Search text in the URL; null: none. */
export function useSearch(name = 'q'): string | null {
  const [text] = useQueryState(name);
  return text.trim() || null;
}

interface SearchFieldProps {
  /** Query parameter. */
  name?: string;
  /** Accessible name and placeholder, naming the searched columns. */
  label: string;
  width?: number;
}

/** Search field whose text is kept in the URL. */
export function SearchField({ name = 'q', label, width = 200 }: SearchFieldProps) {
  const [asked, ask] = useQueryState(name);
  /** Null: the user is not typing, and the URL counts. */
  const [typed, setTyped] = useState<string | null>(null);
  const askSoon = useThrottledCallback(ask, JOINED_MS);
  function onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    setTyped(currentTarget.value);
    // While a word is being composed, only the input method knows its text.
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

interface Choice {
  value: string;
  label: string;
}

interface ChoiceFilterProps {
  /** Query parameter. */
  name: string;
  label: string;
  choices: readonly (Choice | { group: string; items: Choice[] })[];
  width?: number;
}

/** Filters by one of a few values; kept in the URL. */
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
