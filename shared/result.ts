/** The outcome of an operation that may fail in an expected way. Failures are returned as values instead of thrown. */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export const fail = <F>(failure: F): { readonly ok: false; readonly failure: F } => ({ ok: false, failure })

/** The value of a successful outcome; null after a failure. */
export const valueOrNull = <T, F>(result: Result<T, F>): T | null => (result.ok ? result.value : null)

/** Makes TypeScript check that a `switch` covers every case. Reaching this call at run time is a bug. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
