import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { reasonText } from '../../../shared/text/intent-text.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'
import { ExecutionItems } from '../../parts/execution-items.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import styles from './activity.module.css'
import { WayOut } from './way-out.tsx'

/** What the executor of a key was asked for, and what became of each part of it. */
export function Delegated({ intent }: { readonly intent: Intent }) {
  const replay = useDeskCommand('intents.replay')
  const known = useDeskQuery('intents.execution', { ref: intent.ref }, { every: 2_000 })
  const execution = known.data
  const lost = intent.state === 'UNKNOWN'
  return (
    <div className={styles.listAsk}>
      {lost ? (
        <Note
          tone="warn"
          icon="unknown"
          title="The answer was lost."
          end={
            <Button
              size="sm"
              icon="refresh"
              busy={replay.isPending}
              disabled={execution?.replayUntilMs == null}
              onClick={() => replay.mutate({ ref: intent.ref })}
            >
              Ask again
            </Button>
          }
        >
          {intent.reason === null ? 'The executor may have carried it out.' : reasonText(intent.reason)} Asking again sends the very same order: the exchange
          gives its first answer, and carries it out now if it never got it. It is never done twice.
        </Note>
      ) : null}
      {lost ? <WayOut intent={intent} /> : null}
      {replay.error === null ? null : <FailureNote failure={failureOf(replay.error)} />}
      {execution === undefined ? null : (
        <>
          <Rows>
            <Row name="Way">Executor of {execution.keyLabel ?? 'a key'}; no wallet signed it</Row>
            {execution.executor === null ? null : (
              <Row name="Executor">
                <code>{execution.executor}</code>
              </Row>
            )}
            <Row name="Command">
              {execution.commandId === null ? (
                <span className={textStyles.muted}>none was named</span>
              ) : (
                <span className={styles.id}>
                  <code>{execution.commandId}</code>
                  <CopyButton text={execution.commandId} what="command id" />
                </span>
              )}
            </Row>
            {execution.state === null ? null : (
              <Row name="The service says">
                <VisibleText text={execution.state} />
              </Row>
            )}
          </Rows>
          <ExecutionItems items={execution.items} />
          <MoreFields of="the execution" fields={execution.unknownFields} />
        </>
      )}
    </div>
  )
}
