import type { Dispatcher } from 'undici'
import { readErrorBody } from '../../../shared/api/error-body.ts'
import { type HostRefused, parseHostUrl } from '../../../shared/api/host-url.ts'
import { type Foreign, startOf } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Profile } from '../../../shared/ipc/host/profiles.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { Secret } from '../../kernel/secret.ts'
import { headerText, newRequestId } from '../../service/transport/request-headers.ts'
import { exchange, type WireOutcome } from '../../service/transport/transport.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { type ProfileStore, practiceId } from '../../store/records/profile-store.ts'
import type { PracticeState } from './practice-process.ts'

export interface ProbeParts {
  readonly clock: Clock
  /** Creates an HTTP client for one host. The probe closes the client when it is done. */
  readonly dispatcherFor: (hostUrl: URL) => Promise<Dispatcher>
  readonly version: string
}

const deadlineMs = 8 * second
/** How many characters at the start of a response the probe searches for the error code. */
const searchedCharacters = 65_536

/**
 * Finds out whether a host is a Svc exchange, without sending a credential. The versioned API must respond with `401 API_KEY_REQUIRED`
 * (Authentication 2). Also reads the router’s address from `/api/dex/config`, if present. Fails with `host_refused` and the reason.
 */
export function createHostProbe({ clock, dispatcherFor, version }: ProbeParts): (written: string) => Promise<Result<Output<'profiles.probe'>, HostRefused>> {
  return async (written) => {
    const roots = parseHostUrl(written)
    if (!roots.ok) return roots
    const { hostUrl } = roots.value
    const dispatcher = await dispatcherFor(new URL(hostUrl))
    const get = (path: string): Promise<WireOutcome> =>
      exchange(dispatcher, clock, {
        origin: hostUrl,
        path,
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': `Svc-Desk/${version}`, 'x-request-id': newRequestId() },
        body: null,
        endsAt: clock.monotonic() + deadlineMs,
        signal: undefined,
      })
    try {
      const started = clock.monotonic()
      const answer = await get('/api/dex/v1/meta')
      const latencyMs = Math.round(clock.monotonic() - started)
      const refusal = refusalOf(answer)
      if (refusal !== null) return fail(refusal)
      const router = routerOf(await get('/api/dex/config'))
      return ok({
        hostUrl,
        apiVersion: headerText(answer.headers['x-svc-api-version']),
        schema: headerText(answer.headers['x-svc-api-schema']),
        router,
        latencyMs,
      })
    } finally {
      await dispatcher.destroy()
    }
  }
}

function refusalOf(answer: WireOutcome): HostRefused | null {
  const refuse = (issue: HostRefused['issue'], detail: string | null): HostRefused => ({ kind: 'host_refused', issue, detail })
  if (answer.kind === 'lost') return refuse(answer.reason === 'tls' ? 'tls' : answer.reason === 'too_large' ? 'not_the_service' : 'unreachable', answer.detail)
  if (answer.status >= 300 && answer.status < 400) return refuse('redirects', headerText(answer.headers.location))
  const html = /^\s*text\/html/i.test(headerText(answer.headers['content-type']) ?? '') || /^\s*<(!doctype|html)/i.test(startOf(answer.text, 256))
  if (html) return refuse('answers_html', `status ${answer.status}`)
  if (answer.status >= 500) return refuse('unreachable', `status ${answer.status}`)
  if (answer.status === 401 && asksForKey(answer.text)) return null
  return refuse('not_the_service', `status ${answer.status}`)
}

/**
 * Whether a response contains the error code that asks for a key. The API document does not define the shape of errors. So the code may be in any
 * field, and inside a longer text, such as `https://docs.example/errors/api-key-required` in a problem document’s `type`.
 */
const asksForKey = (body: Foreign<string>): boolean =>
  readErrorBody(body).code === 'API_KEY_REQUIRED' || /(?<![a-z0-9])api[-_ ]?key[-_ ]?required(?![a-z0-9])/i.test(startOf(body, searchedCharacters))

/** The router’s address in the public configuration; null if it cannot be read. The app only shows this address and does not trust it. */
function routerOf(answer: WireOutcome): string | null {
  if (answer.kind === 'lost' || answer.status !== 200) return null
  const config = readJson(answer.text)
  const contracts = typeof config === 'object' && config !== null && 'contracts' in config ? config.contracts : null
  const router = typeof contracts === 'object' && contracts !== null && 'router' in contracts ? contracts.router : null
  return typeof router === 'string' && /^0x[0-9a-fA-F]{40}$/.test(router) ? router : null
}

export interface SecondHostParts {
  readonly store: ProfileStore
  readonly practice: { state(): PracticeState }
  readonly probe: (hostUrl: string) => Promise<Result<Output<'profiles.probe'>, Failure>>
  /** Returns a profile in the form that windows receive; null if no profile has this id. */
  readonly shown: (id: string) => Profile | null
  /**
   * Called after the user has changed or removed the second host of a profile. `hostUrl`: the new second host, through which the app reads; null if
   * removed.
   */
  readonly changed: (profileId: string, hostUrl: string | null) => void
}

export interface SecondHosts {
  readonly handlers: Handlers<'profiles.setSecondHost'>
  /** The address of practice mode’s second host, if the user turned it on and practice mode is running; otherwise null. */
  ofPractice(): string | null
}

/**
 * Manages the second host of each profile (GEN-02). The app sends API keys to this host too, so the user confirms twice: first the typed address,
 * then the host. The app asks the second question only after the address has responded like the service. Practice mode has its own second host and
 * accepts no other.
 */
export function createSecondHosts({ store, practice, probe, shown, changed }: SecondHostParts): SecondHosts {
  const offered = (): string | null => {
    const state = practice.state()
    return state.state === 'running' ? state.descriptor.secondHostUrl : null
  }
  const ofPractice = () => (store.practiceUsesSecondHost() ? offered() : null)

  const save = (id: string, hostUrl: string | null): Result<void, Failure> => {
    if (id === practiceId) store.setPracticeUsesSecondHost(hostUrl !== null)
    else {
      const stored = store.get(id)
      if (stored === null) return fail({ kind: 'not_found', what: 'profile' })
      store.save({ ...stored, secondHostUrl: hostUrl })
    }
    changed(id, hostUrl)
    return ok(undefined)
  }

  return {
    ofPractice,
    handlers: {
      async 'profiles.setSecondHost'({ id, hostUrl, confirmHost }) {
        const profile = shown(id)
        if (profile === null) return fail({ kind: 'not_found', what: 'profile' })
        let named: string | null = null
        if (hostUrl !== null) {
          const roots = parseHostUrl(hostUrl)
          if (!roots.ok) return roots
          if (roots.value.hostUrl === profile.hostUrl) return fail({ kind: 'host_refused', issue: 'duplicate', detail: profile.name })
          if (confirmHost !== roots.value.host) return fail({ kind: 'bad_input', field: 'confirmHost', issue: 'other_host_checked' })
          if (id === practiceId && roots.value.hostUrl !== offered()) return fail({ kind: 'bad_input', field: 'hostUrl', issue: 'practice_host_only' })
          const report = await probe(roots.value.hostUrl)
          if (!report.ok) return report
          named = report.value.hostUrl
        }
        const saved = save(id, named)
        if (!saved.ok) return saved
        const after = shown(id)
        return after === null ? fail({ kind: 'not_found', what: 'profile' }) : ok(after)
      },
    },
  }
}

/** The RPC addresses that the user set, one per profile. The app encrypts them, because an RPC address often contains an access key. */
export interface RpcAddresses {
  /** The RPC address that the user set for a profile; null if the default RPC is used. */
  of(profileId: string): Promise<string | null>
  set(profileId: string, url: URL | null): Promise<void>
}

export function createRpcAddresses({ rpcUrls }: Vault): RpcAddresses {
  return {
    of: async (profileId) => (await rpcUrls.read({ profile: profileId }))?.reveal() ?? null,
    set: (profileId, url) => (url === null ? rpcUrls.delete({ profile: profileId }) : rpcUrls.write({ profile: profileId }, new Secret(url.href))),
  }
}

/** Parses an RPC address that the user typed. The address must use `https`, unless it is on this computer. */
export function readRpcUrl(written: string): Result<URL, Failure> {
  const url = URL.parse(written.trim())
  if (url === null) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'not_a_url' })
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) return fail({ kind: 'bad_input', field: 'rpcUrl', issue: 'rpc_https' })
  return ok(url)
}
