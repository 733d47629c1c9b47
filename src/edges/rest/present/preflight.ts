import type { PreflightData } from '#contract/rest/preflight.ts';
import type { Preflight } from '#operations/campaigns/preflight-campaign.ts';
import { presentFlag } from './flag.ts';
import { presentInstant } from './instant.ts';
import { presentPolicy } from './policies.ts';

/** Source: D5.6 */
export function presentPreflight(preflight: Preflight): PreflightData {
  const { window, lines, policies } = preflight;
  return {
    ...preflight,
    window: { openNow: window.openNow, nextOpenAt: presentInstant(window.nextOpenAt), nextCloseAt: presentInstant(window.nextCloseAt) },
    lines: lines.map(line => ({ ...line, isEnabled: presentFlag(line.isEnabled) })),
    policies: { ...policies, matchedPolicies: policies.matchedPolicies.map(presentPolicy) },
    estimatedFinishAt: presentInstant(preflight.estimatedFinishAt),
  };
}
