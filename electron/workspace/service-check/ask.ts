import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { answerReader } from '../../../shared/api/reader/answer.ts'
import { namedDelegated, namedPrepared, namedPreview } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { preparedBody } from '../../../shared/ticket/actions/action-payload.ts'
import { delegatedBody } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { chooseKey } from '../../intents/methods/executor/execution.ts'
import type { Session } from '../../keys/sign-in/session.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { ApiClient, KeyCredential, SessionCredential } from '../../service/transport/api-client.ts'
import type { Known } from './judge-answer.ts'
import type { ActionStep, ReadStep, Step } from './steps.ts'
import type { StoredStep } from './stored-check.ts'
import { dryRunTickets, preparedTickets } from './tickets.ts'

export interface AskDeps {
  readonly api: Pick<ApiClient, 'call'>
  readonly credentials: Pick<Credentials, 'forScope' | 'usable' | 'forKey'>
  readonly signIn: Session['signIn']
  readonly fieldMap: Pick<FieldMapService, 'names'>
  readonly newId: () => string
}

export type Asked =
  | { readonly kind: 'answered'; readonly json: unknown; readonly raw: string; readonly asked: StoredStep['asked']; readonly sent: unknown }
  | { readonly kind: 'nothing_yet' | 'impossible' | 'signed_out' }
  | { readonly kind: 'no_scope'; readonly scope: string | null }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly retryAfterMs: number | null }

/** Accepts any JSON, so that the check also sees what the app can't read. */
const asItCame = answerReader((json) => json)

type Credential = KeyCredential | SessionCredential | null
interface Call {
  readonly params: object
  readonly query: object
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly rawBody?: string
  readonly asked: StoredStep['asked']
}

/** Sends the service the request of one check step: a read, a preview, a preparation or a dry run. A check sends nothing else. */
export function createAsk({ api, credentials, signIn, fieldMap, newId }: AskDeps) {
  const credentialFor = async (step: Step, wallet: string): Promise<Result<Credential, Failure>> => {
    if (step.endpoint.credential === 'none') return ok(null)
    if (step.endpoint.credential === 'session') {
      const signedIn = await signIn()
      return signedIn.ok ? ok(signedIn.value.session) : signedIn
    }
    const { scope } = step.endpoint
    // Choose the key as for a real order: a single key that has all scopes and an executor.
    if (step.kind === 'dry_run') return chooseKey(credentials, wallet, step.scopes, null)
    const needed = step.kind !== 'read' ? step.scopes[0] : scope === 'by_action' ? null : scope
    return credentials.forScope(wallet, needed ?? 'account:read')
  }

  const bodyOf = (step: ActionStep, known: Known): Call | null => {
    const plain = { params: {}, query: {} }
    if (step.kind === 'dry_run') {
      const ticket = dryRunTickets[step.action as keyof typeof dryRunTickets](known, newId) // The cast is safe: the check plans dry runs only for actions in `dryRunTickets`.
      if (ticket === null) return null
      const { payload, ...rest } = namedDelegated(delegatedBody(ticket, `desk-check-${newId()}`, true), fieldMap.names())
      return { ...plain, body: { ...rest, payload: { ...payload } }, asked: null }
    }
    const ticket = preparedTickets[step.action as keyof typeof preparedTickets](known) // The cast is safe: the check plans previews and preparations only for actions in `preparedTickets`.
    if (ticket === null) return null
    if (step.kind === 'preview') {
      const { action, payload } = preparedBody(ticket, '')
      const { client_order_id: _, ...terms } = payload
      const body = { action, payload: terms }
      return { ...plain, body, rawBody: namedPreview(body, fieldMap.names()), asked: null }
    }
    const clientOrderId = `desk-check-${newId().slice(0, 16)}`
    const body = namedPrepared(preparedBody(ticket, clientOrderId), fieldMap.names())
    const rawBody = JSON.stringify(body)
    const symbol = known.market?.symbol ?? null
    return {
      ...{ ...plain, body, rawBody, headers: { 'Idempotency-Key': `desk-check-${newId()}` } },
      asked: { ticket: JSON.stringify(ticket), body: rawBody, clientOrderId, symbol },
    }
  }

  const callOf = (step: Step, known: Known, wallet: string): Call | null => {
    if (step.kind !== 'read') return bodyOf(step, known)
    const place = (step satisfies ReadStep).place(known, wallet)
    return place === null ? null : { ...place, body: undefined, asked: null }
  }

  return async (step: Step, known: Known, wallet: string, signal: AbortSignal): Promise<Asked> => {
    const credential = await credentialFor(step, wallet)
    if (!credential.ok) {
      const { failure } = credential
      if (failure.kind === 'scope_missing') return { kind: 'no_scope', scope: failure.scope }
      if (failure.kind === 'api_key_required') return { kind: 'no_scope', scope: step.kind === 'read' ? step.endpoint.scope : (step.scopes[0] ?? null) }
      if (failure.kind === 'sign_in_required' || failure.kind === 'no_wallet') return { kind: 'signed_out' }
      return { kind: 'failed', failure, retryAfterMs: null }
    }
    const call = callOf(step, known, wallet)
    if (call === null) return { kind: step.kind === 'read' ? 'nothing_yet' : 'impossible' }
    const { asked, ...request } = call
    const endpoint: Endpoint = { ...step.endpoint, response: asItCame }
    const answer = await api.call(endpoint, { ...request, credential: credential.value as never, urgency: 'polling', signal }) // The cast is safe: the credential is of the kind that the endpoint requires.
    if (answer.ok) return { kind: 'answered', json: answer.value.value, raw: answer.value.raw, asked, sent: request.body }
    const { failure, retryAfterMs = null } = answer.failure
    if (failure.kind === 'scope_missing') return { kind: 'no_scope', scope: failure.scope }
    return { kind: 'failed', failure, retryAfterMs }
  }
}
export type Ask = ReturnType<typeof createAsk>
