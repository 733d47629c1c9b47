import { invalidArgument } from '#kernel/errors.ts';
import { isRegion, type Region } from '#phone-numbers/dial-key.ts';

/** Returns the region of a file's numbers: the requested one, else the installation's. Errors: INVALID_ARGUMENT naming it. Source: D6.1 */
export function requestedRegion(requested: string | undefined, home: Region): Region {
  if (requested === undefined) return home;
  if (!isRegion(requested)) throw invalidArgument('region', 'unknownCountry', { given: requested });
  return requested;
}
