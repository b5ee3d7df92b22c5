import { endpoints } from '../../shared/api/endpoints/all.ts'
import { limits } from '../../shared/api/limits.ts'
import type { RiskPreview } from '../../shared/ipc/account.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { OrderTicket } from '../../shared/ipc/tickets.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { explainReason } from '../../shared/signing/prepared-action.ts'
import { preparedBody } from '../../shared/ticket/actions/action-payload.ts'
import { checkAction, pairOf } from '../../shared/ticket/actions/check-action.ts'
import { type Corrections, corrected } from '../../shared/ticket/corrections.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../api/api-client.ts'
import type { ChainBalances } from '../chain/balances.ts'
import type { Chain } from '../chain/chain.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { Markets } from '../markets/markets.ts'
import type { WalletReport } from '../session/wallet.ts'
import { createCollateral } from './collateral.ts'

export interface AccountDeps {
  readonly api: ApiClient
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  readonly markets: Pick<Markets, 'market'>
  /** The service's own names for fields whose names are assumed. */
  readonly corrections: () => Corrections
}

export interface Account {
  readonly handlers: Handlers<'account.summary' | 'account.positions' | 'account.orders' | 'account.collateral' | 'account.riskPreview'>
}

/**
 * The connected wallet's account, read with a key of that same wallet (Authentication 3). Each answer belongs to the wallet that was
 * connected when it was asked for: when the wallet changed meanwhile, or the service answers for another one, it fails with `wrong_wallet`.
 */
export function createAccount({ api, credentials, wallet, balances, chain, markets, corrections }: AccountDeps): Account {
  const collateral = createCollateral({ api, balances, chain })
  const nothing = { params: {}, query: {}, body: undefined } as const

  async function read<T>(
    ask: (credential: KeyCredential) => Promise<Result<ApiAnswer<T>, ApiFailure>>,
  ): Promise<Result<{ value: T; readAtMs: number; wallet: string }, Failure>> {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const credential = await credentials.forScope(address, 'account:read')
    if (!credential.ok) return credential
    const answer = await ask(credential.value)
    const now = wallet.current()?.address ?? 'none'
    if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
    return answer.ok ? ok({ value: answer.value.value, readAtMs: answer.value.receivedAtMs, wallet: address }) : fail(answer.failure.failure)
  }

  const preview = async (ticket: OrderTicket): Promise<Result<RiskPreview, Failure>> => {
    const pairId = pairOf(ticket)
    const market = pairId === null ? ok(null) : await markets.market(pairId)
    if (!market.ok) return market
    const [issue] = checkAction(ticket, { market: market.value, mark: null, permitOffered: null })
    if (issue !== undefined) return fail({ kind: 'bad_input', field: issue.field, issue: issue.text })
    const { action, payload } = preparedBody(ticket, '')
    // An id would name an order; a preview places none.
    const { client_order_id: _, ...terms } = payload
    const body = corrected({ action, payload: terms }, corrections())
    const answer = await read((credential) => api.call(endpoints.previewRisk, { ...nothing, body, credential }))
    if (!answer.ok) return answer
    const { value, readAtMs } = answer.value
    return ok({
      executable: value.executable,
      reason: value.reason === null ? null : explainReason(value.reason),
      entryPrice: value.entryPrice,
      liquidationPrice: value.liquidationPrice,
      marginUsdc: value.marginRequired,
      marginUsedBefore: value.marginUsedBefore,
      marginUsedAfter: value.marginUsedAfter,
      healthBefore: value.healthBefore,
      healthAfter: value.healthAfter,
      freeMarginAfterUsdc: value.freeMarginAfter,
      feeUsdc: value.tradingFee,
      networkUsdc: value.network,
      unknownFields: value.unknownFields,
      readAtMs,
    })
  }

  return {
    handlers: {
      'account.riskPreview': ({ ticket }) => preview(ticket),
      'account.summary': async () => {
        const answer = await read((credential) => api.call(endpoints.getAccount, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { wallet: said, ...state } = answer.value.value
        const other = ofAnother(said, answer.value.wallet)
        if (other !== null) return fail(other)
        return ok({ ...state, wallet: answer.value.wallet, readAtMs: answer.value.readAtMs })
      },
      'account.positions': async () => {
        const answer = await read((credential) => api.call(endpoints.getPositions, { ...nothing, credential }))
        return answer.ok ? ok({ positions: answer.value.value.positions, readAtMs: answer.value.readAtMs }) : answer
      },
      'account.orders': async () => {
        const answer = await read((credential) => api.call(endpoints.getOrders, { ...nothing, query: { limit: limits.page.max }, credential }))
        return answer.ok ? ok({ orders: answer.value.value.items, readAtMs: answer.value.readAtMs }) : answer
      },
      'account.collateral': async () => {
        const answer = await read((credential) => api.call(endpoints.getCollateral, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { value, wallet: owner, readAtMs } = answer.value
        const other = ofAnother(value.wallet, owner)
        if (other !== null) return fail(other)
        return ok({ ...(await collateral(value, owner)), readAtMs })
      },
    },
  }
}

/** The service answers for another wallet than was asked about. */
export const ofAnother = (said: string | null, asked: string): Failure | null =>
  said === null || said.toLowerCase() === asked.toLowerCase() ? null : { kind: 'wrong_wallet', wallet: said, expected: asked }
