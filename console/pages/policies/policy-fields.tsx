import { Checkbox, Group, NumberInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BusinessZone } from '../../ui/business-zone.tsx';
import { FormPair } from '../../form/form.tsx';
import type { Form } from '../../form/use-form.ts';
import { EntriesField } from './entries-field.tsx';
import type { PolicyType } from './policy-types.ts';
import { WEEKDAYS } from './policy-types.ts';
import type { PolicyValues } from './policy-values.ts';
import { weekdayName } from './use-weekdays.ts';

type FieldsProps = Pick<Form<PolicyValues>, 'values' | 'set' | 'errorOf'>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MONTH_DAY = /^\d{2}-\d{2}$/;
const NUMBER = /^[+\d][\d\s()-]{1,63}$/;
const PREFIX = /^\+?\d{1,32}$/;

/** The fields of one policy type, each with its explanation. */
export function PolicyFields(props: FieldsProps) {
  return FIELDS[props.values.type](props);
}

const FIELDS: Readonly<Record<PolicyType, (props: FieldsProps) => React.ReactNode>> = {
  DAILY_WINDOW: props => <TimesField {...props} />,
  WEEKLY_WINDOW: props => (
    <>
      <WeekdaysField {...props} />
      <TimesField {...props} />
    </>
  ),
  BLOCKED_DATES: props => <ListField {...props} field="dates" shape={DATE} isDate />,
  HOLIDAY_BLOCKLIST: props => (
    <>
      <ListField {...props} field="dates" shape={DATE} isDate />
      <ListField {...props} field="recurringDates" shape={MONTH_DAY} />
      <ListField {...props} field="workdayOverrides" shape={DATE} isDate />
      <RegionField {...props} />
    </>
  ),
  PHONE_BLACKLIST: props => <ListField {...props} field="numbers" shape={NUMBER} />,
  PHONE_PREFIX_BLOCKLIST: props => <ListField {...props} field="prefixes" shape={PREFIX} />,
  CONTACT_FREQUENCY_LIMIT: props => (
    <FormPair>
      <CountField {...props} field="maxAttempts" />
      <CountField {...props} field="withinDays" />
    </FormPair>
  ),
  RATE_LIMIT: props => <CountField {...props} field="callIntervalMs" />,
  RETRY_RULE: props => (
    <FormPair>
      <CountField {...props} field="maxRetries" isOptional />
      <CountField {...props} field="retryIntervalSeconds" isOptional />
    </FormPair>
  ),
  CONCURRENCY_LIMIT: props => <CountField {...props} field="maxConcurrency" />,
};

function TimesField({ values, set, errorOf }: FieldsProps) {
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
      <BusinessZone />
    </>
  );
}

function WeekdaysField({ values, set, errorOf }: FieldsProps) {
  const { t, i18n } = useTranslation();
  return (
    <Checkbox.Group
      label={t('policyForm.days')}
      value={values.days.map(String)}
      error={errorOf('days') ?? (values.days.length === 0 ? t('policyForm.noDay') : undefined)}
      onChange={days => set({ days: days.map(Number) })}
    >
      <Group gap="sm" mt={6}>
        {WEEKDAYS.map(day => (
          <Checkbox key={day} value={String(day)} label={weekdayName(day, i18n.language)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function RegionField({ values, set, errorOf }: FieldsProps) {
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

interface ListFieldProps extends FieldsProps {
  field: 'dates' | 'recurringDates' | 'workdayOverrides' | 'numbers' | 'prefixes';
  shape: RegExp;
  isDate?: boolean;
}

function ListField({ values, set, errorOf, field, shape, isDate = false }: ListFieldProps) {
  const { t } = useTranslation();
  return (
    <EntriesField
      label={t(`policyForm.${field}`)}
      about={t(`policyForm.about.${field}`)}
      text={values[field]}
      change={text => set({ [field]: text })}
      error={errorOf(field)}
      isRight={entry => shape.test(entry) && (!isDate || isOnCalendar(entry))}
    />
  );
}

/** Rejects dates that `Date` rolls over, such as 02-30 to March. */
function isOnCalendar(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}

interface CountFieldProps extends FieldsProps {
  field: 'withinDays' | 'maxAttempts' | 'callIntervalMs' | 'maxRetries' | 'retryIntervalSeconds' | 'maxConcurrency';
  isOptional?: boolean;
}

function CountField({ values, set, errorOf, field, isOptional = false }: CountFieldProps) {
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
