import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { shorten } from '../../kit/short.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { mayReportAgain, ReceiptMark, receiptMeaning, transactionWords } from '../../parts/receipt.tsx'

/** Whether the service was told the hash of each transaction that the wallet broadcast for it: without that, no webhook tells of it. */
export function IntentReceipts({ intent }: { readonly intent: Intent }) {
  const sent = intent.way === 'transactions'
  const list = useDeskQuery('receipts.list', { ref: intent.ref }, { enabled: sent, every: 2_000 })
  const report = useDeskCommand('receipts.report')
  const broadcasts = list.data?.broadcasts ?? []
  if (!sent || broadcasts.length === 0) return null
  return (
    <section className="rp" aria-labelledby="intent-reports">
      <div className="panel-head">
        <h3 id="intent-reports">Reports of its transactions</h3>
        <span className="count">{broadcasts.length}</span>
      </div>
      <ul>
        {broadcasts.map((one) => (
          <li key={one.index}>
            <span className="rp-what">
              <span className="id">
                <code title={one.txHash}>{shorten(one.txHash, 10, 8)}</code>
                <CopyButton text={one.txHash} what="transaction hash" />
              </span>
              <span className="muted">{transactionWords(one)}</span>
            </span>
            <ReceiptMark receipt={one.receipt} />
            {mayReportAgain(one.receipt) ? (
              <Button size="xs" icon="send" busy={report.isPending} onClick={() => report.mutate({ ref: one.ref, index: one.index })}>
                Report again
              </Button>
            ) : null}
            <p className="sub">{receiptMeaning(one.receipt)}</p>
          </li>
        ))}
      </ul>
      {report.error === null ? null : <FailureNote failure={failureOf(report.error)} />}
    </section>
  )
}
