import { useId, useRef, useState } from 'react'
import type { Input } from '../../../../shared/ipc/contract.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Field } from '../../../kit/input.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty } from '../../../kit/layout/placeholders.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailurePanel } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { urlOf, useRested, WebhookView } from '../webhook-view.tsx'
import { EventPanel, HeadersPanel, InspectionSteps } from './inspection-parts.tsx'
import styles from './inspector.module.css'

type Against = Input<'webhooks.inspect'>['against']

const longest = 2_000_000
/** The webhooks against which the user can check a delivery: first those whose secret is on this computer, then the others in the service's list. */
function useChoices() {
  const kept = useIpcQuery('webhooks.kept', {})
  const list = useIpcQuery('webhooks.list', {})
  const here = kept.data ?? []
  const known = new Set(here.map(({ id }) => id))
  const elsewhere = (list.data?.webhooks ?? []).filter(({ id }) => !known.has(id)).map((webhook) => ({ id: webhook.id, url: urlOf(webhook) }))
  return { here, elsewhere }
}

function AgainstPicker({ against, onChoose }: { readonly against: Against; readonly onChoose: (against: Against) => void }) {
  const { here, elsewhere } = useChoices()
  const chosen = against.kind === 'webhook' ? [...here, ...elsewhere].find(({ id }) => id === against.webhookId) : undefined
  const every = here.length === 1 ? webhooksText.storedSecret : webhooksText.anyOfStoredSecrets(here.length)
  const words =
    against.kind === 'nothing'
      ? webhooksText.noSecret
      : against.kind === 'kept'
        ? here.length === 0
          ? webhooksText.noStoredSecret
          : every
        : (chosen?.url ?? against.webhookId)
  const entry = ({ id, url }: { readonly id: string; readonly url: string }, note: string) => ({
    label: url,
    note,
    checked: against.kind === 'webhook' && against.webhookId === id,
    onSelect: () => onChoose({ kind: 'webhook', webhookId: id }),
  })
  return (
    <Menu
      label={webhooksText.checkWithSecretOf}
      align="end"
      trigger={(props) => (
        <Button size="sm" icon="key" className={styles.inspectorPick} aria-label={webhooksText.checkWith(words)} {...props}>
          <span className={textStyles.cut}>{words}</span>
        </Button>
      )}
      entries={[
        { label: here.length === 0 ? webhooksText.anyStoredSecret : every, checked: against.kind === 'kept', onSelect: () => onChoose({ kind: 'kept' }) },
        { label: webhooksText.noSecretCheckTheRest, checked: against.kind === 'nothing', onSelect: () => onChoose({ kind: 'nothing' }) },
        ...(here.length + elsewhere.length === 0 ? [] : [{ type: 'heading' as const, label: webhooksText.webhooks }]),
        ...here.map((one) => entry(one, one.id)),
        ...elsewhere.map((one) => entry(one, webhooksText.secretNotHere)),
      ]}
    />
  )
}

const forms = { headers: webhooksText.headersAndBody, curl: webhooksText.aCurlCommand, har: webhooksText.aHar } as const

/** Checks a delivery that the user copied from a log, a terminal or browser tools. The delivery stays on this computer. */
export function InspectorView() {
  const id = useId()
  const [text, setText] = useState('')
  const [against, setAgainst] = useState<Against>({ kind: 'kept' })
  const [index, setIndex] = useState(0)
  const rested = useRested(text)
  const blank = text.trim() === ''
  const tooLong = rested.length > longest
  const inspected = useIpcQuery(
    'webhooks.inspect',
    { text: rested, against, index },
    { enabled: rested.trim() !== '' && !tooLong, every: 15 * second, keepPrevious: true },
  )
  const answer = blank || tooLong ? undefined : inspected.data
  const read = answer?.kind === 'read' ? answer : null
  const unreadable = tooLong ? formIssueText(['pasteTooLarge']) : answer?.kind === 'unreadable' ? inputIssueText(answer.issue) : null
  const edit = (next: string) => {
    setText(next)
    setIndex(0)
  }
  const found = read?.found ?? []
  return (
    <WebhookView view="inspector">
      <div
        className={read === null ? styles.inspector : cx(styles.inspector, styles.read)}
        aria-busy={read !== null && (inspected.isPlaceholderData || text !== rested)}
      >
        <Panel
          title={webhooksText.delivery}
          count={read === null ? undefined : forms[read.form]}
          end={<AgainstPicker against={against} onChoose={setAgainst} />}
          padded
          className={styles.inspectorPaste}
        >
          <Field id={id} label={webhooksText.pasteAsReceived} end={webhooksText.pasteFormatsHint} error={unreadable} help={webhooksText.pasteHelp}>
            <PastedField id={id} value={text} invalid={unreadable !== null} onChange={edit} />
          </Field>
          <div className={styles.inspectorActions}>
            {found.length < 2 ? null : (
              <Menu
                label={webhooksText.whichDelivery}
                trigger={(props) => (
                  <Button size="sm" icon="doc" {...props}>
                    {webhooksText.deliveryOf((read?.index ?? 0) + 1, found.length)}
                  </Button>
                )}
                entries={found.map((one, at) => ({
                  label: `${at + 1}. ${one.event ?? one.title}`,
                  note: one.event === null ? webhooksText.noEventNamed : one.title,
                  checked: at === read?.index,
                  onSelect: () => setIndex(at),
                }))}
              />
            )}
            <span className={textStyles.grow} />
            {blank ? null : (
              <>
                <Button size="sm" variant="ghost" icon="refresh" busy={inspected.isFetching} onClick={() => void inspected.refetch()}>
                  {webhooksText.checkAgain}
                </Button>
                <Button size="sm" variant="ghost" icon="x" onClick={() => edit('')}>
                  {webhooksText.clear}
                </Button>
              </>
            )}
          </div>
        </Panel>
        {read !== null ? (
          <>
            <InspectionSteps read={read} />
            <HeadersPanel read={read} />
            <EventPanel read={read} />
          </>
        ) : (
          <section className={cx(panelStyles.panel, styles.inspectorEmpty)} aria-label={webhooksText.result}>
            {inspected.error !== null && !blank ? (
              <FailurePanel failure={failureOf(inspected.error)} onRetry={() => void inspected.refetch()} retrying={inspected.isFetching} />
            ) : unreadable === null ? (
              <Empty icon="shield-check" title={webhooksText.genuineQuestion}>
                {webhooksText.inspectorLead}
              </Empty>
            ) : (
              <Empty icon="unknown" title={webhooksText.notReadableYet}>
                {webhooksText.pasteFormats}
              </Empty>
            )}
          </section>
        )}
      </div>
    </WebhookView>
  )
}

interface PastedFieldProps {
  readonly id: string
  readonly value: string
  readonly invalid: boolean
  readonly onChange: (text: string) => void
}

const oneKind = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** Example of a delivery to paste. */
const sample =
  'POST /hooks HTTP/1.1\nUser-Agent: Svc-DEX-Webhook/1.0\nX-Svc-Event: order.filled\nX-Svc-Event-ID: …\nX-Svc-Timestamp: …\nX-Svc-Signature: v1=…\n\n{"id": …}'

/**
 * A text field that preserves the line breaks of pasted text. Browsers change them in a field, but the signature covers the exact bytes. So the
 * value is the clipboard's text as long as the field shows the same text.
 */
function PastedField({ id, value, invalid, onChange }: PastedFieldProps) {
  const pasted = useRef('')
  return (
    <textarea
      id={id}
      className={styles.inspectorText}
      rows={16}
      spellCheck={false}
      autoComplete="off"
      placeholder={sample}
      value={oneKind(value)}
      aria-invalid={invalid || undefined}
      aria-describedby={`${id}-help`}
      onPaste={(event) => {
        pasted.current = event.clipboardData.getData('text/plain')
      }}
      onChange={(event) => {
        const shown = event.target.value
        onChange(shown === oneKind(pasted.current) ? pasted.current : shown)
      }}
    />
  )
}
