import type { Hex } from 'viem'
import { defaultScopes } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { blockedBy, signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { KeyDraft } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { explainGrant, type GrantExpectation } from '../../../shared/signing/grant/grant.ts'
import { parseTypedData } from '../../../shared/signing/message/typed-data.ts'
import { type RouterDecision, sameAddress } from '../../../shared/signing/trust.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { GrantDraft, GrantEnd, StoredDraft } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { createWalletRequests } from '../../wallet/requests/wallet-requests.ts'
import { agreeTo, blockOf, expectedRouter, holdAgainst, type Typed } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'

export interface CheckedGrant {
  readonly grant: KeyDraft['grant']
  readonly compared: Compared
  readonly router: RouterDecision | null
  /** The exact text for the wallet to sign. It is serialised from the verified data, not copied from the response. */
  readonly typedData: string
  readonly digest: Hex
}

/**
 * A grant as received from the service, together with the values that it must contain. `agent`: the agent’s address from the part of the service’s
 * response outside the grant; null if the app cannot tell which address is the agent’s.
 */
export interface GrantSubject extends Pick<StoredDraft, 'wallet' | 'agent' | 'typedData'> {
  readonly request: { readonly expiresInDays: number }
  /** The scopes that the app requested for the key. If omitted, the key has the default scopes of a bot-ready key. */
  readonly scopes?: readonly string[] | null
  /** The values that the grant must contain about its key, if that key already exists. */
  readonly existingKey?: GrantExpectation['existingKey']
}

export type GrantCheck = ReturnType<typeof createGrantCheck>

const kind = 'agent_grant'

/**
 * Finds the agent’s address in the part of a response that is outside the grant. Uses the field that names the agent. If that field is missing,
 * uses the only address that is not the wallet’s. Returns null if no address can be the agent’s, or if several can.
 */
export function agentBeside({ agent, beside }: { readonly agent: string | null; readonly beside: readonly string[] }, wallet: string): string | null {
  const [only, ...more] = beside.filter((address) => !sameAddress(address, wallet))
  return agent ?? (more.length === 0 ? (only ?? null) : null)
}

export function createGrantCheck({ trust, clock }: { readonly trust: Trust; readonly clock: Clock }) {
  return {
    /** Reads a grant and compares it with the request (KEY-15). Fails with `signing_refused` if the grant cannot be read. */
    check: async ({
      wallet,
      agent,
      typedData: written,
      request,
      scopes = defaultScopes,
      existingKey,
    }: GrantSubject): Promise<Result<CheckedGrant, Failure>> => {
      const parsed = parseTypedData(written)
      if (!parsed.ok) return fail(signingRefused({ code: 'typed_data', by: parsed.failure.problem }))
      const typedData = parsed.value
      const router = await trust.decide(typedData.domain.verifyingContract ?? null)
      const { comparison, pin, ...grant } = explainGrant(typedData, {
        wallet,
        agent,
        router: expectedRouter(router, trust.router()),
        scopes,
        keyExpiresInDays: request.expiresInDays,
        existingKey,
        formats: trust.formats(kind),
        nowMs: clock.now(),
      })
      return ok({ grant, compared: holdAgainst({ comparison, pin }, router), router, typedData: typedData.json, digest: typedData.digest })
    },
    /**
     * Records that the user accepts a new router or signing format. Fails with `signing_refused`, also if the grant names no router, or with
     * `confirmation_required`.
     */
    agree: ({ compared, router }: CheckedGrant, typed: Typed): Result<void, Failure> =>
      router === null
        ? fail(signingRefused(blockOf(compared) ?? blockedBy(null)))
        : agreeTo(trust, kind, { compared, contracts: [{ decision: router, confirm: trust.confirmRouter }] }, typed),
  }
}

interface GrantSigning<D extends StoredDraft | GrantDraft> {
  readonly wallet: WalletReport
  readonly chain: Pick<Chain, 'verify'>
  readonly clock: Clock
  readonly grants: GrantCheck
  /** Finds the wallet’s draft with this id; null if the wallet has none. */
  readonly find: (id: string, wallet: string) => D | null
  /** Why the app must not ask the wallet now; null if nothing is wrong. */
  readonly held?: () => Failure | null
  /** Checks the grant in a draft. Fails if there is nothing to sign. */
  readonly check: (draft: D) => Promise<Result<CheckedGrant, Failure>>
  /** The state of a draft whose signature the app has not requested. */
  readonly unasked: D['state']
  /** Records that the app asks the wallet. */
  readonly asked: (draft: D) => unknown
  readonly signatures: { of(draft: D): Promise<Secret | null>; keep(draft: D, signature: Secret): Promise<void> }
}

/** The conversation with the wallet about a grant, for a new key and for the agent of an existing key. */
export function createGrantSigning<D extends StoredDraft | GrantDraft>(deps: GrantSigning<D>) {
  const { wallet, clock, grants, check } = deps
  const requests = createWalletRequests(deps)

  /** Returns the draft, if it belongs to this wallet and the time for signing has not ended. */
  const alive = (id: string, address: string): Result<D, Failure> => {
    const draft = deps.find(id, address)
    if (draft === null) return fail({ kind: 'not_found', what: 'draft' })
    if (draft.expiresAtMs <= clock.now()) return fail({ kind: 'expired', what: 'grant', atMs: draft.expiresAtMs })
    return ok(draft)
  }

  return {
    alive,
    ask: async (id: string, typedPhrase: string | null, typedRouter: string | null): Promise<Result<SignRequest, Failure>> => {
      const signer = wallet.signer()
      if (!signer.ok) return signer
      const found = alive(id, signer.value.address)
      if (!found.ok) return found
      const draft = found.value
      return requests.ask({
        wallet: draft.wallet,
        expiresAtMs: draft.expiresAtMs,
        read: async () => {
          const held = deps.held?.() ?? null
          if (held !== null) return fail(held)
          const grant = await check(draft)
          if (!grant.ok) return grant
          const agreed = grants.agree(grant.value, { phrase: typedPhrase, router: typedRouter })
          if (!agreed.ok) return agreed
          return ok({ asked: { method: 'eth_signTypedData_v4', typedData: grant.value.typedData }, begin: () => deps.asked(draft) })
        },
        over: () => ({ kind: 'expired', what: 'grant', atMs: draft.expiresAtMs }),
      })
    },
    /**
     * Verifies the wallet’s signature of a grant and stores it. If `given` is empty, takes the stored signature, because the answer to the first
     * attempt was lost.
     */
    take: async (draft: D, address: string, given: string): Promise<Result<{ readonly grant: CheckedGrant; readonly signature: Secret }, Failure>> => {
      // The app asks for a signature only after it has shown a new signing format or contract and the user has accepted it. Refuse a signature for
      // which the app did not ask.
      if (draft.state === deps.unasked) return fail({ kind: 'wrong_state', state: draft.state, wanted: 'asked' })
      const grant = await check(draft)
      if (!grant.ok) return grant
      const blocked = blockOf(grant.value.compared)
      if (blocked !== null) return fail(signingRefused(blocked))
      const kept = await deps.signatures.of(draft)
      const offered = given === '' && kept !== null ? kept : new Secret(given)
      const verified = await requests.verified(address, grant.value.digest, offered.reveal())
      if (!verified.ok) return verified
      const signature = new Secret(verified.value)
      await deps.signatures.keep(draft, signature)
      return ok({ grant: grant.value, signature })
    },
  }
}

export type GrantEnds = ReturnType<typeof createGrantEnds>

export const createGrantEnds = ({ profile, records }: { readonly profile: ProfileFacts; readonly records: Pick<Records, 'grantEnds'> }) => ({
  remember: (end: GrantEnd): void => records.grantEnds.write({ profile: profile.id, keyId: end.keyId }, end),
  of: (keyId: string): GrantEnd | null => records.grantEnds.read({ profile: profile.id, keyId }),
})
