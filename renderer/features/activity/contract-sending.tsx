import { useState } from 'react'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { notSentPhrase } from '../../../shared/phrases/not-sent-phrase.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { shorten } from '../../kit/short.ts'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

const blocks = (block: number): string => block.toLocaleString('en-US')

/** What the chain shows of a contract wallet's lost transaction, and how the user ends it. Draws nothing for any other. */
export function ContractSending({ intent: { ref } }: { readonly intent: Intent }) {
  const [giving, setGiving] = useState(false)
  const read = useDeskQuery('orders.evidence', { ref }, { every: 10 * second })
  const sent = useDeskCommand('orders.sent')
  const notSent = useDeskCommand('orders.notSent')
  const evidence = read.data?.evidence ?? null
  if (evidence === null) return null
  const { hashes, fromBlock, upTo, over } = evidence
  const looked = `Looked at: blocks ${blocks(fromBlock + 1)} to ${blocks(upTo)}, events of the router and of the tokens that name your wallet.`
  return (
    <>
      <Note
        tone="neutral"
        icon="search"
        title={hashes.length === 0 ? 'The chain shows nothing of it.' : `The chain shows ${hashes.length} transactions that do this.`}
        end={
          over ? (
            <Button size="sm" variant="danger" onClick={() => setGiving(true)}>
              It was not sent
            </Button>
          ) : undefined
        }
      >
        <p>
          {looked}{' '}
          {over
            ? 'Your wallet is a contract and may still carry out what waits in it: look there first.'
            : 'Your wallet is a contract, so somebody else may send it for you. It is looked for until its time is over.'}
        </p>
        {hashes.length < 2 ? null : (
          <span className="acts-r">
            {hashes.map((txHash) => (
              <Button key={txHash} size="sm" busy={sent.isPending} title={txHash} onClick={() => sent.mutate({ ref, txHash })}>
                It was {shorten(txHash, 10, 6)}
              </Button>
            ))}
          </span>
        )}
      </Note>
      {sent.error === null ? null : <FailureNote failure={failureOf(sent.error)} />}
      {giving ? (
        <ConfirmName
          title="It was not sent?"
          effect={`${looked} ${hashes.length === 0 ? 'There is nothing of it.' : `There are ${hashes.length} transactions that do the same.`} If it still waits in your wallet, remove it there: this app no longer looks for it, and the same order may then be made again.`}
          name={notSentPhrase}
          confirmLabel="It was not sent"
          keepLabel="Keep looking"
          busy={notSent.isPending}
          failure={notSent.error === null ? null : failureOf(notSent.error)}
          onConfirm={() => notSent.mutate({ ref, typed: notSentPhrase }, { onSuccess: () => setGiving(false) })}
          onClose={() => setGiving(false)}
        />
      ) : null}
    </>
  )
}
