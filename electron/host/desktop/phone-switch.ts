import type { Dispatcher } from 'undici'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { PhoneState } from '../../../shared/ipc/host/wallet.ts'
import { PhoneAnswer, type PracticeDescriptor } from '../../../shared/practice.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'

export interface PhoneSwitch {
  readonly handlers: HandlersOf<'phone'>
  pair(uri: string): Promise<Result<Record<string, never>, Failure>>
  /** Connects to the phone of the given practice exchange and follows the phone’s state. null disconnects from the current phone. */
  connect(descriptor: PracticeDescriptor | null): void
}

/** Keeps a connection to the current practice phone, because each start of practice mode creates a new phone. */
export function createPhoneSwitch({
  dispatcher,
  sleep,
  onChange,
}: {
  readonly dispatcher: () => Promise<Dispatcher>
  readonly sleep: Sleep
  readonly onChange: () => void
}): PhoneSwitch {
  let line: PhoneLine | null = null
  const off = (): Promise<{ readonly ok: false; readonly failure: Failure }> =>
    Promise.resolve(fail({ kind: 'practice_failed', part: 'wallet', detail: 'not_running' }))
  return {
    handlers: {
      'phone.state': () => line?.state() ?? off(),
      'phone.approve': ({ id }) => line?.approve(id) ?? off(),
      'phone.reject': ({ id }) => line?.reject(id) ?? off(),
    },
    pair: (uri) => line?.pair(uri) ?? off(),
    connect(descriptor) {
      line?.hangUp()
      line = descriptor === null ? null : createPhoneLine({ descriptor, dispatcher, onChange, sleep })
    },
  }
}

export interface PhoneLine {
  state(): Promise<Result<PhoneState, Failure>>
  approve(id: string): Promise<Result<Record<string, never>, Failure>>
  reject(id: string): Promise<Result<Record<string, never>, Failure>>
  /** Makes the practice phone scan the QR code with this link. */
  pair(uri: string): Promise<Result<Record<string, never>, Failure>>
  hangUp(): void
}

interface PhoneLineParts {
  readonly descriptor: Pick<PracticeDescriptor, 'phoneUrl' | 'token'>
  /** Returns the HTTP client. Called on the first request, so that the client is loaded only if there is a phone. */
  readonly dispatcher: () => Promise<Dispatcher>
  /** Called after each change of the phone's state. */
  readonly onChange: () => void
  readonly sleep: Sleep
}

/** Time limit for a long poll. The phone responds within 25 s. */
const pollDeadlineMs = 40 * second
const callDeadlineMs = 10 * second
const retryPollMs = 500

/** A connection to the practice phone over HTTP. Follows the phone’s state by long polling until `hangUp`. */
export function createPhoneLine({ descriptor, dispatcher, onChange, sleep }: PhoneLineParts): PhoneLine {
  const ended = new AbortController()

  const call = async (method: 'GET' | 'POST', path: string, body: unknown, deadlineMs: number): Promise<{ status: number; json: unknown }> => {
    const answer = await (await dispatcher()).request({
      origin: descriptor.phoneUrl,
      path,
      method,
      headers: { authorization: `Bearer ${descriptor.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(deadlineMs)]),
    })
    return { status: answer.statusCode, json: await answer.body.json() }
  }

  const lost = (error: unknown): { readonly ok: false; readonly failure: Failure } =>
    fail({ kind: 'practice_failed', part: 'wallet', detail: error instanceof Error ? error.message : String(error) })

  const command = async (path: string, body: unknown): Promise<Result<Record<string, never>, Failure>> => {
    try {
      const { status } = await call('POST', path, body, callDeadlineMs)
      if (status === 404) return fail({ kind: 'not_found', what: 'request' })
      return status < 300 ? ok({}) : fail({ kind: 'practice_failed', part: 'wallet', detail: `status ${status}` })
    } catch (error) {
      return lost(error)
    }
  }

  const follow = async () => {
    let revision: number | null = null
    while (!ended.signal.aborted) {
      try {
        const { json } = await call('GET', revision === null ? '/state' : `/state?since=${revision}`, undefined, pollDeadlineMs)
        const answer = PhoneAnswer.parse(json)
        if (answer.revision !== revision) onChange()
        revision = answer.revision
      } catch {
        if (!(await sleep(retryPollMs, ended.signal))) return
      }
    }
  }
  void follow()

  return {
    async state() {
      try {
        const { json } = await call('GET', '/state', undefined, callDeadlineMs)
        return ok(PhoneAnswer.parse(json).state)
      } catch (error) {
        return lost(error)
      }
    },
    approve: (id) => command(`/requests/${encodeURIComponent(id)}/approve`, {}),
    reject: (id) => command(`/requests/${encodeURIComponent(id)}/reject`, {}),
    pair: (uri) => command('/pair', { uri }),
    hangUp: () => ended.abort(),
  }
}
