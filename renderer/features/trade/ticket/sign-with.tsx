import { useState } from 'react'
import type { ExecutionMethods, ExecutorChoice, MethodIssue } from '../../../../shared/ipc/intents/execution.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { second } from '../../../../shared/time.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../batch/batch.module.css'
import { useOffers } from './ticket-model.ts'

export interface SignWith {
  /** The executor that carries out the order; `null`: the wallet signs. */
  readonly executor: ExecutorChoice | null
  readonly choose: (by: string) => void
  readonly wallet: ExecutionMethods['wallet']
  readonly executors: readonly ExecutorChoice[]
  /** Why no executor can carry out the ticket, with any key. */
  readonly why: string | null
}

const byWallet = 'wallet'
/** How often to read the keys on this computer. An executor that was just bound appears after at most this time. */
export const methodsEveryMs = 2 * second

function issueText(issue: MethodIssue): string {
  switch (issue.code) {
    case 'no_wallet':
      return tradeText.noWalletReason
    case 'no_key':
      return tradeText.noKeyHere
    case 'no_executor':
      return tradeText.noExecutorBound(issue.label)
    case 'lacks_scope':
      return tradeText.lacksScope(issue.label, issue.scope)
    case 'not_delegated':
      return formIssueText(issue.issue)
  }
}

/** Decides whether the wallet or an executor carries out a ticket: the user's choice if it is available, otherwise the preferred method. */
export function useSignWith(ticket: OrderTicket = anyTicket): SignWith {
  const [chosen, setChosen] = useState<string | null>(null)
  const methods = useIpcQuery('intents.methods', { ticket }, { every: methodsEveryMs }).data
  const undelegated = useOffers()?.delegated === false
  const preferred = methods?.preferred.by === 'executor' ? methods.preferred.keyId : byWallet
  const wanted = chosen ?? preferred
  return {
    executor: undelegated ? null : (methods?.executors.find(({ keyId, why }) => why === null && keyId === wanted) ?? null),
    choose: setChosen,
    wallet: methods?.wallet ?? { why: null },
    executors: undelegated ? [] : (methods?.executors ?? []),
    why: undelegated ? tradeText.noDelegatedExecution : methods?.why == null ? null : issueText(methods.why),
  }
}

/** A placeholder for finding keys that have an executor: a limit order, which any executor can carry out. */
export const anyTicket: OrderTicket = {
  ...{ pairId: 0, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 1, orderValueUsdc: '1', takeProfit: null, stopLoss: null },
  ...{ limitPrice: '1', timeInForce: 'gtc', postOnly: false },
}

/** The menu that chooses who carries out the order: the wallet, or a key's executor. Unavailable choices state the reason. */
export function SignWithMenu({ signWith }: { readonly signWith: SignWith }) {
  const { executor } = signWith
  const name = executor === null ? tradeText.wallet : tradeText.executorOf(executor.label)
  return (
    <div className={styles.way}>
      <span className={textStyles.muted}>{tradeText.signWith}</span>
      <Menu
        label={tradeText.signWith}
        align="end"
        entries={[
          {
            label: tradeText.wallet,
            icon: 'phone',
            checked: executor === null,
            note: signWith.wallet.why === null ? undefined : issueText(signWith.wallet.why),
            onSelect: () => signWith.choose(byWallet),
          },
          ...signWith.executors.map((one) => ({
            label: tradeText.executorOf(one.label),
            icon: 'chip' as const,
            checked: executor?.keyId === one.keyId,
            disabled: one.why !== null,
            note: one.why === null ? (one.executor ?? undefined) : issueText(one.why),
            onSelect: () => signWith.choose(one.keyId),
          })),
          ...(signWith.why === null ? [] : [{ type: 'heading' as const, label: signWith.why }]),
        ]}
        trigger={(props) => (
          <button type="button" {...props} className={styles.wayNow} aria-label={tradeText.signWithNow(name)} title={name}>
            <Icon name={executor === null ? 'phone' : 'chip'} size={14} />
            <span className={styles.wayName}>{executor?.label ?? name}</span>
            <Icon name="chevron-down" size={14} />
          </button>
        )}
      />
    </div>
  )
}
