/** How many customers a faulty runtime may meet before it gets no more calls, and how long a customer waits for its first word. */
export const RUNTIME_CARE = { maxUnanswered: 3, maxSilent: 3, maxUnserved: 3, firstWordMs: 8_000, silenceMs: 30_000 };
