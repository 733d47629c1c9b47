import { CalloutError } from '#kernel/errors.ts';

export function staleEpoch(): CalloutError {
  return new CalloutError('STALE_EPOCH', '通话已交给其他话术运行时，此上报已过期', { field: 'epoch' });
}
