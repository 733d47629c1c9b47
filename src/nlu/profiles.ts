import { NLU_ACTIONS, type NluAction } from '#protocol/nlu.ts';
import type { Capabilities, ProfileListing } from '#protocol/nlu-answers.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { NluEngine } from './engine.ts';

/** A named configuration that a request selects by `profile`. */
export interface Profile extends ProfileListing {
  engine: NluEngine;
}

/** The active profiles, assembled once at start. */
export interface ProfileRegistry {
  /**
   * Returns the profile with that name, or the default one for null and undefined.
   *
   * Errors: INVALID_ARGUMENT when the name is not registered
   * Source: D13.1
   */
  get(name: string | null | undefined): Profile;
  capabilities: Capabilities;
}

/** Creates the registry; both actions offer the same profiles, and the first is the default. */
export function profileRegistry(profiles: readonly [Profile, ...Profile[]]): ProfileRegistry {
  const byKey = new Map(profiles.map(profile => [profile.key, profile]));
  const [standard] = profiles;
  return {
    capabilities: { actions: listings(profiles, standard.key) },
    get(name) {
      if (name === null || name === undefined) return standard;
      const profile = byKey.get(name);
      if (!profile) throw unknownProfile(name, [...byKey.keys()]);
      return profile;
    },
  };
}

function listings(profiles: readonly Profile[], defaultProfile: string): Capabilities['actions'] {
  const listing = { defaultProfile, profiles: profiles.map(({ key, labelZh, descriptionZh }) => ({ key, labelZh, descriptionZh })) };
  return Object.fromEntries(NLU_ACTIONS.map(action => [action, listing])) as Record<NluAction, typeof listing>;
}

const MAX_QUOTED_CHARS = 40;

function unknownProfile(name: string, known: readonly string[]): CalloutError {
  const quoted = name.slice(0, MAX_QUOTED_CHARS).toWellFormed();
  return new CalloutError('INVALID_ARGUMENT', `参数错误：profile 不存在：${quoted}（可用：${known.join('、')}）`, { field: 'profile' });
}
