import { NumberInput, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormPart } from '../../form/form.tsx';
import type { LineRowFragment } from './lines.generated.ts';

type Stored = LineRowFragment['numberRules'];
type Amount = 'hourlyCap' | 'dailyCap' | 'restAfterDials' | 'restMinutes' | 'fewAnswersRestHours';

/** The rules as the form holds them: an amount may be empty. */
export type NumberRuleValues = Omit<Stored, '__typename' | Amount> & Record<Amount, number | ''>;

const ACTIONS = ['OFF', 'ASK', 'REST'] as const;

/** Least and greatest amounts, as the server has them. */
const BOUNDS: Readonly<Record<Amount, { max: number; isNeeded: boolean }>> = {
  hourlyCap: { max: 10_000, isNeeded: false },
  dailyCap: { max: 10_000, isNeeded: false },
  restAfterDials: { max: 200, isNeeded: false },
  restMinutes: { max: 1_440, isNeeded: true },
  fewAnswersRestHours: { max: 720, isNeeded: true },
};

export const NO_RULES: NumberRuleValues = {
  hourlyCap: '',
  dailyCap: '',
  restAfterDials: '',
  restMinutes: 10,
  keepsNumber: false,
  prefersPlace: false,
  changesOnRetry: true,
  onFewAnswers: 'OFF',
  fewAnswersRestHours: 24,
};

export function ruleValuesOf({ __typename, hourlyCap, dailyCap, restAfterDials, ...rules }: Stored): NumberRuleValues {
  return { ...rules, hourlyCap: hourlyCap ?? '', dailyCap: dailyCap ?? '', restAfterDials: restAfterDials ?? '' };
}

/** An empty limit is none. */
export function rulesInput({ hourlyCap, dailyCap, restAfterDials, restMinutes, fewAnswersRestHours, ...rules }: NumberRuleValues) {
  const orNone = (value: number | '') => (value === '' ? null : value);
  return {
    ...rules,
    hourlyCap: orNone(hourlyCap),
    dailyCap: orNone(dailyCap),
    restAfterDials: orNone(restAfterDials),
    restMinutes: orNone(restMinutes) ?? 10,
    fewAnswersRestHours: orNone(fewAnswersRestHours) ?? 24,
  };
}

interface NumberRulesProps {
  rules: NumberRuleValues;
  set: (rules: NumberRuleValues) => void;
  error: string | undefined;
  isFixed: boolean;
}

/** How the caller numbers of a line are spared and chosen. */
export function NumberRulesFields({ rules, set, error, isFixed }: NumberRulesProps) {
  const { t } = useTranslation();
  const amount = (name: Amount) => <AmountField name={name} rules={rules} set={set} isFixed={isFixed} />;
  const choice = (name: 'keepsNumber' | 'prefersPlace' | 'changesOnRetry') => (
    <Switch
      label={t(`numberRules.${name}`)}
      disabled={isFixed}
      checked={rules[name]}
      onChange={event => set({ ...rules, [name]: event.currentTarget.checked })}
    />
  );
  return (
    <FormPart title={t('lines.field.numberRules')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs" mb="sm">
        {amount('hourlyCap')}
        {amount('dailyCap')}
        {amount('restAfterDials')}
        {amount('restMinutes')}
      </SimpleGrid>
      <Stack gap="xs" mb="sm">
        {choice('keepsNumber')}
        {choice('prefersPlace')}
        {choice('changesOnRetry')}
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={t('numberRules.onFewAnswers')}
          description={t('numberRules.aboutFewAnswers')}
          disabled={isFixed}
          allowDeselect={false}
          value={rules.onFewAnswers}
          onChange={chosen => set({ ...rules, onFewAnswers: ACTIONS.find(action => action === chosen) ?? 'OFF' })}
          data={ACTIONS.map(value => ({ value, label: t(`fewAnswers.${value}`) }))}
        />
        {rules.onFewAnswers === 'REST' && amount('fewAnswersRestHours')}
      </SimpleGrid>
      {error && (
        <Text size="xs" c="var(--failed)" role="alert">
          {error}
        </Text>
      )}
    </FormPart>
  );
}

function AmountField({ name, rules, set, isFixed }: Omit<NumberRulesProps, 'error'> & { name: Amount }) {
  const { t } = useTranslation();
  const { max, isNeeded } = BOUNDS[name];
  return (
    <NumberInput
      label={t(`numberRules.${name}`)}
      placeholder={isNeeded ? undefined : t('numberRules.unlimited')}
      min={1}
      max={max}
      allowDecimal={false}
      clampBehavior="none"
      required={isNeeded}
      disabled={isFixed}
      value={rules[name]}
      onChange={next => set({ ...rules, [name]: typeof next === 'number' ? next : '' })}
    />
  );
}
