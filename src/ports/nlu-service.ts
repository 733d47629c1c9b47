/** The NLU service as this server needs it. */
export interface NluService {
  /**
   * The listing as the service sent it, unchecked.
   *
   * Errors: DOWNSTREAM_TIMEOUT when late; DOWNSTREAM_INVALID when unreachable or refusing
   */
  fetchCapabilities(): Promise<unknown>;
}
