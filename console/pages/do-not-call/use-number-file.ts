import { useState } from 'react';
import { isRefusal } from '../../api/refusal.ts';
import { upload } from '../../api/upload.ts';
import { ReadNumbersDocument, type ReadNumbersMutation } from './do-not-call.generated.ts';
import { textOf } from './numbers-list.ts';

export type NumberList = Extract<NonNullable<ReadNumbersMutation['result']>, { __typename: 'NumberList' }>;

/** A list that the server has parsed, with its columns. */
interface ReadList {
  file: File;
  list: NumberList;
  /** Whether it was typed or pasted. */
  isPasted: boolean;
}

/**
 * Reads a list as the server reads a contact file, workbooks and any Chinese encoding included. Returns numbers once the column is certain.
 */
export function useNumberFile(take: (numbers: string) => void) {
  const [given, setGiven] = useState<ReadList | null>(null);
  const [isReading, setReading] = useState(false);
  const [unread, setUnread] = useState<string | null>(null);

  async function read(file: File, isPasted: boolean, column: string | null): Promise<void> {
    setReading(true);
    setUnread(null);
    try {
      const { result } = await upload(ReadNumbersDocument, { file, column });
      if (isRefusal(result)) setUnread(result.message);
      else if (result) {
        setGiven({ file, list: result, isPasted });
        if (result.column !== null) take(textOf(result.numbers));
      }
    } catch (error) {
      setUnread((error as Error).message);
    } finally {
      setReading(false);
    }
  }

  return {
    given,
    isReading,
    unread,
    readFile: (file: File) => void read(file, false, null),
    readText: (text: string) => void read(new File([text], 'pasted.txt', { type: 'text/plain' }), true, null),
    choose: (column: string) => given && void read(given.file, given.isPasted, column),
    forget: () => setGiven(null),
  };
}
