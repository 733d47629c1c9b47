/**
 * Converts the switches of an input to those of the REST body, 0 and 1.
 *
 * Shape: absent and null members stay as they are
 */
export function withFlags<Input extends { isEnabled?: boolean | null | undefined }>(input: Input) {
  const { isEnabled, ...rest } = input;
  return isEnabled === undefined ? rest : { ...rest, isEnabled: isEnabled === null ? null : Number(isEnabled) };
}
