import type { z } from 'zod'
import type { AnswerReader } from './reader/answer.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** session: a developer session. key: an API key. */
export type CredentialKind = 'none' | 'session' | 'key'

/**
 * One endpoint of the service, declared once. Client method, credential and scope check, limiter class, retry rule,
 * redaction and the coverage table all derive from it.
 */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends AnswerReader<unknown> = AnswerReader<unknown>,
  C extends CredentialKind = CredentialKind,
> {
  /** Method and path with `{params}`, relative to `root`, as the document writes it. */
  readonly route: `${Method} /${string}`
  /** host: relative to `{host_url}`. base: relative to `{base_url}`, which is versioned. */
  readonly root: 'host' | 'base'
  /** Kept as a literal type, so that a call with the wrong credential does not compile (GEN-07). */
  readonly credential: C
  /** The scope that a key needs; `by_action` where it depends on the action. */
  readonly scope: Scope | 'by_action' | null
  /** Which budget the call draws on. */
  readonly limiter: 'developer' | 'versioned' | 'public'
  readonly success: 200 | 201 | 202
  /** safe: may be repeated freely by the transport. never: a lost answer is an unknown outcome. */
  readonly retry: 'safe' | 'never'
  /** What a success without a body is. ok: the status says all. unreadable (default): the answer is missing, as it is of every read. */
  readonly empty?: 'ok' | 'unreadable'
  /** Names of fields in the request and the answer that no log may hold. */
  readonly secrets: readonly string[]
  /** Whether the document shows the shape of the answer. Assumed ones are parsed loosely. */
  readonly evidence: 'documented' | 'assumed'
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Reads what is answered, whatever its shape. */
  readonly response: R
}

export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends AnswerReader<unknown>, C extends CredentialKind>(
  declaration: Endpoint<P, Q, B, R, C>,
): Endpoint<P, Q, B, R, C> => declaration
