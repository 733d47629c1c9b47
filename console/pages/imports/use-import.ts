import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { RefusedError } from '../../api/refused-error.ts';
import { upload } from '../../api/upload.ts';
import { csvOf } from '../../table/csv.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import {
  ImportContactsDocument,
  type ImportContactsMutation,
  type ImportContactsMutationVariables,
  type ImportPreviewPartsFragment,
  PreviewImportDocument,
} from './import.generated.ts';

type ResultOf<Answer, Name> = Extract<Answer, { __typename: Name }>;
export type Preview = ImportPreviewPartsFragment;
export type ImportResult = ResultOf<NonNullable<ImportContactsMutation['result']>, 'ContactImport'>;
export type FaultyRow = ImportResult['errors'][number];
type Options = NonNullable<ImportContactsMutationVariables['options']>;

/** Field to which a column maps; `IGNORED` columns are not imported. */
export type Use = Preview['columns'][number]['member'];

/** How a file is read. */
interface Reading {
  /** Null: the first visible sheet. */
  sheet: string | null;
  /** 0: there is none; null: the server detects it. */
  headerRow: number | null;
  includeHidden: boolean;
}

export const STEPS = ['file', 'columns', 'check', 'done'] as const;
type Step = (typeof STEPS)[number];

interface NumberRules {
  region: string;
  carriers: NonNullable<Options['carriers']>;
  landline: NonNullable<Options['landline']>;
  duplicates: NonNullable<Options['duplicates']>;
  /** Empty: whenever anybody was called. */
  contactedWithinDays: number | '';
}

/** State of an import between its file and its contacts. */
interface State {
  file: File | null;
  preview: Preview | null;
  reading: Reading;
  uses: readonly Use[];
  /** Whether the mapping differs from the one that the server recognised. */
  isRemapped: boolean;
  /** Key of the column that was recognised as the number by its cells alone, until the user confirms it. */
  guessed: string | null;
  rules: NumberRules;
  check: ImportResult | null;
  done: ImportResult | null;
  /** For a file of corrected rows: the row number of each in the first file. */
  origin: readonly number[] | null;
  /** Rejected rows that have not been corrected yet. */
  left: readonly FaultyRow[];
  /** Id of the import that is running. */
  importId: string | null;
  isBusy: boolean;
  error: Error | null;
}

const AS_IT_IS: Reading = { sheet: null, headerRow: null, includeHidden: false };

const NOTHING: State = {
  file: null,
  preview: null,
  reading: AS_IT_IS,
  uses: [],
  isRemapped: false,
  guessed: null,
  rules: { region: '', carriers: [], landline: 'ALLOW', duplicates: 'CAMPAIGN', contactedWithinDays: '' },
  check: null,
  done: null,
  origin: null,
  left: [],
  importId: null,
  isBusy: false,
  error: null,
};

/** How a file of corrected rows is read: its first row is the header. */
const MENDED: Reading = { sheet: null, headerRow: 1, includeHidden: false };

export type Importing = ReturnType<typeof useImport>;

/** State and actions of the four import steps. */
export function useImport(campaignId: string) {
  const { t } = useTranslation();
  const [state, setState] = useState(NOTHING);
  const [asked, setAsked] = useQueryState('step', true);
  const latest = useRef(state);
  latest.current = state;
  const change = (part: Partial<State>) => setState(before => ({ ...before, ...part }));
  const reached = state.done ? 3 : state.check ? 2 : state.preview ? 1 : 0;
  const wanted = STEPS.findIndex(step => step === asked);
  const step = STEPS[Math.min(Math.max(wanted, 0), reached)] ?? 'file';

  /** Sends one request to the server; a refusal appears at the step that sent it. */
  async function ask<Result extends { __typename: string }>(
    question: () => Promise<Result | null | undefined>,
    then: (result: Result) => Partial<State>,
    next: Step,
  ): Promise<void> {
    change({ isBusy: true, error: null });
    try {
      const result = await question();
      if (!result) throw new Error(t('notice.unreachable'));
      if (isRefusal(result)) throw new RefusedError((result as { message: string }).message);
      change({ ...then(result), isBusy: false, importId: null });
      setAsked(next);
    } catch (error) {
      change({ isBusy: false, importId: null, error: error as Error });
    }
  }

  const preview = (file: File, reading: Reading) =>
    ask(
      async () => (await upload(PreviewImportDocument, { file, ...reading, region: regionOf(latest.current.rules) })).result,
      result => {
        if (result.__typename !== 'ImportPreview') return {};
        const recognised = result.columns.map(({ member }) => member);
        // The reasons of an earlier import, in a file that was downloaded here.
        const known = result.columns.map(({ name, member }): Use => (name === t('import.reasonColumn') ? 'IGNORED' : member));
        const guessed = guessedNumber(result);
        const uses = guessed < 0 ? known : usesWith(known, guessed, 'PHONE_NUMBER');
        const isRemapped = uses.some((use, index) => use !== recognised[index]);
        const { rules } = latest.current;
        return {
          ...NOTHING,
          rules: { ...rules, region: rules.region || result.region },
          file,
          reading,
          preview: result,
          uses,
          isRemapped,
          guessed: result.columns[guessed]?.key ?? null,
        };
      },
      'columns',
    );

  const run = (file: File, dryRun: boolean) => {
    const importId = newUuid();
    change({ importId });
    return ask(
      async () =>
        (await upload(ImportContactsDocument, { campaignId, file, importId, options: { ...optionsOf(latest.current), dryRun } })).result,
      result => {
        if (result.__typename !== 'ContactImport') return {};
        const report = { ...result, errors: withLeft(result.errors, latest.current) };
        return dryRun ? { check: report, done: null } : { done: report };
      },
      dryRun ? 'check' : 'done',
    );
  };

  return {
    ...state,
    step,
    reached,
    goTo: (index: number) => setAsked(STEPS[Math.min(index, reached)] ?? 'file'),
    giveFile: (file: File) => void preview(file, AS_IT_IS),
    /** Reads the file again with other options; another sheet has its own header. */
    readAs: (part: Partial<Reading>) =>
      state.file && void preview(state.file, { ...state.reading, ...('sheet' in part ? { headerRow: null } : {}), ...part }),
    use: (index: number, use: Use) =>
      change({ uses: usesWith(state.uses, index, use), isRemapped: true, guessed: null, check: null, done: null }),
    rule: (rules: Partial<NumberRules>) => change({ rules: { ...state.rules, ...rules }, check: null, done: null }),
    check: state.check,
    runCheck: () => state.file && void run(state.file, true),
    runImport: () => state.file && void run(state.file, false),
    /** Checks corrected rows, as a file of their own with the same columns. */
    checkMended: (rows: readonly FaultyRow[], cellsOf: (row: FaultyRow) => readonly string[]) => {
      if (!state.preview) return;
      // A column without a name keeps its key as its name.
      const file = new File([csvOf([state.preview.columns.map(({ key }) => key), ...rows.map(cellsOf)])], 'mended.csv', {
        type: 'text/csv',
      });
      const shown = (step === 'done' ? state.done : state.check)?.errors ?? [];
      change({
        file,
        reading: MENDED,
        isRemapped: true,
        origin: rows.map(({ rowNumber }) => rowNumber),
        left: shown.filter(row => !rows.includes(row)),
      });
      void run(file, true);
    },
    startOver: () => {
      setState(NOTHING);
      setAsked('');
    },
  };
}

/** Rejected rows of a file of corrected rows under their original row numbers, together with the rows that are still to be corrected. */
function withLeft(errors: readonly FaultyRow[], { origin, left }: State): FaultyRow[] {
  const numbered = errors.map(row => ({ ...row, rowNumber: origin?.[row.rowNumber - 1] ?? row.rowNumber }));
  return [...left, ...numbered].sort((one, other) => one.rowNumber - other.rowNumber);
}

/** Every field but variables of the call can be mapped to one column only. */
export function usesWith(uses: readonly Use[], chosen: number, use: Use): Use[] {
  const isSingle = use !== 'METADATA' && use !== 'IGNORED' && use !== 'OTHER_NUMBER';
  return uses.map((before, index) => (index === chosen ? use : isSingle && before === use ? 'METADATA' : before));
}

/** Index of the only column that contains numbers when no column name identifies it; -1: none. */
export function guessedNumber({ columns }: Preview): number {
  const likely = columns.flatMap(({ looksLikeNumbers }, index) => (looksLikeNumbers ? [index] : []));
  const isKnown = columns.some(({ member }) => member === 'PHONE_NUMBER');
  return isKnown || likely.length !== 1 ? -1 : (likely[0] ?? -1);
}

/** Null while the user is still typing the region code. */
function regionOf({ region }: NumberRules): string | null {
  return region.length === 2 ? region : null;
}

function optionsOf({ preview, uses, isRemapped, reading, rules }: State): Options {
  const { carriers, contactedWithinDays, ...others } = rules;
  const days = contactedWithinDays === '' ? {} : { contactedWithinDays };
  const options = { ...others, ...reading, ...days, ...(carriers.length > 0 ? { carriers } : {}) };
  return preview && isRemapped ? { ...options, columns: mappingOf(preview, uses) } : options;
}

/** Maps members of a contact to columns of the file, by the use chosen for each column. */
export function mappingOf(preview: Preview, uses: readonly Use[]) {
  const keys = (use: Use) => preview.columns.filter((_column, index) => uses[index] === use).map(({ key }) => key);
  const [phoneNumber = ''] = keys('PHONE_NUMBER');
  const [customerName] = keys('CUSTOMER_NAME');
  const [remark] = keys('REMARK');
  const [timeZone] = keys('TIME_ZONE');
  const [externalId] = keys('EXTERNAL_ID');
  const [callbackAt] = keys('CALLBACK_AT');
  const [callbackNote] = keys('CALLBACK_NOTE');
  const [variables] = keys('VARIABLES');
  const texts = { customerName, remark, timeZone, externalId, callbackAt, callbackNote, variables };
  return { phoneNumber, numbers: keys('OTHER_NUMBER'), ...texts, metadata: keys('METADATA') };
}

/** A random UUID, also over plain HTTP, where `crypto.randomUUID` is missing. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
