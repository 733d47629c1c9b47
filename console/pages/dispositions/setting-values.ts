import type {
  DispositionPartsFragment,
  DispositionStatePartsFragment,
  SetCampaignDispositionsMutationVariables,
} from './dispositions.generated.ts';

export type SettingsInput = SetCampaignDispositionsMutationVariables['input'];

export type Row = Omit<DispositionPartsFragment, '__typename'>;

/** Values of the form: its own setting, or the inherited one. */
export interface SettingValues {
  hasOwnList: boolean;
  dispositions: readonly Row[];
  hasOwnTime: boolean;
  wrapUpSeconds: number | '';
  isRequired: 'inherit' | 'yes' | 'no';
}

/** A setting that is inherited begins with what it follows, should it become one's own. */
export function valuesOf({ own, inherited }: DispositionStatePartsFragment): SettingValues {
  return {
    hasOwnList: own.dispositions !== null,
    dispositions: own.dispositions ?? inherited.dispositions,
    hasOwnTime: own.wrapUpSeconds !== null,
    wrapUpSeconds: own.wrapUpSeconds ?? inherited.wrapUpSeconds,
    isRequired: own.isRequired === null ? 'inherit' : own.isRequired ? 'yes' : 'no',
  };
}

export function inputOf(values: SettingValues, version: number): SettingsInput {
  return {
    dispositions: values.hasOwnList ? values.dispositions.map(rowInput) : null,
    wrapUpSeconds: values.hasOwnTime ? Number(values.wrapUpSeconds) : null,
    isRequired: values.isRequired === 'inherit' ? null : values.isRequired === 'yes',
    version,
  };
}

function rowInput({ code, label, category, needsNote, needsCallback, isEnabled }: Row): Row {
  return { code, label, category, needsNote, needsCallback, isEnabled };
}

/** A row to be filled in; its code is free in the list. */
export function newRow(rows: readonly Row[]): Row {
  const codes = new Set(rows.map(({ code }) => code));
  let next = rows.length + 1;
  while (codes.has(`d${next}`)) next += 1;
  return { code: `d${next}`, label: '', category: 'OTHER', needsNote: false, needsCallback: false, isEnabled: true };
}

/** The list with one row moved by a place. */
export function moved<Item>(rows: readonly Item[], from: number, by: 1 | -1): Item[] {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row !== undefined) next.splice(from + by, 0, row);
  return next;
}
