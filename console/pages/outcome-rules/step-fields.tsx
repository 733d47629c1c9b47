import { Checkbox, Group, NumberInput, Select, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type PartOfDay, type Span, type Step, type StepKind, type Unit, UNITS } from './rule-values.ts';
import styles from './outcome-rules.module.css';

const KINDS: readonly StepKind[] = [
  'AGAIN',
  'ANOTHER_PART_OF_DAY',
  'NEXT_NUMBER',
  'LEAVE_MESSAGE',
  'BLOCK',
  'DONE',
  'NOT_REACHED',
  'DO_NOT_CALL',
];
/** Steps that end a contact. */
export const ENDS = ['DONE', 'NOT_REACHED', 'DO_NOT_CALL'] as const satisfies readonly StepKind[];
const PARTS: readonly PartOfDay[] = ['MORNING', 'NOON', 'AFTERNOON', 'EVENING', 'WEEKEND'];
const MAX_MESSAGE = 500;

interface StepFieldsProps {
  step: Step;
  /** Place of the row, counted from 1, for the names of the fields. */
  place: number;
  isFixed: boolean;
  set: (change: Partial<Step>) => void;
}

/** The step of a row and its parameters. */
export function StepFields(props: StepFieldsProps) {
  const { step, place, isFixed, set } = props;
  const { t } = useTranslation();
  return (
    <div className={styles.step}>
      <Select
        aria-label={t('outcomeRules.nextOf', { place })}
        w={170}
        data={KINDS.map(value => ({ value, label: t(`outcomeStep.${value}`) }))}
        allowDeselect={false}
        disabled={isFixed}
        value={step.kind}
        onChange={kind => kind !== null && set({ kind })}
      />
      <Parameters {...props} />
    </div>
  );
}

function Parameters(props: StepFieldsProps) {
  const { step, place, isFixed, set } = props;
  const { t } = useTranslation();
  switch (step.kind) {
    case 'AGAIN':
      return (
        <>
          <After {...props} />
          <SpanField
            name={t('outcomeRules.jitter')}
            label={t('outcomeRules.jitterOf', { place })}
            isFixed={isFixed}
            span={step.jitter}
            set={jitter => set({ jitter })}
          />
        </>
      );
    case 'NEXT_NUMBER':
      return <After {...props} />;
    case 'LEAVE_MESSAGE':
      return (
        <>
          <After {...props} />
          <Textarea
            className={styles.message}
            aria-label={t('outcomeRules.textOf', { place })}
            placeholder={t('outcomeRules.textExample')}
            autosize
            maxLength={MAX_MESSAGE}
            disabled={isFixed}
            value={step.text}
            onChange={event => set({ text: event.currentTarget.value })}
          />
        </>
      );
    case 'ANOTHER_PART_OF_DAY':
      return <PartsField {...props} />;
    case 'BLOCK':
      return (
        <Group gap={6} wrap="nowrap">
          <NumberInput
            aria-label={t('outcomeRules.daysOf', { place })}
            {...WHOLE}
            w={72}
            min={1}
            max={365}
            disabled={isFixed}
            value={step.days}
            onChange={days => set({ days: typeof days === 'number' ? days : '' })}
          />
          <span>{t('outcomeRules.unit.DAY')}</span>
        </Group>
      );
    case 'DONE':
    case 'NOT_REACHED':
    case 'DO_NOT_CALL':
      return null;
    default:
      return step.kind satisfies never;
  }
}

export const WHOLE = { allowDecimal: false, hideControls: true, clampBehavior: 'none' } as const;

function After({ step, place, isFixed, set }: StepFieldsProps) {
  const { t } = useTranslation();
  return (
    <SpanField
      name={t('outcomeRules.after')}
      label={t('outcomeRules.afterOf', { place })}
      isFixed={isFixed}
      span={step.after}
      set={after => set({ after })}
    />
  );
}

function PartsField({ step, place, isFixed, set }: StepFieldsProps) {
  const { t } = useTranslation();
  const toggle = (part: PartOfDay, isOn: boolean) =>
    set({ parts: PARTS.filter(each => (each === part ? isOn : step.parts.includes(each))) });
  return (
    <div role="group" aria-label={t('outcomeRules.partsOf', { place })} className={styles.parts}>
      {PARTS.map(part => (
        <Checkbox
          key={part}
          size="xs"
          label={t(`partOfDay.${part}`)}
          disabled={isFixed}
          checked={step.parts.includes(part)}
          onChange={event => toggle(part, event.currentTarget.checked)}
        />
      ))}
    </div>
  );
}

interface SpanFieldProps {
  /** Stands before the amount. */
  name: string;
  label: string;
  isFixed: boolean;
  span: Span;
  set: (span: Span) => void;
}

/** A span of time as amount and unit. */
function SpanField({ name, label, isFixed, span, set }: SpanFieldProps) {
  const { t } = useTranslation();
  const units = (Object.keys(UNITS) as Unit[]).filter(unit => unit !== 'SECOND' || span.unit === 'SECOND');
  return (
    <Group gap={6} wrap="nowrap">
      <span className={`quiet ${styles.name}`}>{name}</span>
      <NumberInput
        aria-label={label}
        {...WHOLE}
        w={52}
        min={0}
        disabled={isFixed}
        value={span.amount}
        onChange={amount => set({ ...span, amount: typeof amount === 'number' ? amount : '' })}
      />
      <Select
        aria-label={t('outcomeRules.unitOf', { field: label })}
        w={84}
        data={units.map(value => ({ value, label: t(`outcomeRules.unit.${value}`) }))}
        allowDeselect={false}
        disabled={isFixed}
        value={span.unit}
        onChange={unit => unit !== null && set({ ...span, unit })}
      />
    </Group>
  );
}
