import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { CallChoice } from '../../live/call-order.ts';

/** Filter of the calls in the URL, and the same as one string. */
export function useCallChoice(): { choice: CallChoice; choiceKey: string } {
  const [query] = useSearchParams();
  const [campaignId, state, wanted, sort] = ['campaign', 'state', 'wanted', 'sort'].map(name => query.get(name) ?? '');
  return useMemo(() => {
    const choice = { campaignId: campaignId ?? '', state: state ?? '', isWanted: wanted === 'yes', sort: sort ?? '' };
    return { choice, choiceKey: JSON.stringify(choice) };
  }, [campaignId, state, wanted, sort]);
}
