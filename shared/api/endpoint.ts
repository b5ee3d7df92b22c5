import type { z } from 'zod'
import type { AnswerReader } from './reader/answer.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Which credential a call sends. `session`: a developer session. `key`: an API key. */
export type CredentialKind = 'none' | 'session' | 'key'

/**
 * One endpoint of the service. The client method, the credential and scope check, rate limiting, retries, redaction and the coverage table are all
 * derived from this declaration.
 */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends AnswerReader<unknown> = AnswerReader<unknown>,
  C extends CredentialKind = CredentialKind,
> {
  /** Method and path with `{params}`, relative to `root`, as the API document writes them. */
  readonly route: `${Method} /${string}`
  /** The URL to which the path is relative. `host`: `{host_url}`. `base`: `{base_url}`, which is versioned. */
  readonly root: 'host' | 'base'
  /** The credential as a literal type, so that a call with the wrong credential does not compile (GEN-07). */
  readonly credential: C
  /** The scope that the API key needs. `by_action`: the scope depends on the action. null: no scope. */
  readonly scope: Scope | 'by_action' | null
  /** The rate limit that the call counts against. */
  readonly limiter: 'developer' | 'versioned' | 'public'
  readonly success: 200 | 201 | 202
  /** `safe`: the app may repeat the call automatically. `never`: the app must not repeat it, so after a lost response the outcome is unknown. */
  readonly retry: 'safe' | 'never'
  /**
   * How to treat a successful response without a body. `ok`: the status is enough. `unreadable` (the default, and for every read): the response counts
   * as missing.
   */
  readonly empty?: 'ok' | 'unreadable'
  /** Fields of the request and the answer that must never reach a log. */
  readonly secrets: readonly string[]
  /** Whether the API document shows the shape of the answer. If the shape is only assumed, the app parses the answer loosely. */
  readonly evidence: 'documented' | 'assumed'
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Parses the answer. If its shape is only assumed, the parser looks for the fields by name, wherever they are. */
  readonly response: R
}

export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends AnswerReader<unknown>, C extends CredentialKind>(
  declaration: Endpoint<P, Q, B, R, C>,
): Endpoint<P, Q, B, R, C> => declaration
