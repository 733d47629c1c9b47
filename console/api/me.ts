import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { setBusinessZone } from '../text/business-zone.ts';
import { setRegion } from '../text/phone-number.ts';
import { MeDocument, type MeQuery } from './me.generated.ts';

export interface Me {
  user: NonNullable<NonNullable<MeQuery['me']>['user']> | null;
  /** Business time zone; null while loading. */
  timeZone: string | null;
  /** Country of the installation, ISO 3166-1 alpha-2; null while loading. */
  region: string | null;
  /** Whether the permissions and the zone are known. */
  isKnown: boolean;
  /** Undefined while loading. */
  may: (permission: string | null) => boolean | undefined;
}

/** The signed-in user and their permissions. */
export function useMe(): Me {
  const { data } = useQuery(MeDocument, { fetchPolicy: 'cache-first' });
  const me = data?.me;
  // The formatters read it when they are called, as they read the language; pages are drawn after it is known.
  if (me?.timeZone) setBusinessZone(me.timeZone);
  if (me?.region) setRegion(me.region);
  return {
    user: me?.user ?? null,
    timeZone: me?.timeZone ?? null,
    region: me?.region ?? null,
    isKnown: me !== undefined && me !== null,
    may: permission => (permission === null ? true : me?.permissions?.includes(permission)),
  };
}

/** Pause before the question who is signed in is repeated, in ms. */
const AGAIN_MS = 3_000;

/** Repeats the question who is signed in until the server has answered; the fault of the last try. */
export function useMeAgain(): Error | null {
  const { error, refetch } = useQuery(MeDocument, { fetchPolicy: 'cache-first' });
  useEffect(() => {
    if (!error) return undefined;
    const timer = setTimeout(() => void refetch().catch(() => undefined), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, refetch]);
  return error ?? null;
}
