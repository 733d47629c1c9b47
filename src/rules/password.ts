/** Source: D3.3 */
export const MIN_PASSWORD_LENGTH = 8;
/** Characters; what a login takes. */
export const MAX_PASSWORD_LENGTH = 200;
