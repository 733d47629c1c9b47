import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TranscriptHitsDocument, type TranscriptHitsQuery, type TranscriptHitsQueryVariables } from './transcripts.generated.ts';

type Hits = NonNullable<TranscriptHitsQuery['transcriptHits']>;
export type TranscriptHit = Hits['rows'][number];

interface HitsView {
  rows: readonly TranscriptHit[];
  /** Until when calls have been searched; null: everything has been. */
  searchedTo: string | null;
  isLoading: boolean;
  error: Error | null;
  /** Goes on with older calls; null at the end. */
  goOn: (() => void) | null;
}

interface Found {
  rows: readonly TranscriptHit[];
  next: string | null;
  searchedTo: string | null;
  isLoading: boolean;
  error: Error | null;
}

const NOTHING: Found = { rows: [], next: null, searchedTo: null, isLoading: false, error: null };

/** The calls in which the words were said, request by request; null asks for nothing. */
export function useTranscriptHits(variables: TranscriptHitsQueryVariables | null): HitsView {
  const client = useApolloClient();
  const asked = JSON.stringify(variables);
  const [found, setFound] = useState<Found>(NOTHING);
  /** Only the answer to the latest request counts. */
  const turn = useRef(0);
  const ask = useCallback(
    async (before: string | null, shown: readonly TranscriptHit[]) => {
      turn.current += 1;
      const mine = turn.current;
      setFound(now => ({ ...now, rows: shown, isLoading: true, error: null }));
      const answer = await client
        .query({ query: TranscriptHitsDocument, variables: { ...JSON.parse(asked), before }, fetchPolicy: 'no-cache' })
        .then(
          ({ data }) => grown(shown, data?.transcriptHits),
          (error: Error) => ({ ...NOTHING, rows: shown, error }),
        );
      if (mine === turn.current) setFound(answer);
    },
    [client, asked],
  );
  useEffect(() => {
    turn.current += 1;
    setFound(NOTHING);
    if (asked !== 'null') void ask(null, []);
  }, [ask, asked]);
  const { next, rows, ...view } = found;
  return { ...view, rows, goOn: next === null || found.isLoading ? null : () => void ask(next, rows) };
}

function grown(shown: readonly TranscriptHit[], hits: Hits | null | undefined): Found {
  return {
    rows: [...shown, ...(hits?.rows ?? [])],
    next: hits?.next ?? null,
    searchedTo: hits?.searchedTo ?? null,
    isLoading: false,
    error: null,
  };
}
