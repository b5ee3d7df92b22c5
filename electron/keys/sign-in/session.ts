import { hashMessage } from 'viem'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Challenge } from '../../../shared/api/schemas/keys/session-resources.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { signInQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import type { ChallengeView, SessionStatus } from '../../../shared/ipc/keys/session.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type ChallengeReport, checkChallenge } from '../../../shared/signing/challenge/challenge.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Emit, Every } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient, SessionCredential } from '../../service/transport/api-client.ts'
import type { Vault } from '../../store/journal/journal.ts'
import type { StoredSession } from '../../store/records/registry.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { createWalletRequests } from '../../wallet/requests/wallet-requests.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'

export interface SessionDeps {
  readonly profile: ProfileFacts
  /** Makes calls without a session, because these calls start the sign-in. */
  readonly api: Pick<ApiClient, 'call'>
  readonly vault: Vault
  readonly secrets: Pick<SecretStore, 'probe'>
  readonly trust: Trust
  readonly wallet: WalletReport
  readonly chain: Pick<Chain, 'verify'>
  readonly watch: SignInWatch
  /** The service's time, which decides when a session expires. */
  readonly clock: Clock
  readonly newId: () => string
}

export interface Session {
  /** The connected wallet's sign-in. Fails with `no_wallet` or `sign_in_required`. */
  signIn(): Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  /** The state of the connected wallet's sign-in. Used by the list of items that need attention. */
  status(): Promise<SessionStatus>
  /** All sign-ins that are stored in this profile: those of every wallet, including expired ones. */
  kept(): Promise<readonly (SessionCredential & { readonly wallet: string; readonly expiresAtMs: number })[]>
  /** Call it after the service answered 401. Ends the sign-in and erases its bearer token, unless the user has signed in again meanwhile. */
  refused(session: SessionCredential): Promise<void>
  readonly handlers: HandlersOf<'session'>
}

const formatKind = 'challenge'

interface Pending {
  readonly challenge: Challenge
  readonly wallet: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/**
 * Signs in (Authentication 8). Verifies each line of the challenge and has the wallet sign the challenge exactly as received. Exchanges the signature
 * for a session that can manage keys for four hours.
 */
export function createSession({ profile, api, vault, secrets, trust, wallet, chain, watch, clock, newId }: SessionDeps): Session {
  const requests = createWalletRequests({ wallet, chain, clock })
  const pending = new Map<string, Pending>()
  /** The nonces of all challenges in this run, each with its challenge. Used to detect a nonce that the service uses twice. */
  const nonces = new Map<string, string>()
  const keyOf = (address: string) => ({ profile: profile.id, wallet: address })
  const nothing = { params: {}, query: {} } as const

  /** Reads the stored sign-in of a wallet. An unreadable sign-in counts as missing, so that the user signs in again. */
  const stored = (address: string): Promise<StoredSession | null> => vault.sessions.read(keyOf(address))
  const keep = (session: StoredSession) => vault.sessions.write(keyOf(session.wallet), session)

  const status = async (): Promise<SessionStatus> => {
    const address = wallet.current()?.address ?? null
    const found = address === null ? null : await stored(address)
    // The user switched wallets while the app read the sign-in, so return the state of the new wallet's sign-in instead.
    if (address !== (wallet.current()?.address ?? null)) return status()
    return { state: watch.look(found), wallet: address, expiresAtMs: found?.expiresAtMs ?? null, developer: found?.developer ?? null }
  }

  const check = (id: string, { challenge, wallet: address }: Pending): ChallengeReport => {
    const { message, wallet: said, nonce, expiresAtMs, network, chainId } = challenge
    return checkChallenge({
      message,
      answer: { wallet: said, nonce, expiresAtMs, network, chainId },
      wallet: address,
      host: new URL(profile.hostUrl).host,
      nowMs: clock.now(),
      knownFormats: trust.formats(formatKind).map(({ hash }) => hash),
      nonceSeen: (seen) => (nonces.get(seen) ?? id) !== id,
    })
  }

  const open = (id: string): Result<Pending, Failure> => {
    const found = pending.get(id)
    if (found === undefined) return fail({ kind: 'not_found', what: 'challenge' })
    const signer = wallet.signer(found.wallet)
    if (!signer.ok) return signer
    if (found.expiresAtMs <= clock.now()) {
      pending.delete(id)
      return fail({ kind: 'expired', what: 'challenge', atMs: found.expiresAtMs })
    }
    return ok(found)
  }

  return {
    status,
    signIn: async () => {
      const connected = wallet.connected()
      if (!connected.ok) return connected
      const found = await stored(connected.value.address)
      if (found === null || found.refused || found.expiresAtMs <= clock.now()) return fail({ kind: 'sign_in_required' })
      return ok({ session: { kind: 'session', bearer: new Secret(found.bearer), wallet: found.wallet }, wallet: found.wallet })
    },
    kept: async () =>
      (await vault.sessions.list({ profile: profile.id }))
        .map(({ record }) => record)
        .filter(({ bearer }) => bearer !== '')
        .map(({ bearer, wallet: owner, expiresAtMs }) => ({ kind: 'session', bearer: new Secret(bearer), wallet: owner, expiresAtMs })),
    refused: async ({ bearer, wallet: owner }) => {
      const found = owner === undefined ? null : await stored(owner)
      if (found === null || !bearer.equals(new Secret(found.bearer))) return
      const over = { ...found, bearer: '', refused: true }
      await keep(over)
      if (wallet.current()?.address === over.wallet) watch.look(over)
    },
    handlers: {
      'session.status': async () => ok(await status()),

      'session.challenge': async () => {
        const signer = wallet.signer()
        if (!signer.ok) return signer
        const { address } = signer.value
        // Test the keychain before using the user's signature. Without a working keychain, the app could not store the new session, and the
        // signature would be wasted.
        const canary = await secrets.probe()
        if (!canary.ok) return canary
        const answer = await api.call(endpoints.createChallenge, { ...nothing, body: { wallet: address }, credential: null })
        if (!answer.ok) return fail(answer.failure.failure)
        const challenge = answer.value.value
        const issuedAtMs = clock.now()
        const expiresAtMs = Math.min(challenge.expiresAtMs ?? Number.POSITIVE_INFINITY, issuedAtMs + limits.challengeMs)
        const id = newId()
        const asked: Pending = { challenge, wallet: address, issuedAtMs, expiresAtMs }
        pending.clear()
        pending.set(id, asked)
        if (!nonces.has(challenge.nonce)) nonces.set(challenge.nonce, id)
        const { checks, passed, verdict, problem } = check(id, asked)
        const { message } = challenge
        return ok({
          id,
          wallet: address,
          message,
          bytes: Buffer.byteLength(message),
          checks: [...checks],
          passed,
          verdict,
          problem,
          expiresAtMs,
          issuedAtMs,
        } satisfies ChallengeView)
      },

      'session.ask': async ({ id, acceptFormat }) => {
        const found = open(id)
        if (!found.ok) return found
        const { challenge, wallet: address, expiresAtMs } = found.value
        return requests.ask({
          wallet: address,
          expiresAtMs,
          read: async () => {
            const { verdict, problem, formatHash } = check(id, found.value)
            if (problem !== null) return fail({ kind: 'challenge_refused', problem })
            if (verdict === 'confirm' && !acceptFormat) return fail({ kind: 'confirmation_required', what: 'challenge_layout', expected: 'yes' })
            const begin = () => {
              if (verdict === 'confirm')
                trust.addFormat(formatKind, { hash: formatHash, usdcScale: null, priceScale: null, leverageScale: null, sizeScale: null, format: null })
            }
            return ok({ asked: { method: 'personal_sign', message: challenge.message }, begin })
          },
          over: () => ({ kind: 'expired', what: 'challenge', atMs: expiresAtMs }),
        })
      },

      'session.complete': async ({ id, signature }) => {
        const found = open(id)
        if (!found.ok) return found
        const { challenge, wallet: address } = found.value
        const { verdict, problem } = check(id, found.value)
        if (problem !== null) return fail({ kind: 'challenge_refused', problem })
        if (verdict === 'confirm') return fail({ kind: 'confirmation_required', what: 'challenge_layout', expected: 'yes' })
        // Verify the signature over the exact bytes of the challenge. Never send a wrong signature, because the service discards a challenge after
        // five wrong signatures.
        const verified = await requests.verified(address, hashMessage(challenge.message), signature)
        if (!verified.ok) return verified
        const canary = await secrets.probe()
        if (!canary.ok) return canary
        const answer = await api.call(endpoints.createSession, {
          ...nothing,
          body: { wallet: address, nonce: challenge.nonce, signature: verified.value },
          credential: null,
        })
        if (!answer.ok) return fail(answer.failure.failure)
        const { developerSession, expiresAtMs, wallet: said, developer } = answer.value.value
        if (said !== null && said.toLowerCase() !== address.toLowerCase()) return fail({ kind: 'wrong_wallet', wallet: said, expected: address })
        pending.delete(id)
        await keep({ wallet: address, bearer: developerSession, expiresAtMs, refused: false, developer })
        return ok(await status())
      },

      'session.end': async () => {
        const address = wallet.current()?.address
        if (address !== undefined) await vault.sessions.delete(keyOf(address))
        pending.clear()
        return ok(await status())
      },
    },
  }
}

interface SignInWatchDeps {
  readonly clock: Clock
  readonly emit: Emit
  readonly every: Every
  /** Returns the address of the wallet that is connected now; null if no wallet is connected. */
  readonly connected: () => string | null
}

/** A stored sign-in. `expiresAtMs`: when it ends, in Unix ms. */
interface KeptSignIn {
  readonly wallet: string
  readonly expiresAtMs: number
  /** True if the service refused the sign-in before it expired. */
  readonly refused: boolean
}

export interface SignInWatch {
  /**
   * Returns the state of the connected wallet’s sign-in `kept`, which is null if the wallet has no sign-in. Notifies the windows if they last
   * received a different state.
   */
  look(kept: KeptSignIn | null): SessionStatus['state']
  start(): void
  stop(): void
}

/** How long (ms) before the end of a sign-in the page asks the user to sign in again. */
const endingMs = 30 * minute

/**
 * Notifies the windows when a sign-in is about to end and when it has ended. Checks every second instead of setting a long timer: timers stop while
 * the computer sleeps, and any response may correct the service's time.
 */
export function createSignInWatch({ clock, emit, every, connected }: SignInWatchDeps): SignInWatch {
  let seen: (KeptSignIn & { readonly state: SessionStatus['state'] }) | null = null
  let stop: (() => void) | null = null

  const stateOf = ({ expiresAtMs, refused }: KeptSignIn): SessionStatus['state'] => {
    const left = expiresAtMs - clock.now()
    return refused || left <= 0 ? 'ended' : left < endingMs ? 'ending' : 'active'
  }

  const look = (kept: KeptSignIn | null): SessionStatus['state'] => {
    if (kept === null) {
      seen = null
      return 'none'
    }
    const before = seen
    const state = stateOf(kept)
    // Copy only these fields, because the stored object may contain the bearer token.
    const { wallet, expiresAtMs, refused } = kept
    seen = { wallet, expiresAtMs, refused, state }
    // Notify only if the state has changed. After a start, a wallet switch or a new sign-in, the windows have just read the state and need no
    // notice.
    if (before === null || before.wallet !== kept.wallet || before.state === state || state === 'active') return state
    emit({ type: 'invalidate', queries: signInQueries })
    if (state === 'ended')
      emit({
        type: 'notice',
        severity: 'warn',
        notice: { code: 'sign_in_ended', refused: kept.refused },
        to: '/sign-in',
      })
    return state
  }

  return {
    look,
    start: () => {
      stop ??= every(second, () => {
        if (seen !== null && seen.wallet === connected()) look(seen)
      })
    },
    stop: () => {
      stop?.()
      stop = null
    },
  }
}
