import type { ExtractResult } from '#protocol/nlu.ts';
import { readExtractBody } from './read-body.ts';
import type { ProfileRegistry } from '../profiles.ts';

/** POST /api/v1/nlu, action `extract`. Source: NLU §4 */
export function extract(profiles: ProfileRegistry, body: unknown): ExtractResult | Promise<ExtractResult> {
  const { profile, text, fields } = readExtractBody(body);
  return profiles.get(profile).engine.extract({ text, fields });
}
