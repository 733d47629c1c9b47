import { useQuery } from '@apollo/client/react';
import { Button, CloseButton, Group, Popover, Select, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import {
  type Condition,
  conditionOf,
  conditionsIn,
  MAX_CONDITIONS,
  needsValue,
  type Operator,
  OPERATORS,
  PERIODS,
  textOfConditions,
  typedAs,
} from './conditions.ts';
import { ResultInput } from './result-input.tsx';
import { kindOf, nameOfField, type ResultField } from './result-values.ts';
import { ResultFieldsDocument } from './results.generated.ts';
import { useResultWords } from './use-result-words.ts';

/** Query parameter of the conditions. */
export const RESULT_PARAM = 'result';

/** The conditions on result fields in the URL. */
export function useResultConditions(): Condition[] {
  const [text] = useQueryState(RESULT_PARAM);
  return useMemo(() => conditionsIn(text), [text]);
}

/** Filters a list by what calls found out; kept in the URL. Nothing where no script declares a field. */
export function ResultFilter({ campaignId }: { campaignId: string | null }) {
  const { t } = useTranslation();
  const [, write] = useQueryState(RESULT_PARAM);
  const conditions = useResultConditions();
  const [isOpen, setOpen] = useState(false);
  const fields = useQuery(ResultFieldsDocument, { variables: { campaignId } }).data?.resultFields ?? [];
  const set = (next: readonly Condition[]) => write(textOfConditions(next));
  if (fields.length === 0 && conditions.length === 0) return null;
  return (
    <Popover position="bottom-start" trapFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button
          variant={conditions.length > 0 ? 'light' : 'default'}
          fw={400}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          rightSection={<span aria-hidden>▾</span>}
          onClick={() => setOpen(!isOpen)}
        >
          {conditions.length > 0 ? t('results.filter.used', { count: conditions.length }) : t('results.filter.label')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('results.filter.label')}>
        <Stack gap="sm" w={540} maw="90vw">
          <Chosen conditions={conditions} fields={fields} set={set} />
          {conditions.length < MAX_CONDITIONS && (
            <NewCondition
              fields={fields}
              add={condition => {
                set([...conditions, condition]);
                setOpen(false);
              }}
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChosenProps {
  conditions: readonly Condition[];
  fields: readonly ResultField[];
  set: (conditions: readonly Condition[]) => void;
}

function Chosen({ conditions, fields, set }: ChosenProps) {
  const { t } = useTranslation();
  const words = useConditionWords(fields);
  if (conditions.length === 0) return <Text className="quiet">{t('results.filter.about')}</Text>;
  return (
    <Stack gap={4}>
      {conditions.map((condition, index) => (
        <Group key={JSON.stringify(condition)} justify="space-between" wrap="nowrap">
          <Text>{words(condition)}</Text>
          <CloseButton
            aria-label={t('results.filter.drop', { condition: words(condition) })}
            onClick={() => set(conditions.filter((_condition, place) => place !== index))}
          />
        </Group>
      ))}
    </Stack>
  );
}

/** A condition in words, such as "Visit time: next week". */
export function useConditionWords(fields: readonly ResultField[]): (condition: Condition) => string {
  const { t } = useTranslation();
  const words = useResultWords();
  return ({ key, op, value }) => {
    const field = fields.find(each => each.key === key) ?? { key, label: '', type: 'text' };
    const said = op === 'WITHIN' ? t(`results.period.${String(value)}`) : words(typedAs(field, op), value);
    return t(`results.filter.says.${op}`, { field: nameOfField(field), value: said });
  };
}

function NewCondition({ fields, add }: { fields: readonly ResultField[]; add: (condition: Condition) => void }) {
  const { t } = useTranslation();
  const [key, setKey] = useState(fields[0]?.key ?? '');
  const field = fields.find(each => each.key === key) ?? fields[0];
  const [op, setOp] = useState<Operator | null>(null);
  const [input, setInput] = useState('');
  if (!field) return null;
  const operators = OPERATORS[kindOf(field)];
  const chosen = op !== null && operators.includes(op) ? op : (operators[0] ?? 'EXISTS');
  const condition = conditionOf(field, chosen, input);
  return (
    <Group gap="xs" align="end">
      <Select
        w={160}
        label={t('results.filter.field')}
        allowDeselect={false}
        searchable={fields.length > 12}
        value={field.key}
        onChange={next => {
          setKey(next ?? field.key);
          setOp(null);
          setInput('');
        }}
        data={fields.map(each => ({ value: each.key, label: nameOfField(each) }))}
        comboboxProps={{ withinPortal: false }}
      />
      <Select
        w={120}
        label={t('results.filter.op')}
        allowDeselect={false}
        value={chosen}
        onChange={next => {
          setOp(operators.find(each => each === next) ?? chosen);
          setInput('');
        }}
        data={operators.map(each => ({ value: each, label: t(`results.op.${each}`) }))}
        comboboxProps={{ withinPortal: false }}
      />
      {needsValue(chosen) && <ValueInput field={field} op={chosen} value={input} set={setInput} />}
      <ActButton reason={condition === null ? t('results.filter.valueFirst') : null} act={() => condition && add(condition)}>
        {t('results.filter.add')}
      </ActButton>
    </Group>
  );
}

interface ValueInputProps {
  field: ResultField;
  op: Operator;
  value: string;
  set: (value: string) => void;
}

function ValueInput({ field, op, value, set }: ValueInputProps) {
  const { t } = useTranslation();
  if (op !== 'WITHIN')
    return <ResultInput isInPopover w={140} field={typedAs(field, op)} label={t('results.filter.value')} value={value} set={set} />;
  return (
    <Select
      w={140}
      label={t('results.filter.value')}
      value={value || null}
      onChange={chosen => set(chosen ?? '')}
      data={PERIODS.map(period => ({ value: period, label: t(`results.period.${period}`) }))}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
