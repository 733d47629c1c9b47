import { Checkbox, Group, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormPair } from '../../form/form.tsx';
import { SecondsInput } from '../../form/seconds-input.tsx';
import type { Form } from '../../form/use-form.ts';
import { weekdayName } from '../../text/zone.ts';
import { entriesOf, type PolicyValues } from './policy-values.ts';
import { WEEKDAYS } from './use-weekdays.ts';

export type FieldsProps = Pick<Form<PolicyValues>, 'values' | 'set' | 'errorOf'>;

export function TimesField({ values, set, errorOf }: FieldsProps) {
  const { t } = useTranslation();
  const isOverMidnight = values.start !== '' && values.end !== '' && values.start > values.end;
  return (
    <>
      <FormPair>
        {(['start', 'end'] as const).map(field => (
          <TextInput
            key={field}
            // The native time input rejects 24:00.
            {...(field === 'end' ? { placeholder: 'HH:mm', maxLength: 5, title: t('campaignForm.endOfDay') } : { type: 'time' })}
            required
            label={t(`policyForm.${field}`)}
            description={field === 'end' && isOverMidnight ? t('policyForm.overMidnight') : t(`policyForm.about.${field}`)}
            value={values[field]}
            error={errorOf(field)}
            onChange={event => set({ [field]: event.currentTarget.value })}
          />
        ))}
      </FormPair>
    </>
  );
}

export function WeekdaysField({ values, set, errorOf }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t('policyForm.days')}
      value={values.days.map(String)}
      error={errorOf('days') ?? (values.days.length === 0 ? t('policyForm.noDay') : undefined)}
      onChange={days => set({ days: days.map(Number) })}
    >
      <Group gap="sm" mt={6}>
        {WEEKDAYS.map(day => (
          <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

export function RegionField({ values, set, errorOf }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('policyForm.region')}
      description={t('policyForm.about.region')}
      maxLength={64}
      value={values.region}
      error={errorOf('region')}
      onChange={event => set({ region: event.currentTarget.value })}
    />
  );
}

export function PurposeField({ values, set, errorOf }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('policyForm.purpose')}
      description={t('policyForm.about.purpose')}
      required
      maxLength={64}
      value={values.purpose}
      error={errorOf('purpose')}
      onChange={event => set({ purpose: event.currentTarget.value })}
    />
  );
}

/** Form of an entry by field; the server validates its meaning. */
const IS_RIGHT = {
  dates: isDate,
  recurringDates: (entry: string) => /^\d{2}-\d{2}$/.test(entry),
  workdayOverrides: isDate,
  numbers: (entry: string) => /^[+\d][\d\s()-]{1,63}$/.test(entry),
  prefixes: (entry: string) => /^\+?\d{1,32}$/.test(entry),
} as const;

/** Rejects dates that `Date` rolls over, such as 02-30 to March. */
function isDate(entry: string): boolean {
  const at = new Date(`${entry}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(entry) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(entry);
}

/** A text area of short entries, one per line, typed or pasted from a spreadsheet; it names the first malformed entry at once. */
export function ListField({ values, set, errorOf, field }: FieldsProps & { field: keyof typeof IS_RIGHT }) {
  const { t } = useTranslation();
  const entries = entriesOf(values[field]);
  const wrong = entries.find(entry => !IS_RIGHT[field](entry));
  return (
    <Textarea
      label={`${t(`policyForm.${field}`)} · ${t('policyForm.entries', { count: entries.length })}`}
      description={t(`policyForm.about.${field}`)}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      value={values[field]}
      error={errorOf(field) ?? (wrong === undefined ? undefined : t('policyForm.wrongEntry', { entry: wrong }))}
      onChange={event => set({ [field]: event.currentTarget.value })}
    />
  );
}

export function IntervalField({ values, set, errorOf }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <SecondsInput
      label={t('policyForm.callIntervalMs')}
      description={t('policyForm.about.callIntervalMs')}
      required
      value={values.callIntervalMs}
      error={errorOf('callIntervalMs')}
      change={callIntervalMs => set({ callIntervalMs })}
    />
  );
}

interface CountFieldProps extends FieldsProps {
  field: 'withinDays' | 'maxAttempts' | 'maxRetries' | 'retryIntervalSeconds' | 'maxConcurrency' | 'hours' | 'maxPercent';
  isOptional?: boolean;
}

export function CountField({ values, set, errorOf, field, isOptional = false }: CountFieldProps) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t(`policyForm.${field}`)}
      description={t(`policyForm.about.${field}`)}
      required={!isOptional}
      min={0}
      allowDecimal={false}
      thousandSeparator=","
      value={values[field]}
      error={errorOf(field)}
      onChange={value => set({ [field]: typeof value === 'number' ? value : '' })}
    />
  );
}
