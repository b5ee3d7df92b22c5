import { endpoints } from '../../../shared/api/endpoints/all.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountSummary, Position } from '../../../shared/ipc/reads/account.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ApiClient, KeyCredential } from '../../service/transport/api-client.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { AccountReader, Subject } from '../history/account-reader.ts'
import { createCollateral } from './collateral.ts'
import type { OpenOrdersReader } from './open-orders.ts'

export interface AccountViewsDeps {
  readonly api: ApiClient
  readonly reader: AccountReader
  readonly openOrders: OpenOrdersReader
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  /** Told of what was read, whoever asked for it. */
  readonly onRead: (subject: Subject, read: { readonly summary?: AccountSummary; readonly positions?: readonly Position[] }) => void
}

/** What one wallet has now, for every page alike: the connected one, or one that is only watched. */
export function createAccountViews({ api, reader, openOrders, balances, chain, onRead }: AccountViewsDeps) {
  const collateral = createCollateral({ api, balances, chain })
  const nothing = { params: {}, query: {}, body: undefined } as const
  const twinOf = ({ wallet }: Subject) => ({ ...nothing, query: { wallet }, credential: null }) as const

  const handlers: Handlers<'account.summary' | 'account.positions' | 'account.orders' | 'account.collateral'> = {
    'account.summary': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getAccount, { ...nothing, credential }),
        () => api.call(endpoints.getPublicAccount, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const { wallet } = subject.value
      const other = ofAnother(value.wallet, wallet)
      if (other !== null) return fail(other)
      const summary = { ...value, wallet, readAtMs }
      onRead(subject.value, { summary })
      return ok({ ...summary, source })
    },
    'account.positions': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getPositions, { ...nothing, credential }),
        () => api.call(endpoints.getPublicPositions, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      onRead(subject.value, { positions: value.positions })
      return ok({ positions: value.positions, missing: value.missing, source, readAtMs })
    },
    'account.orders': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = (credential: KeyCredential | null) => openOrders.read(subject.value.wallet, credential)
      const answer = await reader.read(subject.value, read, read)
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      return ok({ orders: [...value.orders], cut: value.cut, source, readAtMs })
    },
    'account.collateral': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getCollateral, { ...nothing, credential }),
        () => api.call(endpoints.getPublicCollateral, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const { wallet } = subject.value
      const other = ofAnother(value.wallet, wallet)
      if (other !== null) return fail(other)
      return ok({ ...(await collateral(value, wallet)), source, readAtMs })
    },
  }
  return { handlers }
}

/** The service answers for another wallet than was asked about. */
const ofAnother = (said: string | null, asked: string): Failure | null =>
  said === null || said.toLowerCase() === asked.toLowerCase() ? null : { kind: 'wrong_wallet', wallet: said, expected: asked }
