import type { Clock } from '#kernel/clock.ts';

/** Cache times: a configuration rarely changes; a missing answer is requested again soon. ms */
const DOMAIN_KNOWN_MS = 60_000;
const DOMAIN_UNKNOWN_MS = 5_000;
const MAX_KNOWN_DOMAINS = 1_000;

/** `From    <sip:user@domain;transport=udp>`, used by the gateway when it registers. */
const FROM = /^From\s+<?sips?:(?:[^@\s>]*@)?([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)/m;

/**
 * The domain that each gateway of a switch puts into the From header; null when the switch does not report it.
 *
 * Why:    a channel can override the From of its gateway, but only with a complete URI (D4.4)
 * Source: mod_sofia, `sofia status gateway <name>`
 */
export function gatewayDomains(ask: (line: string) => Promise<string>, clock: Clock): (gateway: string) => Promise<string | null> {
  const known = new Map<string, { until: number; domain: Promise<string | null> }>();
  const read = (gateway: string) =>
    ask(`sofia status gateway ${gateway}`).then(
      text => FROM.exec(text)?.[1] ?? null,
      () => null,
    );
  return gateway => {
    const now = clock.monotonic();
    const before = known.get(gateway);
    if (before && before.until > now) return before.domain;
    if (known.size >= MAX_KNOWN_DOMAINS) known.clear();
    const domain = read(gateway);
    const entry = { until: now + DOMAIN_UNKNOWN_MS, domain };
    known.set(gateway, entry);
    void domain.then(found => {
      if (found !== null) entry.until = now + DOMAIN_KNOWN_MS;
    });
    return domain;
  };
}
