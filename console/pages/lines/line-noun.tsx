import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import { emptyAsNull, type Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { GatewayFacts } from './gateways.tsx';
import { LinePrices } from './line-prices.tsx';
import {
  CreateLineDocument,
  type CreateLineMutationVariables,
  DeleteLineDocument,
  LineDocument,
  type LineRowFragment,
  UpdateLineDocument,
} from './lines.generated.ts';
import { NO_RULES, type NumberRuleValues, NumberRulesFields, rulesInput, ruleValuesOf } from './number-rules.tsx';
import { NumberUseFacts } from './number-use.tsx';
import { NumberPool, type PoolNumber } from './number-pool.tsx';

const MODES = ['SINGLE_SHARED', 'NUMBER_POOL', 'BOUND_NUMBERS'] as const;
const HEADER_MODES = ['CALLER_ID_ONLY', 'P_PREFERRED_IDENTITY', 'FROM_AND_P_PREFERRED_IDENTITY'] as const;
const NUMBER_FORMATS = ['NATIONAL', 'NATIONAL_WITH_TRUNK_ELSEWHERE', 'E164', 'E164_WITHOUT_PLUS'] as const;

interface LineValues {
  name: string;
  code: string;
  dialStringTemplate: string;
  maxConcurrency: number | '';
  allocationMode: (typeof MODES)[number];
  callerIdNumber: string;
  callerIdName: string;
  callerIdHeaderMode: (typeof HEADER_MODES)[number];
  numberFormat: (typeof NUMBER_FORMATS)[number];
  localPrefixes: string;
  numbers: readonly PoolNumber[];
  numberRules: NumberRuleValues;
  description: string;
}

const EMPTY: LineValues = {
  name: '',
  code: '',
  dialStringTemplate: '',
  maxConcurrency: 10,
  allocationMode: 'SINGLE_SHARED',
  callerIdNumber: '',
  callerIdName: '',
  callerIdHeaderMode: 'CALLER_ID_ONLY',
  numberFormat: 'NATIONAL',
  localPrefixes: '',
  numbers: [],
  numberRules: NO_RULES,
  description: '',
};

function valuesOf(line: LineRowFragment | null): LineValues {
  if (line === null) return EMPTY;
  const { name, lineCode: code, dialStringTemplate, maxConcurrency, allocationMode, callerIdHeaderMode, description } = line;
  return {
    name,
    code,
    dialStringTemplate,
    maxConcurrency,
    allocationMode,
    callerIdHeaderMode,
    numberFormat: line.numberFormat,
    localPrefixes: line.localPrefixes,
    description,
    callerIdNumber: line.callerIdNumber ?? '',
    callerIdName: line.callerIdName ?? '',
    numbers: line.numbers.map(({ number, weight, maxConcurrency: cap, isEnabled, hourlyCap, dailyCap }) => ({
      number,
      weight,
      maxConcurrency: cap,
      isEnabled,
      hourlyCap: hourlyCap ?? '',
      dailyCap: dailyCap ?? '',
    })),
    numberRules: ruleValuesOf(line.numberRules),
  };
}

/** The form has the same members as the API. */
function inputOf(values: Partial<LineValues>) {
  const { numbers, numberRules, ...others } = emptyAsNull(values, ['callerIdNumber', 'callerIdName', 'maxConcurrency']);
  return {
    ...others,
    ...(numbers && { numbers: numbers.map(number => emptyAsNull(number, ['hourlyCap', 'dailyCap'])) }),
    ...(numberRules && { numberRules: rulesInput(numberRules) }),
  } as unknown as CreateLineMutationVariables['input'];
}

/** Lines with their form and actions. */
export function useLineNoun(listChanged: () => unknown): Noun<LineRowFragment, LineValues> {
  const fields = useFields();
  const { run, read } = useCommands();
  return {
    text: 'lines',
    needs: 'line:write',
    auditedAs: 'line',
    nameOf: ({ name }) => name,
    fields: () => fields,
    valuesOf,
    listChanged,
    create: values => run(CreateLineDocument, { input: inputOf(values) }),
    update: ({ databaseId: id }, changes) => run(UpdateLineDocument, { id, input: inputOf(changes) }),
    reload: async ({ databaseId: id }) => (await read(LineDocument, { id }))?.line ?? null,
    remove: ({ databaseId: id }) => run(DeleteLineDocument, { id }),
    facts: ({ databaseId, gateways }) => (
      <>
        <GatewayFacts gateways={gateways} />
        <NumberUseFacts lineId={databaseId} />
      </>
    ),
    more: ({ databaseId }) => <LinePrices lineId={databaseId} />,
    power: {
      isEnabled: ({ isEnabled }) => isEnabled,
      set: ({ databaseId: id }, isEnabled) => run(UpdateLineDocument, { id, input: { isEnabled } }),
      warning: 'lines.disableLoses',
    },
  };
}

function useFields(): readonly Field<LineValues>[] {
  const { t } = useTranslation();
  return [
    { kind: 'text', name: 'name', maxLength: 128, isNeeded: true },
    { kind: 'text', name: 'code', maxLength: 64, isNeeded: true, hasAbout: true },
    { kind: 'text', name: 'dialStringTemplate', maxLength: 1_000, isNeeded: true, hasAbout: true },
    { kind: 'count', name: 'maxConcurrency', min: 1, max: 100_000, isNeeded: true, hasAbout: true },
    {
      kind: 'choice',
      name: 'allocationMode',
      isNeeded: true,
      choices: MODES.map(value => ({ value, label: t(`allocationMode.${value}`) })),
    },
    {
      kind: 'own',
      name: 'numbers',
      draw: ({ values, set, errorOf }, isFixed) => (
        <NumberPool
          numbers={values.numbers}
          set={numbers => set({ numbers })}
          mode={values.allocationMode}
          error={errorOf('numbers')}
          isFixed={isFixed}
        />
      ),
    },
    {
      kind: 'own',
      name: 'numberRules',
      draw: ({ values, set, errorOf }, isFixed) => (
        <NumberRulesFields
          rules={values.numberRules}
          set={numberRules => set({ numberRules })}
          error={errorOf('numberRules')}
          isFixed={isFixed}
        />
      ),
    },
    { kind: 'text', name: 'callerIdNumber', maxLength: 32, hasAbout: true },
    { kind: 'text', name: 'callerIdName', maxLength: 128 },
    {
      kind: 'choice',
      name: 'callerIdHeaderMode',
      isNeeded: true,
      choices: HEADER_MODES.map(value => ({ value, label: t(`callerIdHeaderMode.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'numberFormat',
      isNeeded: true,
      choices: NUMBER_FORMATS.map(value => ({ value, label: t(`numberFormat.${value}`) })),
    },
    { kind: 'text', name: 'localPrefixes', maxLength: 4_000, hasAbout: true },
    { kind: 'long', name: 'description', maxLength: 2_000 },
  ];
}
