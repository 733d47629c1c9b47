import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { RefusedError } from '../../api/refused-error.ts';
import { sendListFile } from '../../api/send-file.ts';
import { useCommands } from '../../form/use-commands.ts';
import { guessedNumber, mappingOf, type Preview, type Use, usesWith } from '../imports/use-import.ts';
import { PreviewListFileDocument, StartListImportDocument, type StartListImportMutationVariables } from './lists.generated.ts';

type Target = Pick<StartListImportMutationVariables['input'], 'listId' | 'campaignId'>;

interface State {
  fileName: string;
  fileId: string | null;
  preview: Preview | null;
  uses: readonly Use[];
  isRemapped: boolean;
  /** How much of the file has been sent; null: none is being sent. */
  sent: number | null;
  isBusy: boolean;
  /** Row id of the job; null before it has started. */
  importId: string | null;
  error: Error | null;
}

const NOTHING: State = {
  fileName: '',
  fileId: null,
  preview: null,
  uses: [],
  isRemapped: false,
  sent: null,
  isBusy: false,
  importId: null,
  error: null,
};

export type ListImporting = ReturnType<typeof useListImport>;

/** State and actions of an import by a job: file or address, columns, progress. */
export function useListImport(target: Target) {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  const [state, setState] = useState(NOTHING);
  const sending = useRef<AbortController | null>(null);
  const change = (part: Partial<State>) => setState(before => ({ ...before, ...part }));

  async function attempt(work: () => Promise<Partial<State>>): Promise<void> {
    change({ isBusy: true, error: null });
    try {
      change({ ...(await work()), isBusy: false, sent: null });
    } catch (error) {
      change({ isBusy: false, sent: null, ...((error as Error).name === 'AbortError' ? {} : { error: error as Error }) });
    }
  }

  async function previewOf(fileId: string, headerRow: number | null): Promise<Partial<State>> {
    const preview = (await read(PreviewListFileDocument, { fileId, headerRow, region: null }))?.listFilePreview;
    if (!preview) throw new Error(t('notice.unreachable'));
    const guessed = guessedNumber(preview);
    const known = preview.columns.map(({ member }) => member);
    return { fileId, preview, uses: guessed < 0 ? known : usesWith(known, guessed, 'PHONE_NUMBER'), isRemapped: guessed >= 0 };
  }

  async function start(source: { fileId: string } | { url: string }): Promise<Partial<State>> {
    const { preview, uses, isRemapped } = state;
    const headerRow = preview && 'fileId' in source ? { headerRow: preview.headerRow } : {};
    const columns = preview && isRemapped ? { columns: mappingOf(preview, uses) } : {};
    const result = await run(StartListImportDocument, { input: { ...target, ...source, options: { ...headerRow, ...columns } } });
    if (!result) throw new Error(t('notice.unreachable'));
    if (isRefusal(result)) throw new RefusedError(result.message);
    return result.__typename === 'Job' ? { importId: result.databaseId } : {};
  }

  return {
    ...state,
    giveFile: (file: File) => {
      sending.current = new AbortController();
      const { signal } = sending.current;
      setState({ ...NOTHING, fileName: file.name, sent: 0 });
      void attempt(async () => previewOf(await sendListFile(file, sent => change({ sent }), signal), null));
    },
    stopSending: () => sending.current?.abort(),
    readAs: (headerRow: number) => state.fileId !== null && void attempt(() => previewOf(state.fileId ?? '', headerRow)),
    use: (index: number, use: Use) => change({ uses: usesWith(state.uses, index, use), isRemapped: true }),
    startFile: () => state.fileId !== null && void attempt(() => start({ fileId: state.fileId ?? '' })),
    startUrl: (url: string) => void attempt(() => start({ url })),
    startOver: () => setState(NOTHING),
  };
}
