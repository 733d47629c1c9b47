/** A boolean as the wire shows it. Source: D2.5 */
export function presentFlag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
