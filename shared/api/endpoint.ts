import type { z } from 'zod'
import type { AnswerReader } from './reader/answer.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Which credential a call sends. session: a developer session. key: an API key. */
export type CredentialKind = 'none' | 'session' | 'key'

/**
 * One endpoint of the service, declared once. The client method, credential and scope check, limiter class, retry rule, redaction and coverage table
 * all derive from this declaration.
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
  /** host: relative to `{host_url}`. base: relative to `{base_url}`, which is versioned. */
  readonly root: 'host' | 'base'
  /** A literal type, so a call with the wrong credential does not compile (GEN-07). */
  readonly credential: C
  /** The scope that a key needs; `by_action` if it depends on the action. */
  readonly scope: Scope | 'by_action' | null
  /** The rate limit that the call counts against. */
  readonly limiter: 'developer' | 'versioned' | 'public'
  readonly success: 200 | 201 | 202
  /** safe: the transport may repeat the call. never: after a lost response the outcome is unknown. */
  readonly retry: 'safe' | 'never'
  /**
   * How to treat a success without a body. ok: the status is enough. unreadable (the default, and for every read): the answer counts as
   * missing.
   */
  readonly empty?: 'ok' | 'unreadable'
  /** Fields of the request and the answer that must never reach a log. */
  readonly secrets: readonly string[]
  /** Whether the API document shows the shape of the answer. The app parses an assumed shape loosely. */
  readonly evidence: 'documented' | 'assumed'
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Parses the answer. An assumed answer may have any shape, so the parser looks for its fields by name. */
  readonly response: R
}

export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends AnswerReader<unknown>, C extends CredentialKind>(
  declaration: Endpoint<P, Q, B, R, C>,
): Endpoint<P, Q, B, R, C> => declaration
