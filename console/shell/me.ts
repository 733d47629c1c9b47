import { useQuery } from '@apollo/client/react';
import { MeDocument, type MeQuery } from '../api/me.generated.ts';

export interface Me {
  user: NonNullable<NonNullable<MeQuery['me']>['user']> | null;
  /** The business time zone; null as long as it was not asked. */
  timeZone: string | null;
  /** It is being asked: what one may do will be known in a moment. */
  isAsked: boolean;
  /** Unknown as long as it was not asked. */
  may: (permission: string | null) => boolean | undefined;
}

/** Who is signed in, and what they may do. */
export function useMe(): Me {
  const { data, loading } = useQuery(MeDocument, { fetchPolicy: 'cache-first' });
  const me = data?.me;
  return {
    user: me?.user ?? null,
    timeZone: me?.timeZone ?? null,
    isAsked: loading,
    may: permission => (permission === null ? true : me?.permissions?.includes(permission)),
  };
}
