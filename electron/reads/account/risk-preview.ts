import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { namedPreview, sentByPreview } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { RiskPreview } from '../../../shared/ipc/reads/account.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { explainReason } from '../../../shared/signing/prepared-action.ts'
import { preparedBody } from '../../../shared/ticket/actions/action-payload.ts'
import { checkAction, pairOf } from '../../../shared/ticket/actions/check-action.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import { taught } from '../../service/field-names/taught.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { Markets } from '../markets/markets.ts'

export interface RiskPreviewDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: WalletReport
  readonly markets: Pick<Markets, 'market'>
  readonly fieldMap: Pick<FieldMapBook, 'names'>
}

/**
 * What an order would do to the connected wallet's account, asked with a key of that same wallet (Authentication 3): there is no public route
 * for it. An answer that comes after the wallet changed fails with `wrong_wallet`.
 */
export function createRiskPreview({ api, credentials, wallet, markets, fieldMap }: RiskPreviewDeps): {
  readonly handlers: Handlers<'account.riskPreview'>
} {
  const preview = async (ticket: OrderTicket): Promise<Result<RiskPreview, Failure>> => {
    const pairId = pairOf(ticket)
    const market = pairId === null ? ok(null) : await markets.market(pairId)
    if (!market.ok) return market
    const [issue] = checkAction(ticket, { market: market.value, mark: null, permitOffered: null })
    if (issue !== undefined) return fail({ kind: 'bad_input', field: issue.field, issue: issue.text })
    const { action, payload } = preparedBody(ticket, '')
    // An id would name an order; a preview places none.
    const { client_order_id: _, ...terms } = payload
    const body = { action, payload: terms }
    const names = fieldMap.names()
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const credential = await credentials.forScope(address, 'account:read')
    if (!credential.ok) return credential
    const answer = await api.call(endpoints.previewRisk, { params: {}, query: {}, body, rawBody: namedPreview(body, names), credential: credential.value })
    const now = wallet.current()?.address ?? 'none'
    if (now !== address) return fail({ kind: 'wrong_wallet', wallet: now, expected: address })
    if (!answer.ok) return fail(taught(answer.failure, sentByPreview(body, names)))
    const { value, receivedAtMs } = answer.value
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
      readAtMs: receivedAtMs,
    })
  }
  return { handlers: { 'account.riskPreview': ({ ticket }) => preview(ticket) } }
}
