/** unknown: it cannot be seen from outside, or was not tried; `why` says which. */
export type CheckResult = 'passed' | 'failed' | 'unknown'

/** One attempt: what was sent, without the secret and without a signature, and what came back. */
export interface Exchange {
  readonly sent: {
    readonly type: string
    readonly eventId: string
    /** 1 to 4. */
    readonly attempt: number
    /** `X-Svc-Timestamp`, Unix seconds. */
    readonly timestampS: number
    readonly bytes: number
    /** What about it is not as the service would send it; null where all is right. */
    readonly altered: string | null
  }
  readonly answered: {
    /** null: there was none. */
    readonly status: number | null
    readonly ms: number
    /** In words, with the beginning of the answer's body. */
    readonly text: string
  }
}

export interface CheckReport {
  readonly id: string
  readonly title: string
  readonly rule: string
  readonly result: CheckResult
  readonly why: string
  readonly exchanges: readonly Exchange[]
}

export interface ReceiverReport {
  /** passed: no check failed. stopped: it was ended before all were tried, and none had failed. */
  readonly verdict: 'passed' | 'failed' | 'stopped'
  /** Without its query. */
  readonly url: string
  readonly secret: 'throwaway' | 'own'
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly checks: readonly CheckReport[]
}
