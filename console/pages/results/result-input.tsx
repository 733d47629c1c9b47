import { Select, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type FieldKind, kindOf, nameOfField, type ResultField } from './result-values.ts';

interface ResultInputProps extends Pick<TextInputProps, 'error' | 'w' | 'aria-label'> {
  field: ResultField;
  /** Absent: the field's name. */
  label?: string;
  /** Whether the label is for screen readers alone. */
  isBare?: boolean;
  /** Whether it stands in a popover, which a click on choices outside it would close. */
  isInPopover?: boolean;
  value: string;
  set: (value: string) => void;
}

const HTML_TYPES: Readonly<Record<Exclude<FieldKind, 'boolean'>, string>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  time: 'time',
  datetime: 'datetime-local',
};

/** Same bound as the server's. */
const MAX_LENGTH = 2_000;

/** The input of a result field, by its type. */
export function ResultInput({
  field,
  label = nameOfField(field),
  isBare = false,
  isInPopover = false,
  value,
  set,
  ...look
}: ResultInputProps) {
  const { t } = useTranslation();
  const kind = kindOf(field);
  const named = isBare ? { 'aria-label': label } : { label };
  if (kind === 'boolean') {
    return (
      <Select
        {...look}
        {...named}
        comboboxProps={{ withinPortal: !isInPopover }}
        clearable
        clearButtonProps={{ 'aria-label': t('filters.any', { name: label }) }}
        placeholder={t('results.unsaid')}
        value={value || null}
        onChange={chosen => set(chosen ?? '')}
        data={[
          { value: 'true', label: t('noun.yes') },
          { value: 'false', label: t('noun.no') },
        ]}
      />
    );
  }
  return (
    <TextInput
      {...look}
      {...named}
      type={HTML_TYPES[kind]}
      step={kind === 'number' ? 'any' : undefined}
      maxLength={kind === 'text' ? MAX_LENGTH : undefined}
      value={value}
      onChange={event => set(event.currentTarget.value)}
    />
  );
}
