import { type ExtractResult, extractBody } from '#contract/nlu/extract.ts';
import type { ProfileRegistry } from '../profiles.ts';
import { validate } from './validate.ts';

/** POST /api/v1/nlu, action `extract`. Source: NLU §4 */
export function extract(profiles: ProfileRegistry, body: unknown): ExtractResult | Promise<ExtractResult> {
  const { profile, text, fields } = validate(extractBody, body);
  return profiles.get(profile).engine.extract({ text, fields });
}
