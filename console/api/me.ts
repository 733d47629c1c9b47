import { useQuery } from '@apollo/client/react';
import { setBusinessZone } from '../text/business-zone.ts';
import { MeDocument, type MeQuery } from './me.generated.ts';

export interface Me {
  user: NonNullable<NonNullable<MeQuery['me']>['user']> | null;
  /** Business time zone; null while loading. */
  timeZone: string | null;
  /** Country of the installation, ISO 3166-1 alpha-2; null while loading. */
  region: string | null;
  /** Whether it is loading: the permissions follow in a moment. */
  isAsked: boolean;
  /** Undefined while loading. */
  may: (permission: string | null) => boolean | undefined;
}

/** The signed-in user and their permissions. */
export function useMe(): Me {
  const { data, loading } = useQuery(MeDocument, { fetchPolicy: 'cache-first' });
  const me = data?.me;
  // The formatters read it when they are called, as they read the language; pages are drawn after it is known.
  if (me?.timeZone) setBusinessZone(me.timeZone);
  return {
    user: me?.user ?? null,
    timeZone: me?.timeZone ?? null,
    region: me?.region ?? null,
    isAsked: loading,
    may: permission => (permission === null ? true : me?.permissions?.includes(permission)),
  };
}
