/** Mobile carriers of mainland China. Source: D6.3 */
export const CARRIERS = ['mobile', 'unicom', 'telecom', 'broadnet'] as const;

export type Carrier = (typeof CARRIERS)[number];

/**
 * First three or four digits of a mainland mobile number, by the carrier that owns the prefix; a virtual operator counts as its host
 * carrier. A longer prefix takes precedence.
 *
 * Why: number portability moves customers between carriers, so the result is approximate
 */
const PREFIXES: Readonly<Record<Carrier, string>> = {
  mobile: `134 135 136 137 138 139 144 147 148 150 151 152 157 158 159 165 172 178 182 183 184 187 188 195 197 198 1703 1705 1706`,
  unicom: `130 131 132 140 145 146 155 156 166 167 171 175 176 185 186 196 1704 1707 1708 1709`,
  telecom: `133 141 149 153 162 173 174 177 180 181 189 190 191 193 199 1349 1700 1701 1702`,
  broadnet: `192`,
};

const CARRIER_BY_PREFIX: ReadonlyMap<string, Carrier> = new Map(
  CARRIERS.flatMap(carrier => PREFIXES[carrier].split(' ').map(prefix => [prefix, carrier] as const)),
);

/**
 * Returns the carrier that a mainland mobile number most likely belongs to.
 *
 * Shape: `nationalNumber` without `+86`; null when no carrier owns the prefix
 */
export function carrierOf(nationalNumber: string): Carrier | null {
  return CARRIER_BY_PREFIX.get(nationalNumber.slice(0, 4)) ?? CARRIER_BY_PREFIX.get(nationalNumber.slice(0, 3)) ?? null;
}
