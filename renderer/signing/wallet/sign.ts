import { numberToHex, stringToHex } from 'viem'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result, unreachable } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { signingText } from '../../text/en/signing.en.tsx'
import type { RelayWatch } from './relay-watch.ts'
import { offersMethod, type SessionFacts } from './session-account.ts'
import { type WalletStatus, walletOf } from './wallet-state.ts'

export interface SignChoices {
  /** Called when the request goes to the relay, with the ids that later identify an answer. */
  readonly onAsked?: (topic: string, requestId: string) => void
  /** Aborted when the user stops waiting. The phone may still show the request; the app then ignores the answer. */
  readonly signal?: AbortSignal
  /** Called with the wallet's valid answer if the answer arrives after the app has stopped waiting. */
  readonly onLate?: (signature: string) => void
}

/** The result of a request to the wallet. `signature`: the signature or, for a transaction, the hash of the transaction that the wallet broadcast. */
export type Signed = Result<{ readonly signature: string }, SignFailure>
export type Sign = (request: SignRequest, choices?: SignChoices) => Promise<Signed>

/** The part of the WalletConnect provider that the app needs for a request. */
export interface RequestingProvider {
  readonly session: SessionFacts | undefined
  request(request: { readonly method: string; readonly params: readonly unknown[] }, expirySeconds: number): Promise<unknown>
  /** Calls `listener` once for the next request, before that request is sent. Returns a function that stops listening. */
  onSent(listener: (sent: { readonly topic: string; readonly id: number; readonly method: string }) => void): () => void
  /** Withdraws a request that the app no longer waits for. If the wallet still answers, `onLate` gets the answer. */
  withdraw(id: number, onLate: (answer: unknown) => void): void
  /** Calls `listener` when the session ends. Returns a function that stops listening. */
  onGone(listener: () => void): () => void
}

interface SignParts {
  readonly provider: RequestingProvider
  readonly status: () => WalletStatus
  readonly relay: Pick<RelayWatch, 'reach'>
  readonly clock: Clock
}

/** The shortest expiry, in seconds, that WalletConnect accepts for a request. */
const shortest = 300
const longest = 604_800

/**
 * The request's parameters, byte for byte as main sent them: a message as the hex of its UTF-8 bytes, typed data as unchanged JSON, and a
 * transaction without gas and nonce, because the wallet sets these.
 */
function paramsOf(request: SignRequest): readonly unknown[] {
  switch (request.method) {
    case 'personal_sign':
      return [stringToHex(request.message), request.wallet]
    case 'eth_signTypedData_v4':
      return [request.wallet, request.typedData]
    case 'eth_sendTransaction': {
      const { from, to, data, value } = request.transaction
      return [{ from, to, data, value }]
    }
    default:
      return unreachable(request)
  }
}

const anyHex = /^0x[0-9a-fA-F]+$/
const txHash = /^0x[0-9a-fA-F]{64}$/

/** The wallet's answer, if its format fits the request; otherwise a failure. */
function answerOf(method: SignRequest['method'], answer: unknown): Signed {
  const isTransaction = method === 'eth_sendTransaction'
  if (typeof answer === 'string' && (isTransaction ? txHash : anyHex).test(answer)) return ok({ signature: answer })
  return fail({ kind: 'failed', detail: isTransaction ? signingText.answerNoHash : signingText.answerNoSignature })
}

/** Why the app must not send the request to the wallet; null if it may. */
function obstacle(request: SignRequest, status: WalletStatus, session: SessionFacts | undefined): SignFailure | null {
  const wallet = walletOf(status)
  if (status.kind === 'refused') return { kind: 'wrong_account', detail: signingText.accountRefused(status.wallet.address, status.expected) }
  if (wallet === null || session === undefined) return { kind: 'disconnected', detail: signingText.noWallet }
  if (wallet.chainId !== request.chainId) return { kind: 'wrong_chain', detail: signingText.chainDiffers(wallet.chainId, request.chainId) }
  if (wallet.address.toLowerCase() !== request.wallet.toLowerCase())
    return { kind: 'wrong_account', detail: signingText.accountDiffers(wallet.address, request.wallet) }
  if (!offersMethod(session, request.method)) return { kind: 'failed', detail: signingText.methodMissing(request.method) }
  return null
}

/**
 * Asks the phone for one signature or one transaction. Sends nothing if the account, chain or relay is wrong, so the phone never shows an unexpected
 * late request. Ends at the request's deadline at the latest, though the phone may show the request longer.
 */
export function createSign({ provider, status, relay, clock }: SignParts): Sign {
  return async (request, { onAsked, signal, onLate } = {}) => {
    const wrong = obstacle(request, status(), provider.session)
    if (wrong !== null) return fail(wrong)
    if (!(await relay.reach())) return fail({ kind: 'unreachable', detail: signingText.relaySilent })
    const leftMs = request.expiresAtMs - clock.now()
    if (leftMs <= 0) return fail({ kind: 'expired', detail: signingText.deadlinePassed })

    const ends: (() => void)[] = []
    let sentId: number | null = null
    let over = false
    const withdraw = (id: number) =>
      provider.withdraw(id, (given) => {
        const answer = answerOf(request.method, given)
        if (answer.ok) onLate?.(answer.value.signature)
      })
    const stopHearing = provider.onSent((sent) => {
      if (sent.method !== request.method) return
      sentId = sent.id
      if (over) withdraw(sent.id)
      else onAsked?.(sent.topic, String(sent.id))
    })
    const stopped = new Promise<Signed>((resolve) => {
      const give = (failure: SignFailure) => {
        over = true
        resolve(fail(failure))
        if (sentId !== null) withdraw(sentId)
      }
      let timer: ReturnType<typeof setTimeout> | undefined
      // Compares with the clock every second instead of using one timer: timers stop while the computer sleeps, and the clock may change.
      const endInTime = () => {
        const left = request.expiresAtMs - clock.now()
        if (left <= 0) give({ kind: 'expired', detail: signingText.noAnswerInTime })
        else timer = setTimeout(endInTime, Math.min(left, second))
      }
      endInTime()
      const onAbort = () => give({ kind: 'failed', detail: signingText.noLongerAwaited })
      signal?.addEventListener('abort', onAbort, { once: true })
      ends.push(
        () => clearTimeout(timer),
        () => signal?.removeEventListener('abort', onAbort),
        provider.onGone(() => give({ kind: 'disconnected', detail: signingText.walletDisconnected })),
      )
      if (signal?.aborted) onAbort()
    })
    const expiry = Math.min(Math.max(Math.ceil(leftMs / second), shortest), longest)
    const answered = provider.request({ method: request.method, params: paramsOf(request) }, expiry).then(
      (answer): Signed => answerOf(request.method, answer),
      (thrown: unknown): Signed => fail(classifySignFailure(thrown)),
    )
    try {
      return await Promise.race([answered, stopped])
    } finally {
      for (const end of ends) end()
      // If the app gave up the request before it was sent, keep the listener. It withdraws the request as soon as the request is sent.
      if (!over || sentId !== null) stopHearing()
    }
  }
}

export const switchRequest = (chainId: number) => ({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] }) as const

/** Why a wallet gave no signature. `detail` is the message of the wallet or the library, for the journal. */
export interface SignFailure {
  readonly kind: 'rejected' | 'expired' | 'unreachable' | 'wrong_chain' | 'wrong_account' | 'disconnected' | 'failed'
  readonly detail: string
}

/** EIP-1193 4001 and WalletConnect 5000 to 5002: the user rejected the request. */
const rejections: ReadonlySet<number> = new Set([4001, 5000, 5001, 5002])
/** Error codes WalletConnect 6000 and EIP-1193 4900: the session has ended. */
const endings: ReadonlySet<number> = new Set([6000, 4900])

interface Layer {
  readonly code: number | null
  readonly message: string
}

/** An error and its causes, outermost first. Wallets and libraries wrap each other's errors, and some throw plain objects or text. */
function layersOf(thrown: unknown): readonly Layer[] {
  const layers: Layer[] = []
  let at: unknown = thrown
  while (at !== undefined && at !== null && layers.length < 8) {
    if (typeof at === 'string') {
      layers.push({ code: null, message: at })
      break
    }
    if (typeof at !== 'object') break
    const code = 'code' in at && typeof at.code === 'number' ? at.code : null
    const message = 'message' in at && typeof at.message === 'string' ? at.message : ''
    layers.push({ code, message })
    const inner: unknown = 'cause' in at && at.cause ? at.cause : 'data' in at ? at.data : undefined
    at = inner
  }
  return layers
}

const some = (layers: readonly Layer[], codes: ReadonlySet<number>, words: RegExp): boolean =>
  layers.some((layer) => (layer.code !== null && codes.has(layer.code)) || words.test(layer.message))

const none: ReadonlySet<number> = new Set()

/** Classifies an error that the wallet or library threw, by its code if it has one, otherwise by its message. */
export function classifySignFailure(thrown: unknown): SignFailure {
  const layers = layersOf(thrown)
  const detail = (layers.find((layer) => layer.message !== '')?.message ?? String(thrown)).slice(0, 500)
  if (some(layers, rejections, /user (rejected|denied|disapproved)|rejected by (the )?user/i)) return { kind: 'rejected', detail }
  if (some(layers, none, /request expired|proposal expired|\bexpired\b/i)) return { kind: 'expired', detail }
  if (some(layers, endings, /please call connect|no matching key|session.*(deleted|disconnected|not found)|user disconnected/i))
    return { kind: 'disconnected', detail }
  if (some(layers, none, /internet connection|socket|relay|failed to publish|publish.*(payload|timeout)|couldn't establish/i))
    return { kind: 'unreachable', detail }
  return { kind: 'failed', detail }
}
